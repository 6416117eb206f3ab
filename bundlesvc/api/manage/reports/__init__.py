"""The part of the management API that deals with reports."""
