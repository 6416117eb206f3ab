"""The part of the management API that deals with revisions (docs/revisions.md)."""
