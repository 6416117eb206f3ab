"""Reads, compares, drafts and publishes revisions (docs/revisions.md)."""
