"""JSON that stays in memory.

orjson writes into a buffer that it enlarges twofold, with room for the next value, and returns it as it is: the bytes of a long
list take up to a hundred times their length. Text that goes out at once is not worth a copy; text in a cache is.
"""

import orjson


def compact_json(value: object, option: int | None = None) -> bytes:
    """The value as JSON, in no more memory than its length."""
    return bytes(memoryview(orjson.dumps(value, option=option)))
