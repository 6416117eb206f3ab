"""What a client sees when something that the service needs fails, and how gently it treats the platform: over real servers."""
