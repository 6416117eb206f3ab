"""Builds the nodes of a conditions graph, and evaluates them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bundlesvc.domain.conditions.condition_types import Facts, Node
from bundlesvc.domain.conditions.graph import Graph, Outcome
from bundlesvc.domain.line import Line

FACTS = Facts("kg")


def condition(id_: str, type_: str, **fields: Any) -> Node:
    return {"id": id_, "kind": "condition", "type": type_, **fields}


def items(id_: str, least: int) -> Node:
    return condition(id_, "total-products", operation="gte", value=str(least))


def group(id_: str, mode: str, *children: str) -> Node:
    return {"id": id_, "kind": "group", "mode": mode, "children": list(children)}


def action(id_: str, type_: str, when: str | None = None, **fields: Any) -> Node:
    return {"id": id_, "kind": "action", "type": type_, **({"when": when} if when else {}), **fields}


def discount(id_: str, when: str | None = None, type_: str = "percentage", value: str = "15.00") -> Node:
    return action(id_, "discount", when, discount={"type": type_, "value": value})


def free_item(id_: str, when: str | None = None, variant_id: int = 21, quantity: int = 1) -> Node:
    return action(id_, "free-item", when, variantId=str(variant_id), quantity=quantity)


def message(id_: str, when: str | None = None) -> Node:
    return action(id_, "message", when, text="One more for a free mug")


def run(nodes: Sequence[Node], lines: Sequence[Line], facts: Facts = FACTS) -> Outcome:
    return Graph.of(nodes).evaluate(lines, facts)


def fires(node: Node, lines: Sequence[Line], facts: Facts = FACTS) -> bool:
    """Whether an action that depends only on this condition fires."""
    return bool(run([node, discount("a1", node["id"])], lines, facts).discount)


def units(lines: Iterable[Line]) -> dict[tuple[int, int], int]:
    """The number of units by variant and section."""
    counts: Counter[tuple[int, int]] = Counter()
    for one in lines:
        counts[one.variant.id, one.section_id] += one.count
    return dict(counts)
