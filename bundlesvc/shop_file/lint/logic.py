"""Reasoning about a graph of conditions: which nodes can never hold, which always do, which follow from others.

A state is a number for every measure that conditions read. A box holds all states in which a node holds, and maybe more: a
set of numbers for some of the measures. So where a box is empty, the node certainly never holds.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import reduce
from graphlib import TopologicalSorter

from bundlesvc.domain.conditions import CONDITION, GROUP, Graph, Node
from bundlesvc.shop_file.lint.ranges import Numbers, satisfying
from bundlesvc.shop_file.lint.units import Units

Measure = tuple[str, int | None, int | None]
"""What a condition measures: kind of measure, product or variant, section."""

Box = Mapping[Measure, Numbers]
Universe = Callable[[Measure], Numbers]
"""All numbers that a measure can have."""

COUNT, AMOUNT, WEIGHT, PRODUCT, VARIANT = "count", "amount", "weight", "product", "variant"
COUNTRY, SUBSCRIBED = "country", "subscribed"
YES = Numbers.between(1, 1)

_SIMPLE_MEASURES = {
    "total-products": COUNT,
    "section-quantity": COUNT,
    "total-price": AMOUNT,
    "total-weight": WEIGHT,
}


def measure_of(node: Node) -> Measure:
    match node["type"]:
        case "country":
            return COUNTRY, None, None
        case "subscription-chosen":
            return SUBSCRIBED, None, None
        case "product-quantity":
            return PRODUCT, int(node["productId"]), node.get("sectionId")
        case "variant-selected":
            return VARIANT, int(node["variantId"]), node.get("sectionId")
    return _SIMPLE_MEASURES[node["type"]], None, node.get("sectionId")


def numbers_of(node: Node, units: Units) -> Numbers:
    """The numbers of its measure for which a condition holds."""
    match node["type"]:
        case "country":
            return Numbers.between(country_number(node["value"]), country_number(node["value"]))
        case "subscription-chosen":
            return YES
    limit = Decimal(node.get("value") or "1")
    if node["type"] == "total-price":
        limit = units.minor(limit)
    elif node["type"] == "total-weight":
        limit = units.grams(limit)
    return satisfying(node.get("operation") or "gte", limit)


def country_number(code: str) -> int:
    """A number for a country code; 0 stands for no country."""
    return int.from_bytes(code.upper().encode())


class Logic:
    """What follows from the graph when every measure has one of the numbers that the universe gives it."""

    def __init__(self, graph: Graph, universe: Universe, units: Units) -> None:
        self._universe = universe
        self._units = units
        self._boxes: dict[tuple[str, bool], Box | None] = {}
        for node in _bottom_up(graph):
            for wanted in (True, False):
                self._boxes[node["id"], wanted] = self._box(node, holds=wanted)

    def never(self, node_id: str | None) -> bool:
        """Whether it certainly never holds; None stands for what always does."""
        return self._box_of(node_id, holds=True) is None

    def always(self, node_id: str | None) -> bool:
        return self._box_of(node_id, holds=False) is None

    def implies(self, node_id: str | None, other_id: str | None) -> bool:
        """Whether the other one certainly holds wherever this one does."""
        return _all([self._box_of(node_id, holds=True), self._box_of(other_id, holds=False)]) is None

    def always_in(self, country: str, node_id: str | None) -> bool:
        """Whether it certainly holds for whoever buys from this country."""
        number = country_number(country)
        here: Box = {(COUNTRY, None, None): Numbers.between(number, number)}
        return _all([here, self._box_of(node_id, holds=False)]) is None

    def _box_of(self, node_id: str | None, *, holds: bool) -> Box | None:
        if node_id is None:
            return {} if holds else None
        return self._boxes[node_id, holds]

    def _box(self, node: Node, *, holds: bool) -> Box | None:
        if node["kind"] == CONDITION:
            return self._condition_box(node, holds=holds)
        mode = node["mode"]
        boxes = [self._boxes[child, holds if mode != "none" else not holds] for child in node["children"]]
        return _all(boxes) if holds is (mode != "any") else _any(boxes)

    def _condition_box(self, node: Node, *, holds: bool) -> Box | None:
        measure = measure_of(node)
        numbers, possible = numbers_of(node, self._units), self._universe(measure)
        numbers = possible & numbers if holds else possible - numbers
        return {measure: numbers} if numbers else None


def _all(boxes: Iterable[Box | None]) -> Box | None:
    """The states that are in all boxes."""
    together: dict[Measure, Numbers] = {}
    for box in boxes:
        if box is None:
            return None
        for measure, numbers in box.items():
            together[measure] = together[measure] & numbers if measure in together else numbers
            if not together[measure]:
                return None
    return together


def _any(boxes: Iterable[Box | None]) -> Box | None:
    """A box around the states that are in any of the boxes."""
    possible = [box for box in boxes if box is not None]
    if not possible:
        return None
    shared = reduce(lambda measures, box: measures & box.keys(), possible, set(possible[0]))
    return {measure: reduce(Numbers.__or__, (box[measure] for box in possible)) for measure in shared}


def _bottom_up(graph: Graph) -> list[Node]:
    """Conditions and groups, each after all that it holds."""
    by_id = {node["id"]: node for node in graph.nodes if node["kind"] in (CONDITION, GROUP)}
    order = TopologicalSorter({id_: node.get("children", ()) for id_, node in by_id.items()})
    return [by_id[id_] for id_ in order.static_order()]
