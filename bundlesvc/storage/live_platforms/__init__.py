"""Storage for live platforms: credentials, the log of changes, and the service's own updates."""
