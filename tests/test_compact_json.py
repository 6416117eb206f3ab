"""JSON in caches takes the memory that its length says."""

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
    write(value)  # the converter remembers types
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        text = write(value)
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert text == orjson.dumps(value)
    assert taken < len(text) + 5000
