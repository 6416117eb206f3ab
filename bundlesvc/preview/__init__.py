"""The preview of a shop file, for those who write one: each bundle in the component, next to what the linter finds in it.

`bundlesvc preview` runs the service on a temporary database that holds the file, and a page that follows the file.
"""
