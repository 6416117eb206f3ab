"""The studio over a shop file, for those who write one: it shows the bundles of the file, and follows it as it is saved.

`bundlesvc preview` runs the service on a temporary database that holds the file, and opens the studio to look at it.
"""
