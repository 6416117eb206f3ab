"""Reads what the environment variables define: settings, secrets, and the database."""
