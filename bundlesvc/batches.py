"""Splits items into batches for queries and calls of limited size."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split items, in order, into batches of up to `size`, like `itertools.batched` in newer Python versions."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
