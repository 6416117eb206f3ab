"""Nodes that the engine does not know are left out, with the nodes that depend on them."""

import pytest

from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.conditions.graph import Graph, Outcome
from tests.domain.builders import bundle, line
from tests.domain.conditions.nodes import action, condition, discount, free_item, group, items, message, run

CASCADE: Node = {"id": "x1", "kind": "cascade-variant", "anything": [1, {"deep": None}]}


@pytest.mark.parametrize(
    ("nodes", "remaining"),
    [
        pytest.param([items("c1", 1), discount("a1", "c1")], ["c1", "a1"], id="nothing to strip"),
        pytest.param([CASCADE], [], id="cascade-variant"),
        pytest.param([CASCADE, discount("a1", "x1"), discount("a2")], ["a2"], id="an action on it"),
        pytest.param(
            [items("c1", 1), CASCADE, group("g1", "any", "c1", "x1"), discount("a1", "g1"), discount("a2", "c1")],
            ["c1", "a2"],
            id="a group over it, and an action on the group",
        ),
        pytest.param(
            [
                discount("a1", "g3"),
                group("g3", "all", "g2"),
                group("g2", "all", "g1"),
                group("g1", "none", "x1"),
                CASCADE,
                group("g4", "all", "c1"),
                items("c1", 1),
            ],
            ["g4", "c1"],
            id="through any number of groups, in any order",
        ),
        pytest.param([{"id": "x1", "kind": "future"}, message("a1", "x1")], [], id="unknown kind"),
        pytest.param([condition("c1", "moon-phase", value="full"), message("a1", "c1")], [], id="unknown condition"),
        pytest.param(
            [items("c1", 1), action("a1", "fireworks", "c1"), message("a2")], ["c1", "a2"], id="unknown action"
        ),
        pytest.param([], [], id="no nodes"),
    ],
)
def test_unknown_nodes_are_stripped_with_their_dependents(nodes: list[Node], remaining: list[str]) -> None:
    graph = Graph.of(nodes)

    assert [node["id"] for node in graph.nodes] == remaining
    assert graph.partial is (len(remaining) < len(nodes))
    assert all(node in nodes for node in graph.nodes)


def test_graph_of_a_bundle_is_stripped() -> None:
    graph = bundle(conditions=(CASCADE, discount("a1", "x1"), discount("a2"))).graph

    assert ([node["id"] for node in graph.nodes], graph.partial) == (["a2"], True)


def test_stripped_nodes_have_no_effect() -> None:
    nodes = [CASCADE, free_item("a1", "x1"), items("c1", 2), discount("a2", "c1")]
    outcome = run(nodes, [line(1), line(1, variant_id=21)])

    assert outcome.discount is not None
    assert outcome.granted == ()


def test_empty_graph_changes_nothing() -> None:
    lines = (line(2), line(1, variant_id=21))

    assert run([], lines) == Outcome(lines, verdicts={})
