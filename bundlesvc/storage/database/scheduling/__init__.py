"""How the work of many callers reaches a database: the queue for a connection, groups that share a transaction, and work that
runs to its end."""
