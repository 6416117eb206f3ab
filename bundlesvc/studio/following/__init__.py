"""The studio for people who write a shop file: it shows the bundles of the file, and updates whenever the file is saved.

`bundlesvc preview` runs the service on a temporary database that contains the file, and opens the studio to show it.
"""
