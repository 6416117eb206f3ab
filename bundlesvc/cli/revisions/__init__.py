"""The commands for revisions, and how other commands record what they change."""
