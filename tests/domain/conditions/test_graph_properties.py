"""Properties of every graph and every selection."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Facts, Node
from bundlesvc.domain.conditions.graph import Graph, Outcome
from bundlesvc.domain.line import Line
from tests.domain.conditions.measures import MEASURES
from tests.domain.conditions.nodes import discount, group, run, units
from tests.domain.strategies import NUMBERS, OPERATIONS, PROPERTY, SECTION_IDS, VARIANT_IDS, selections

SECTIONS_OR_NONE = st.sampled_from([None, *SECTION_IDS])
VARIANT_TEXTS = st.sampled_from([str(variant_id) for variant_id in VARIANT_IDS])
PRODUCT_TEXTS = st.sampled_from(["1", "2", "3", "4", "99"])


def _nodes(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"kind": st.just(kind), **fields})


def _measuring(type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {"operation": st.none() | OPERATIONS, "value": st.none() | NUMBERS, "sectionId": SECTIONS_OR_NONE}
    return st.fixed_dictionaries(
        {"kind": st.just("condition"), "type": st.just(type_), **fields},
        optional={name: strategy for name, strategy in optional.items() if name not in fields},
    )


KEYS = {"productId": PRODUCT_TEXTS, "variantId": VARIANT_TEXTS, "sectionId": st.sampled_from(SECTION_IDS)}
FACTS_TESTED: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "country": {"operation": st.just("eq"), "value": st.sampled_from(["DE", "AT", "de", "US"])},
    "subscription-chosen": {},
}
CONDITIONS = st.one_of(
    *(_measuring(type_, **{key: KEYS[key] for key in fields}) for type_, (fields, _) in MEASURES.items()),
    *(_nodes("condition", type=st.just(type_), **fields) for type_, fields in FACTS_TESTED.items()),
)
EFFECTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "discount": {
        "discount": st.fixed_dictionaries({"type": st.sampled_from(["percentage", "fixed", "price"]), "value": NUMBERS})
    },
    "free-item": {"variantId": VARIANT_TEXTS, "quantity": st.integers(1, 5)},
    "message": {"text": st.just("Hello")},
    "hide-section": {"sectionId": st.sampled_from(SECTION_IDS)},
    "hide-product": {"productId": PRODUCT_TEXTS, "sectionId": SECTIONS_OR_NONE},
    "goto-section": {"sectionId": st.sampled_from(SECTION_IDS)},
    "block-cart": {"text": st.sampled_from(["No.", "Not so."])},
}
ACTIONS = st.one_of([_nodes("action", type=st.just(type_), **fields) for type_, fields in EFFECTS.items()])
UNKNOWN = st.sampled_from(
    [{"kind": "cascade-variant"}, {"kind": "future"}, {"kind": "condition", "type": "moon-phase", "value": "full"}]
)
FACTS_DRAWN = st.builds(
    Facts, st.sampled_from(["g", "kg", "oz", "lb"]), st.sampled_from([None, "DE", "AT"]), st.booleans()
)


@st.composite
def graphs(draw: st.DrawFn, *, with_unknown: bool = False) -> list[Node]:
    """A strategy for condition graphs without cycles, with the nodes in any order."""
    leaves = draw(st.lists(CONDITIONS | UNKNOWN if with_unknown else CONDITIONS, min_size=1, max_size=5))
    nodes = [{"id": f"c{index}", **leaf} for index, leaf in enumerate(leaves)]
    for index in range(draw(st.integers(0, 4))):
        known = [node["id"] for node in nodes]
        children = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
        nodes.append(dict(group(f"g{index}", draw(st.sampled_from(["all", "any", "none"])), *children)))
    causes = st.sampled_from([None, *(node["id"] for node in nodes)])
    for index, effect in enumerate(draw(st.lists(ACTIONS, max_size=5))):
        nodes.append({"id": f"a{index}", **effect, "when": draw(causes)})
    return draw(st.permutations(nodes))


def _in_any_order(outcome: Outcome) -> tuple[object, ...]:
    return (
        units(outcome.paid),
        units(outcome.granted),
        outcome.discount,
        outcome.hidden_sections,
        outcome.hidden_products,
        outcome.blocks,
        outcome.verdicts,
    )


def test_property_tests_cover_every_type() -> None:
    assert {*MEASURES, *FACTS_TESTED} == set(CONDITION_TYPES)
    assert set(EFFECTS) == set(ACTION_TYPES)


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_paid_and_granted_units_are_the_selection(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    """Paid and granted units together make up the selection: evaluation never raises, and neither loses nor adds a unit."""
    outcome = run(nodes, lines, facts)

    assert units([*outcome.paid, *outcome.granted]) == units(lines)
    assert all(one.count > 0 for one in [*outcome.paid, *outcome.granted])
    assert units(outcome.granted).keys() <= {
        (int(node["variantId"]), section)
        for node in nodes
        if node.get("type") == "free-item"
        for section in SECTION_IDS
    }


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN, order=st.randoms(use_true_random=False))
def test_order_of_items_does_not_change_the_outcome(
    nodes: list[Node], lines: list[Line], facts: Facts, order: Random
) -> None:
    shuffled = order.sample(lines, len(lines))

    assert _in_any_order(run(nodes, lines, facts)) == _in_any_order(run(nodes, shuffled, facts))


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_only_the_order_of_actions_matters(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    effects = [node for node in nodes if node["kind"] == "action"]
    causes = [node for node in nodes if node["kind"] != "action"]

    outcome = run(nodes, lines, facts)

    assert run([*effects, *reversed(causes)], lines, facts) == outcome
    assert run([*causes, *effects], lines, facts) == outcome


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_action_fires_when_its_cause_is_true(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    """An action fires exactly when its cause is true. The expected verdicts come from a recursive evaluation of the groups, based
    on the verdicts on the conditions."""
    outcome = run(nodes, lines, facts)
    by_id = {node["id"]: node for node in nodes}
    held = _verdicts_of_conditions(nodes, lines, facts)

    def holds(id_: str | None) -> bool:
        if id_ is None:
            return True
        if id_ in held:
            return held[id_]
        children = [holds(child) for child in by_id[id_]["children"]]
        return {"all": all(children), "any": any(children), "none": not any(children)}[by_id[id_]["mode"]]

    assert outcome.verdicts is not None
    assert {id_: verdict.holds for id_, verdict in outcome.verdicts.items()} == {
        node["id"]: holds(node["when"]) for node in nodes if node["kind"] == "action"
    }


def _verdicts_of_conditions(nodes: Sequence[Node], lines: Sequence[Line], facts: Facts) -> dict[str, bool]:
    """Return the result of each condition, evaluated without the other conditions and groups. Free-item actions are kept, without
    their causes, because they set units aside."""
    free = [{**node, "when": None} for node in nodes if node.get("type") == "free-item"]
    conditions = [node for node in nodes if node["kind"] == "condition"]
    return {
        node["id"]: bool(run([node, *free, discount("probe", node["id"])], lines, facts).discount)
        for node in conditions
    }


@PROPERTY
@given(nodes=graphs(with_unknown=True), lines=selections(), facts=FACTS_DRAWN)
def test_stripped_graph_contains_every_node_with_known_dependencies(
    nodes: list[Node], lines: list[Line], facts: Facts
) -> None:
    graph = Graph.of(nodes)
    by_id = {node["id"]: node for node in nodes}

    def runs(id_: str) -> bool:
        node = by_id[id_]
        if node["kind"] not in ("condition", "group", "action") or node.get("type") == "moon-phase":
            return False
        causes = [*node.get("children", []), *([node["when"]] if node.get("when") else [])]
        return all(runs(cause) for cause in causes)

    assert [node["id"] for node in graph.nodes] == [node["id"] for node in nodes if runs(node["id"])]
    assert graph.partial is (len(graph.nodes) < len(nodes))
    assert graph.evaluate(lines, facts) == run(graph.nodes, lines, facts)
