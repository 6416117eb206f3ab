"""Three-way merges: the laws that hold for any contents, and what counts as a conflict."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.revisions.difference import applied, difference
from bundlesvc.domain.revisions.merge import Conflict, merge
from bundlesvc.domain.revisions.plain import ABSENT, Order, dotted
from tests.domain.revisions.contents import CONTENTS, SEEDS, edited


@given(CONTENTS, SEEDS)
def test_a_change_of_one_side_is_merged(base: Any, seed: int) -> None:
    changed = edited(base, seed)
    assert merge(base, changed, base) == merge(base, base, changed)
    assert merge(base, changed, base).content == changed
    assert merge(base, changed, base).conflicts == ()


@given(CONTENTS, SEEDS)
def test_the_same_change_of_both_sides_is_merged(base: Any, seed: int) -> None:
    changed = edited(base, seed)
    merged = merge(base, changed, deepcopy(changed))
    assert (merged.content, merged.conflicts) == (changed, ())


@given(CONTENTS, SEEDS, SEEDS)
def test_sides_can_be_exchanged(base: Any, one: int, other: int) -> None:
    live, yours = edited(base, one), edited(base, other)
    there, back = merge(base, live, yours), merge(base, yours, live)
    assert [Conflict(each.path, each.base, each.yours, each.live) for each in there.conflicts] == list(back.conflicts)
    if not there.conflicts:
        assert there.content == back.content


@given(CONTENTS, SEEDS, SEEDS)
def test_changes_of_different_parts_are_all_merged(base: Any, seed: int, split: int) -> None:
    """Changes to different parts are all merged, however they are split between two sides."""
    changes = [change for change in difference(base, edited(base, seed, edits=8)) if change.before is not ABSENT]
    changes = [change for change in changes if not isinstance(change.path[-1], Order)]
    random = Random(split)
    mine = [random.random() < 1 / 2 for _ in changes]
    live = applied(base, (change for change, is_mine in zip(changes, mine, strict=True) if is_mine))
    yours = applied(base, (change for change, is_mine in zip(changes, mine, strict=True) if not is_mine))

    merged = merge(base, live, yours)

    assert merged.conflicts == ()
    assert merged.content == applied(base, changes)


@given(CONTENTS, st.data())
def test_everything_is_one_of_three_values(base: Any, data: st.DataObject) -> None:
    """Every merged value comes from one of the three sides."""
    live, yours = (edited(base, data.draw(SEEDS)) for _ in range(2))
    merged = merge(base, live, yours).content
    for bundle in merged["bundles"]:
        sides = [each for side in (base, live, yours) for each in side["bundles"] if each["id"] == bundle["id"]]
        assert bundle["name"] in [side["name"] for side in sides]


BOX = {"id": 1, "name": "Box"}

CONFLICTS: dict[str, tuple[Any, Any, Any, list[str]]] = {
    "a field": ({"name": "a"}, {"name": "b"}, {"name": "c"}, ["name"]),
    "removed and changed": ({"bundles": [BOX]}, {"bundles": []}, {"bundles": [BOX | {"name": "Crate"}]}, ["bundles.1"]),
    "added differently": ({}, {"name": "a"}, {"name": "b"}, ["name"]),
    "an item added differently": (
        {"bundles": []},
        {"bundles": [BOX]},
        {"bundles": [BOX | {"name": "Crate"}]},
        ["bundles.1.name"],
    ),
    "items without ids": ({"tiers": [1]}, {"tiers": [1, 2]}, {"tiers": [0, 1]}, ["tiers"]),
    "the order": (
        {"bundles": [{"id": 1}, {"id": 2}, {"id": 3}]},
        {"bundles": [{"id": 2}, {"id": 1}, {"id": 3}]},
        {"bundles": [{"id": 3}, {"id": 1}, {"id": 2}]},
        ["bundles.order"],
    ),
    "another shape": ({"value": "1"}, {"value": ["1"]}, {"value": {"a": "1"}}, ["value"]),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_both_changed_differently_is_a_conflict(name: str) -> None:
    base, live, yours, paths = CONFLICTS[name]
    assert [dotted(conflict.path) for conflict in merge(base, live, yours).conflicts] == paths


def test_a_conflict_has_all_three_values() -> None:
    (found,) = merge({"name": "a"}, {"name": "b"}, {}).conflicts
    assert (found.path, found.base, found.live, found.yours) == (("name",), "a", "b", ABSENT)


def test_both_sides_may_add_items_at_one_place() -> None:
    base: dict[str, Any] = {"sections": [{"id": 1}, {"id": 2}]}
    live = {"sections": [{"id": 1}, {"id": 9}, {"id": 2}]}
    yours = {"sections": [{"id": 1}, {"id": 7}, {"id": 8}, {"id": 2}]}
    merged = merge(base, live, yours)
    assert [section["id"] for section in merged.content["sections"]] == [1, 7, 8, 9, 2]
    assert merged.conflicts == ()


def test_an_item_stays_behind_the_one_it_was_added_to() -> None:
    base: dict[str, Any] = {"sections": [{"id": 1}, {"id": 2}, {"id": 3}]}
    live = {"sections": [{"id": 3}, {"id": 2}, {"id": 1}]}
    yours = {"sections": [{"id": 1}, {"id": 2}, {"id": 5}, {"id": 3}]}
    assert [section["id"] for section in merge(base, live, yours).content["sections"]] == [3, 2, 5, 1]


def test_an_item_that_one_side_removed_is_gone() -> None:
    base = {"bundles": [BOX, {"id": 2, "name": "Case"}]}
    live = {"bundles": [BOX]}
    yours = {"bundles": [BOX | {"name": "Crate"}, {"id": 2, "name": "Case"}]}
    merged = merge(base, live, yours)
    assert (merged.content, merged.conflicts) == ({"bundles": [BOX | {"name": "Crate"}]}, ())
