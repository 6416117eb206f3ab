"""Storage for revisions of shops.

The live content is stored once, in the tables of the shop's content. A past revision is stored as those of its items that the
next revision changed; a draft is stored as the items that it changes (docs/decisions/0044-revisions.md).
"""
