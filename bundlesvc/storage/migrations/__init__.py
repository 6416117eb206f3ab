"""The version of the tables (`schema`), the backup before an upgrade (`upgrading`), and Alembic's environment."""
