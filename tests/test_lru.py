"""The LRU mapping, which has a limit on its total cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.lru import LruMapping


def mapping(limit: int) -> LruMapping[str, bytes]:
    """Create a mapping in which the cost of an entry is the length of its value."""
    return LruMapping(limit, lambda _, value: len(value))


def test_least_recently_used_entry_leaves_first() -> None:
    lru = mapping(30)
    for key in "abc":
        lru[key] = b"0123456789"
    assert lru.get("a") == b"0123456789"
    assert lru["b"] == b"0123456789"
    lru["d"] = b"0123456789"
    assert list(lru) == ["a", "b", "d"]
    lru["a"] = b"9876543210"
    lru["e"] = b"0123456789"
    assert list(lru) == ["d", "a", "e"]
    assert lru["a"] == b"9876543210"


def test_entries_cost_one_each_by_default() -> None:
    lru: LruMapping[int, None] = LruMapping(2)
    for key in range(5):
        lru[key] = None
    assert (list(lru), lru.total) == ([3, 4], 2)


def test_entries_that_nobody_uses_leave_by_age() -> None:
    dropped: list[str] = []
    lru: LruMapping[str, bytes] = LruMapping(100, lambda _, value: len(value), dropped.append)
    lru["read"] = lru["looked at"] = lru["written"] = lru["left"] = b"0123456789"
    for _ in range(2):
        lru.end_period(2)
        lru.get("read")
        lru["written"] = b"0123456789"
        assert "looked at" in lru
    lru.end_period(2)
    assert sorted(lru) == ["read", "written"]
    assert {"looked at", "left"} <= set(dropped)
    assert lru.total == 20
    assert len(lru._used_in) == 2


def test_entries_used_within_the_periods_stay() -> None:
    lru = mapping(30)
    lru["a"] = b"0123456789"
    for _ in range(2):
        lru.end_period(2)
    assert lru["a"] == b"0123456789"
    for _ in range(2):
        lru.end_period(2)
    assert "a" in lru
    lru.end_period(2)
    assert "a" not in lru


def test_checking_for_a_key_does_not_use_the_entry() -> None:
    lru = mapping(20)
    lru["a"] = lru["b"] = b"0123456789"
    assert "a" in lru
    lru["c"] = b"0123456789"
    assert list(lru) == ["b", "c"]


def test_entry_that_costs_more_than_the_limit_is_not_stored() -> None:
    lru = mapping(20)
    lru["a"] = b"0" * 10_000
    assert (len(lru), lru.total) == (0, 0)


def test_missing_key() -> None:
    lru = mapping(20)
    assert lru.get("a") is None
    assert lru.get("a", b"") == b""
    assert lru.pop("a", None) is None
    with pytest.raises(KeyError):
        lru["a"]
    with pytest.raises(KeyError):
        del lru["a"]


def test_stored_none_is_not_a_missing_key() -> None:
    lru: LruMapping[str, str | None] = LruMapping(2)
    lru["a"] = None
    assert lru.get("a", "missing") is None
    assert lru.pop("a", "missing") is None
    assert len(lru) == 0


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.none() | st.binary(max_size=40))))
def test_total_is_the_cost_of_the_stored_entries(steps: list[tuple[str, bytes | None]]) -> None:
    lru = mapping(60)
    for key, value in steps:
        if value is None:
            lru.pop(key, None)
        else:
            lru[key] = value
        assert lru.total == sum(len(lru._entries[each]) for each in lru)
        assert lru.total <= 60
