"""Cached JSON takes up only as much memory as its length suggests."""

import tracemalloc
from collections.abc import Callable

import orjson
import pytest

from bundlesvc.compact_json import compact_json
from bundlesvc.plain_values import to_json

VALUES = [list(range(20_000)), ["x" * 70_000], {str(number): None for number in range(5000)}]


@pytest.mark.parametrize("value", VALUES, ids=["numbers", "text", "object"])
@pytest.mark.parametrize("write", [compact_json, to_json])
def test_text_takes_its_length(write: Callable[[object], bytes], value: object) -> None:
    text = write(value)
    assert text == orjson.dumps(value)
    # Take the smallest of several measurements, because threads of other tests may allocate memory in the meantime.
    assert min(_memory_taken(write, value) for _ in range(5)) < len(text) + 5000


def _memory_taken(write: Callable[[object], bytes], value: object) -> int:
    """Return the number of bytes that the JSON text occupies in memory."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        text = write(value)
        after = tracemalloc.get_traced_memory()[0]
        del text
        return after - before
    finally:
        tracemalloc.stop()
