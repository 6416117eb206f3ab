"""The schema version (`schema`), the backup before an upgrade (`upgrading`), and Alembic's environment (`env`)."""
