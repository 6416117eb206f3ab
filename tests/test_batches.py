"""Splitting work that is too large for one query or call into batches."""

import pytest

from bundlesvc.batches import batches


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (6, [3, 3])],
    ids=["none", "one", "full", "more", "two"],
)
def test_all_items_come_in_their_order(count: int, sizes: list[int]) -> None:
    found = list(batches(range(count), 3))
    assert [len(batch) for batch in found] == sizes
    assert [item for batch in found for item in batch] == list(range(count))
