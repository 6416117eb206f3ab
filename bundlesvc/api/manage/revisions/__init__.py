"""Revisions in the management API (docs/revisions.md)."""
