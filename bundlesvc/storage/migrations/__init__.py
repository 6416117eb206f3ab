"""Alembic's environment."""
