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
    # Take the smallest of several measurements, because threads of other tests may allocate large blocks in the meantime.
    assert min(_largest_block(write, value) for _ in range(5)) < len(text) + 100


def _largest_block(write: Callable[[object], bytes], value: object) -> int:
    """Return the size in bytes of the largest block of memory that is still allocated after writing: that of the JSON text."""
    tracemalloc.start()
    try:
        text = write(value)
        sizes = [trace.size for trace in tracemalloc.take_snapshot().traces]
        del text
        return max(sizes)
    finally:
        tracemalloc.stop()
