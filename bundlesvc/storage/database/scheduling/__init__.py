"""Schedules the work of many callers on a database: a queue for connections, groups that share a transaction, and work that
always runs to completion."""
