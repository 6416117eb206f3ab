"""Maintenance of a whole database: backups, copies into another one, pruning, and the check of what is stored."""
