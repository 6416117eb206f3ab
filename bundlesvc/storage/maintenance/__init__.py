"""Maintenance of a whole database: backups, pruning, and the check of what is stored."""
