"""The engines under every store: SQLite and PostgreSQL, transactions, the group-commit writer, health."""
