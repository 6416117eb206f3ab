"""What the environment variables name: settings, secrets, and the database."""
