"""The commands for revisions, and the code with which other commands record their changes."""
