"""The database used by all stores: its tables, its interface, transactions, and the ways to open it.

`sqlite/` and `postgresql/` implement the interface; both use `scheduling/` and report to `health/`. `parts/` is for stores that
read or delete many rows.
"""
