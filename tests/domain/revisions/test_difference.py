"""The changes between two versions of a shop's content. Applying them to one version produces the other."""

from typing import Any

import pytest
from hypothesis import given

from bundlesvc.domain.revisions.difference import applied, difference
from bundlesvc.domain.revisions.plain import ABSENT, dotted
from tests.domain.revisions.contents import CONTENTS, SEEDS, edited


@given(CONTENTS, CONTENTS)
def test_changes_applied_give_the_other_content(one: Any, other: Any) -> None:
    assert applied(one, difference(one, other)) == other


@given(CONTENTS, SEEDS)
def test_changes_of_an_edited_content_applied_give_it(content: Any, seed: int) -> None:
    after = edited(content, seed)
    assert applied(content, difference(content, after)) == after


@given(CONTENTS)
def test_equal_contents_have_no_changes(content: Any) -> None:
    assert list(difference(content, edited(content, 0, edits=0))) == []


SECTION = {"id": 2, "name": "Tea"}

CASES: dict[str, tuple[Any, Any, list[tuple[str, Any, Any]]]] = {
    "a field": ({"name": "Box"}, {"name": "Crate"}, [("name", "Box", "Crate")]),
    "an added field": ({}, {"name": "Box"}, [("name", ABSENT, "Box")]),
    "a removed field": ({"name": "Box"}, {}, [("name", "Box", ABSENT)]),
    "null is a value": ({"when": None}, {}, [("when", None, ABSENT)]),
    "a field of an item": (
        {"sections": [SECTION]},
        {"sections": [SECTION | {"name": "Coffee"}]},
        [("sections.2.name", "Tea", "Coffee")],
    ),
    "an added item": ({"sections": []}, {"sections": [SECTION]}, [("sections.2", ABSENT, SECTION)]),
    "moved items": (
        {"sections": [{"id": 1}, {"id": 2}]},
        {"sections": [{"id": 2}, {"id": 1}]},
        [("sections.order", [1, 2], [2, 1])],
    ),
    "items without ids": (
        {"tiers": [{"value": "1"}]},
        {"tiers": [{"value": "2"}]},
        [("tiers", [{"value": "1"}], [{"value": "2"}])],
    ),
    "items that repeat an id": (
        {"sections": [{"id": 1}, {"id": 1}]},
        {"sections": [{"id": 1}]},
        [("sections", [{"id": 1}, {"id": 1}], [{"id": 1}])],
    ),
    "single values": ({"tags": ["a"]}, {"tags": ["a", "b"]}, [("tags", ["a"], ["a", "b"])]),
}


@pytest.mark.parametrize("name", CASES)
def test_changes_name_the_smallest_part_that_differs(name: str) -> None:
    before, after, expected = CASES[name]
    found = [(dotted(change.path), change.before, change.after) for change in difference(before, after)]
    assert found == expected
