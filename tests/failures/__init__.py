"""What clients see when a dependency of the service fails, and how few calls the platform then receives: over real servers."""
