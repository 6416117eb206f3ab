"""JSON for storage in memory, without unused buffer space.

orjson writes into a buffer that it doubles when needed, and returns it whole, so that the result may take far more memory than
its length. Copying is not worthwhile for text that is sent at once, but is for text in a cache.
"""

import orjson


def compact_json(value: object, option: int | None = None) -> bytes:
    """The value as JSON, in no more memory than its length."""
    return bytes(memoryview(orjson.dumps(value, option=option)))
