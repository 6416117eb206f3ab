"""Revisions of shops in the database.

What is live is stored once, in the tables of the shop's content. A past revision is what it had that the next one changed; a
draft is the items that it changes (docs/decisions/0044-revisions.md).
"""
