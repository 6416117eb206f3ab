"""A database in a SQLite file: connections, reads, and the one writer with its group commit."""
