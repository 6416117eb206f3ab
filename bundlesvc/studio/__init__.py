"""The studio: an editor for bundles in the browser, for those who run a shop (docs/studio.md).

Its page calls the management API of the same service. A session, which a management key opens, stands for the key: the key itself
is in no page.
"""
