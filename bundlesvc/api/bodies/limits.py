"""The maximum body size for each route, in bytes (docs/contract.md#bodies). Each limit leaves room for the route's largest
request, however it is formatted. A larger body gets 413."""

KIBIBYTE = 1024

NOTIFY_BYTES = 4 * KIBIBYTE
CONTENT_BYTES = 16 * KIBIBYTE
SELECTION_BYTES = 256 * KIBIBYTE
"""The limit for price and configure requests, in bytes: enough for 200 items with answers, indented, and with every character of
the texts escaped."""
