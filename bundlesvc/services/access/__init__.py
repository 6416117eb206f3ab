"""Who may call the service, and how often."""
