"""The studio: an in-browser editor for bundles, for people who run a shop (docs/studio.md).

Its page calls the management API of the same service. A session is opened with a management key and represents that key, so no
page contains the key itself.
"""
