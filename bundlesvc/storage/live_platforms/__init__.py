"""Storage for live platforms: credentials, the log of changes, the service's own updates."""
