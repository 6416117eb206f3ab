"""Commands of revisions, and how other commands record what they change."""
