"""What is stored for live platforms: credentials, the log of changes, our own updates."""
