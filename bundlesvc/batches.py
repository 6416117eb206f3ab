"""Cuts what is too much for one query or call."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in their order, up to `size` of them at a time; `itertools.batched` of newer Pythons."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
