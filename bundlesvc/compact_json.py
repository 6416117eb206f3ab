"""JSON for storage in memory, without unused buffer space.

orjson writes into a buffer that it doubles when needed, and returns the whole buffer, so the result may take far more memory than
its length. Copying is not worthwhile for text that is sent immediately, but is for text in a cache.
"""

import orjson


def compact_json(value: object, option: int | None = None) -> bytes:
    """Serialise a value as JSON that occupies no more memory than its length."""
    return bytes(memoryview(orjson.dumps(value, option=option)))
