"""Maintenance of a whole database: backups, copies into another database, pruning, and checks of the stored data."""
