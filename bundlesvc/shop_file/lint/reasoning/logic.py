"""Conclusions from a graph of conditions: nodes that never hold, that always hold, and that imply others.

A state assigns a number to every measure that conditions read. A box assigns a set of numbers to some of the measures; the box of
a node contains all states in which the node holds, and maybe more. A node whose box is empty therefore certainly never holds.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import reduce
from graphlib import TopologicalSorter
from typing import NamedTuple

from bundlesvc.domain import measures
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions.condition_types import (
    COUNTRY,
    PRODUCT_ID,
    SUBSCRIPTION_CHOSEN,
    VARIANT_ID,
    Fact,
    Node,
    operation,
    type_of,
    value,
)
from bundlesvc.domain.conditions.graph import CONDITION, GROUP, Graph
from bundlesvc.domain.line import Line
from bundlesvc.domain.shop import Shop
from bundlesvc.domain.subscription import offers_subscription, requires_subscription
from bundlesvc.domain.unit_bounds import ONE_EACH, UnitBounds
from bundlesvc.shop_file.lint.reasoning.numbers import ANY_NUMBER, ITEMS, ZERO_ONLY, Numbers, Units, satisfying
from bundlesvc.shop_file.lint.reasoning.offers import Choice, OfferedChoices
from bundlesvc.shop_file.lint.reasoning.reach import Reach


class _Quantity(NamedTuple):
    """A quantity that conditions measure, over all units or over the units of one product or variant (`of`). Equal instances
    measure the same quantity."""

    measure: Callable[[Iterable[Line]], Decimal | int]
    bounds: UnitBounds
    of: str | None


_Keys = tuple[tuple[str, str], ...]
_Measure = tuple[_Quantity | _Keys, int | None, int | None]
"""What a condition measures: a quantity, or the keys of a node that say which fact is tested; the product or variant; the
section."""

_Box = Mapping[_Measure, Numbers]
_Universe = Callable[[_Measure], Numbers]
"""A function that returns the possible values of a measure, as a set of numbers."""

_COUNTRIES = Numbers.between(0, 0xFFFF)
_COUNTRY: _Measure = ((("type", COUNTRY.name),), None, None)
_SUBSCRIBED: _Measure = ((("type", SUBSCRIPTION_CHOSEN.name),), None, None)
_YES, _YES_OR_NO = Numbers.between(1, 1), Numbers.between(0, 1)


class Logic:
    """Conclusions about a graph of conditions, given the values that each of its measures can have (`universe`)."""

    def __init__(self, graph: Graph, universe: _Universe, units: Units) -> None:
        self._universe = universe
        self._units = units
        self._boxes: dict[tuple[str, bool], _Box | None] = {}
        for node in _bottom_up(graph):
            for wanted in (True, False):
                self._boxes[node["id"], wanted] = self._box(node, holds=wanted)

    def never(self, node_id: str | None) -> bool:
        """Whether a node certainly never holds. None stands for no condition, which always holds."""
        return self._box_of(node_id, holds=True) is None

    def always(self, node_id: str | None) -> bool:
        return self._box_of(node_id, holds=False) is None

    def implies(self, node_id: str | None, other_id: str | None) -> bool:
        """Whether the other node is certainly true whenever the first one is true."""
        return _all([self._box_of(node_id, holds=True), self._box_of(other_id, holds=False)]) is None

    def always_in(self, country: str, node_id: str | None) -> bool:
        """Whether a node certainly holds for every selection that is bought in this country."""
        here: _Box = {_COUNTRY: _country_number(country)}
        return _all([here, self._box_of(node_id, holds=False)]) is None

    def _box_of(self, node_id: str | None, *, holds: bool) -> _Box | None:
        if node_id is None:
            return {} if holds else None
        return self._boxes[node_id, holds]

    def _box(self, node: Node, *, holds: bool) -> _Box | None:
        if node["kind"] == CONDITION:
            return self._condition_box(node, holds=holds)
        mode = node["mode"]
        boxes = [self._boxes[child, holds if mode != "none" else not holds] for child in node["children"]]
        return _all(boxes) if holds is (mode != "any") else _any(boxes)

    def _condition_box(self, node: Node, *, holds: bool) -> _Box | None:
        measure = _measure_of(node)
        numbers, possible = _numbers_of(node, self._units), self._universe(measure)
        numbers = possible & numbers if holds else possible - numbers
        return {measure: numbers} if numbers else None


def _all(boxes: Iterable[_Box | None]) -> _Box | None:
    """Return the intersection of the boxes; None if it contains no state."""
    together: dict[_Measure, Numbers] = {}
    for box in boxes:
        if box is None:
            return None
        for measure, numbers in box.items():
            together[measure] = together[measure] & numbers if measure in together else numbers
            if not together[measure]:
                return None
    return together


def _any(boxes: Iterable[_Box | None]) -> _Box | None:
    """Return a box that contains every state in any of the boxes; None if no box contains a state."""
    possible = [box for box in boxes if box is not None]
    if not possible:
        return None
    shared = reduce(lambda measures, box: measures & box.keys(), possible, set(possible[0]))
    return {measure: reduce(Numbers.__or__, (box[measure] for box in possible)) for measure in shared}


def _bottom_up(graph: Graph) -> list[Node]:
    """Sort conditions and groups so that each comes after everything it contains."""
    by_id = {node["id"]: node for node in graph.nodes if node["kind"] in (CONDITION, GROUP)}
    order = TopologicalSorter({id_: node.get("children", ()) for id_, node in by_id.items()})
    return [by_id[id_] for id_ in order.static_order()]


def _measure_of(node: Node) -> _Measure:
    row = type_of(node)
    if row is COUNTRY:
        return _COUNTRY  # all country conditions test the same value
    if isinstance(row, Fact):
        return tuple(sorted((key, str(node[key])) for key in node if key not in ("id", "kind"))), None, None
    return _Quantity(row.measure, row.bounds, row.of), int(node[row.of]) if row.of else None, node.get("sectionId")


def _numbers_of(node: Node, units: Units) -> Numbers:
    """Return the values of a condition's measure for which the condition holds."""
    row = type_of(node)
    if isinstance(row, Fact):
        return _country_number(node["value"]) if row is COUNTRY else _YES
    return satisfying(operation(node), units.steps(row.unit, value(node)))


def _country_number(code: str) -> Numbers:
    """Return the number that stands for a country code; 0 stands for no country."""
    number = int.from_bytes(code.upper().encode())
    return Numbers.between(number, number)


def anything(shop: Shop, bundle: Bundle, offers: OfferedChoices) -> _Universe:
    """Return a function that maps what a condition measures to the values possible while a shopper is choosing, when the rules
    need not be met yet."""

    def numbers(measure: _Measure) -> Numbers:
        quantity, subject, section_id = measure
        if measure == _COUNTRY:
            return _COUNTRIES
        if measure == _SUBSCRIBED and not offers_subscription(shop, bundle):
            return ZERO_ONLY
        if not isinstance(quantity, _Quantity):
            return _YES_OR_NO
        if not any(_may_count(quantity.of, subject, choice) for choice in offers.within(section_id)):
            return ZERO_ONLY
        return ITEMS if quantity.bounds.unit == measures.ITEMS else ANY_NUMBER

    return numbers


def _may_count(of: str | None, subject: int | None, choice: Choice) -> bool:
    """Whether a measure may count a unit of this choice. `of` says whether the measure counts only the product or only the
    variant with the id `subject`; with None, it counts all units."""
    if of == PRODUCT_ID:
        return choice.product_id == subject or choice.product_id < 0
    if of == VARIANT_ID:
        return choice.variant_id in (subject, None)
    return True


def purchases(shop: Shop, bundle: Bundle, offers: OfferedChoices, reach: Reach, *, all_seen: bool) -> _Universe:
    """Return a function that maps what a condition measures to the values possible in selections that can be bought.

    Unless `all_seen` is set, free items may be set aside before conditions are evaluated.
    """
    loose = anything(shop, bundle, offers)

    def numbers(measure: _Measure) -> Numbers:
        if measure == _SUBSCRIBED and requires_subscription(shop, bundle):
            return _YES
        possible = _possible(reach, measure)
        return loose(measure) & (possible if all_seen else Numbers.between(0, possible.most))

    return numbers


def _possible(reach: Reach, measure: _Measure) -> Numbers:
    """Return the values that the bundle's terms allow for a measure; any number for a measure without bounds."""
    quantity, subject, section_id = measure
    if not isinstance(quantity, _Quantity):
        return ANY_NUMBER
    if quantity.of is None:
        return reach.measured_in(quantity.bounds, section_id)
    if quantity.of == PRODUCT_ID and quantity.bounds is ONE_EACH and subject is not None:
        return _units_of(reach, subject, section_id)
    return ANY_NUMBER


def _units_of(reach: Reach, product_id: int, section_id: int | None) -> Numbers:
    """Return the possible numbers of units of a product; in a section, from 0 up to the largest number in the whole bundle."""
    if reach.has_unknown_products:
        return ANY_NUMBER
    counts = reach.products_with_required.get(product_id, ZERO_ONLY)
    return counts if section_id is None else Numbers.between(0, counts.most)
