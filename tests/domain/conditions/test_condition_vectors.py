"""The Python evaluator, tested with the shared vectors of the conditions engine, which tests/storefront also uses to test the
JavaScript evaluator."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Node, Quantity
from tests.domain.builders import OUTCOMES
from tests.domain.condition_cases import Vector, comparable, evaluate, read_vectors

VECTORS = read_vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_evaluation_matches_the_vector(vector: Vector) -> None:
    assert evaluate(vector.nodes, vector.lines, vector.facts) == comparable(vector.expected)


def test_vector_names_are_unique() -> None:
    assert [name for name, count in Counter(vector.name for vector in VECTORS).items() if count > 1] == []


def test_vectors_cover_both_results_of_every_type() -> None:
    seen = {(node["type"], fired) for vector in VECTORS for node, fired in _judged(vector)}

    assert {(type_, fired) for type_ in (*CONDITION_TYPES, *ACTION_TYPES) for fired in (True, False)} <= seen


def test_vectors_cover_both_sides_of_every_operation() -> None:
    measures = {name for name, row in CONDITION_TYPES.items() if isinstance(row, Quantity)}
    seen = {(node["type"], node.get("operation"), fired) for vector in VECTORS for node, fired in _judged(vector)}

    assert {
        (type_, operation, fired) for type_ in measures for operation in OUTCOMES for fired in (True, False)
    } <= seen


def _judged(vector: Vector) -> Iterator[tuple[Node, bool]]:
    """Yield each action of a vector with its expected result. If the action depends on a single condition, also yield that
    condition, with the same result."""
    by_id = {node["id"]: node for node in vector.nodes}
    for verdict in vector.expected["actions"]:
        action = by_id[verdict["id"]]
        yield action, verdict["fired"]
        cause = by_id.get(action.get("when", ""))
        if cause is not None and cause["kind"] == "condition":
            yield cause, verdict["fired"]
