"""The database under every store: its tables, its interface, transactions, and the ways to open it.

`sqlite/` and `postgresql/` implement the interface; both use `scheduling/` and report to `health/`. `parts/` serves stores that
read or delete many rows.
"""
