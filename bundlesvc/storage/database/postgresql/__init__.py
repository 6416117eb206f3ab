"""A database on a PostgreSQL server: connections to its hosts, reads and writes, group inserts, and a read replica."""
