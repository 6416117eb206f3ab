"""The studio: an editor for bundles in the browser, for people who run a shop (docs/studio.md).

Its page calls the management API of the same service. A session, opened with a management key, represents the key: the key itself
is in no page.
"""
