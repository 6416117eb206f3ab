"""The preview of a shop file, for those who write one: each bundle in the component, with the linter's findings beside it.

`bundlesvc preview` runs the service on a temporary database that holds the file, and a page that follows the file.
"""
