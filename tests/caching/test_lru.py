"""The mapping that is bounded by bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.caching.lru import OVERHEAD, LruMapping


def mapping(entries: int) -> LruMapping[bytes]:
    """Room for so many entries with a key of one letter and ten bytes."""
    return LruMapping(entries * (OVERHEAD + 11), len)


def test_the_least_recently_used_leave() -> None:
    lru = mapping(3)
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


def test_what_is_asked_for_only_whether_it_is_there_is_not_used() -> None:
    lru = mapping(2)
    lru["a"] = lru["b"] = b"0123456789"
    assert "a" in lru
    lru["c"] = b"0123456789"
    assert list(lru) == ["b", "c"]


def test_one_that_is_larger_than_everything_is_not_kept() -> None:
    lru = mapping(2)
    lru["a"] = b"0" * 10_000
    assert (len(lru), lru.bytes) == (0, 0)


def test_what_is_not_there() -> None:
    lru = mapping(2)
    assert lru.get("a") is None
    assert lru.get("a", b"") == b""
    assert lru.pop("a", None) is None
    with pytest.raises(KeyError):
        lru["a"]
    with pytest.raises(KeyError):
        del lru["a"]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.none() | st.binary(max_size=400))))
def test_its_bytes_are_those_of_its_entries(steps: list[tuple[str, bytes | None]]) -> None:
    lru = mapping(3)
    for key, value in steps:
        if value is None:
            lru.pop(key, None)
        else:
            lru[key] = value
        assert lru.bytes == sum(OVERHEAD + len(each) + len(lru._entries[each]) for each in lru)
        assert lru.bytes <= 3 * (OVERHEAD + 11)
