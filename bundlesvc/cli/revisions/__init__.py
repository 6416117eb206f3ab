"""Commands of revisions, and how other commands record theirs."""
