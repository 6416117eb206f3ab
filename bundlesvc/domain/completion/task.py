"""A selection to complete: the units that it may contain, and how each candidate is checked against the rules of the configure
endpoint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import PricedSelection, price_selection
from bundlesvc.domain.product import MarketPrice
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from bundlesvc.domain.selection import MAX_ITEMS

NEAREST, CHEAPEST = "nearest", "cheapest"
AIMS = (NEAREST, CHEAPEST)

OVER_BUDGET = "over_budget"
"""The code of a selection that costs more than the budget."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The shopper's wishes for a completion: products to `prefer`, products to `avoid` (never added), and a `budget`, the highest
    price of the selection in the shop's currency."""

    aim: str = NEAREST
    prefer: frozenset[int] = frozenset()
    avoid: frozenset[int] = frozenset()
    budget: Decimal | None = None


class UnitKind(NamedTuple):
    """A kind of identical units that a selection may contain. `line` represents one of these units, and `chosen` is the number
    that the shopper has chosen. Units are added only to kinds that have `grows` set."""

    line: Line
    chosen: int
    grows: bool


class CheckedCandidate(NamedTuple):
    """A candidate with its price and the faults that prevent configuring it."""

    priced: PricedSelection
    faults: Sequence[Fault]


@dataclass(frozen=True)
class Task:
    """A selection to complete. `kinds` are in the order in which the bundle offers them; `subscription` is the discount
    percentage of the chosen subscription option."""

    bundle: Bundle
    graph: Graph
    kinds: tuple[UnitKind, ...]
    facts: Facts
    currency: str
    market_prices: Mapping[int, MarketPrice]
    wishes: Wishes = Wishes()
    subscription: Decimal | None = None

    @cached_property
    def chosen(self) -> tuple[int, ...]:
        """The number of units of each kind that the shopper has chosen."""
        return tuple(kind.chosen for kind in self.kinds)

    def requires(self, line: Line) -> bool:
        """Whether the bundle requires the line's variant."""
        required = self.bundle.required_products
        return any(each.accepts(line.product.id, line.variant.id) for each in required)

    def lines(self, counts: Sequence[int]) -> tuple[Line, ...]:
        """Return the lines of a candidate with these numbers of units per kind; each line starts where the previous one ends."""
        lines, first = [], 0
        for kind, count in zip(self.kinds, counts, strict=True):
            if count:
                lines.append(replace(kind.line, count=count, first=first))
                first += count
        return tuple(lines)

    def check(self, counts: Sequence[int]) -> CheckedCandidate:
        """Price a candidate, and check it against the budget and the rules of the configure endpoint."""
        lines = self.lines(counts)
        outcome = self.graph.evaluate(lines, self.facts)
        priced = price_selection(self.bundle, outcome, self.currency, self.subscription)
        scope = Scope(priced, self.facts.weight_unit)
        faults = check_rules(self.bundle, self.bundle.type, lines, outcome, scope, self.market_prices)
        faults.extend(self._other_faults(sum(counts), priced.pricing.discounted))
        return CheckedCandidate(priced, faults)

    def _other_faults(self, count: int, price: Decimal) -> list[Fault]:
        budget, faults = self.wishes.budget, []
        if not 1 <= count <= MAX_ITEMS:
            faults.append(Fault("products", "item_count", f"Choose at least 1 and at most {MAX_ITEMS} items."))
        if budget is not None and price > budget:
            message = f"The selection must cost at most {budget} {self.currency}; now it costs {price}."
            faults.append(Fault("budget", OVER_BUDGET, message))
        return faults
