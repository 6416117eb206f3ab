"""Storage for revisions of shops.

The live content is stored once, in the tables of the shop's content. For a past revision, only the items that the next revision
changed are stored; for a draft, only the items that it changes (docs/decisions/0044-revisions.md).
"""
