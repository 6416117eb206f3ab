"""JSON for storage in memory, without unused buffer space.

orjson writes into a buffer that it doubles when needed, and returns the whole buffer, so the result may occupy far more memory
than its length. Copying the result is worthwhile for a body that is cached, but not for one that is sent immediately.
"""

import orjson


def compact_json(value: object, option: int | None = None) -> bytes:
    """Serialise a value as JSON, in a buffer of exactly its length, without unused space."""
    return bytes(memoryview(orjson.dumps(value, option=option)))
