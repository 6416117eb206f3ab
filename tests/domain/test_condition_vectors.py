"""The Python evaluator and the shared vectors of the conditions engine (design 10); tests/storefront holds JavaScript to them."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bundlesvc.domain.conditions import ACTION_TYPES, CONDITION_TYPES, Node
from tests.domain.builders import OUTCOMES
from tests.domain.condition_cases import Vector, comparable, evaluate, read_vectors

VECTORS = read_vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    assert evaluate(vector.nodes, vector.lines, vector.facts) == comparable(vector.expected)


def test_every_vector_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(vector.name for vector in VECTORS).items() if count > 1] == []


def test_every_type_is_seen_to_hold_and_not_to_hold() -> None:
    seen = {(node["type"], fired) for vector in VECTORS for node, fired in _judged(vector)}

    assert {(type_, fired) for type_ in (*CONDITION_TYPES, *ACTION_TYPES) for fired in (True, False)} <= seen


def test_every_operation_of_every_measure_is_seen_on_both_sides() -> None:
    measures = set(CONDITION_TYPES) - {"country", "subscription-chosen"}
    seen = {(node["type"], node.get("operation"), fired) for vector in VECTORS for node, fired in _judged(vector)}

    assert {
        (type_, operation, fired) for type_ in measures for operation in OUTCOMES for fired in (True, False)
    } <= seen


def _judged(vector: Vector) -> Iterator[tuple[Node, bool]]:
    """The actions of a vector and the conditions that alone are their causes, with what is expected of them."""
    by_id = {node["id"]: node for node in vector.nodes}
    for verdict in vector.expected["actions"]:
        action = by_id[verdict["id"]]
        yield action, verdict["fired"]
        cause = by_id.get(action.get("when", ""))
        if cause is not None and cause["kind"] == "condition":
            yield cause, verdict["fired"]
