"""The version of the tables (`schema`), the backup before an upgrade (`upgrading`), and the environment of Alembic."""
