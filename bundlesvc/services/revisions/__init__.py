"""The use cases of revisions: reading and comparing them, drafts, publication (docs/revisions.md)."""
