"""The database under every store: its interface (`database`), the engines SQLite and PostgreSQL, transactions, the group-commit
writer, health, and reading and deleting in parts."""
