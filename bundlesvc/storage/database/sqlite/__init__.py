"""A database in a SQLite file: connections, reads, and the single writer with its group commit."""
