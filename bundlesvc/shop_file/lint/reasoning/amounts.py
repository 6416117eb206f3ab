"""Bounds on the price and weight of a given number of units, and bounds on an amount after discounts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from itertools import accumulate, chain, repeat
from typing import Self

from bundlesvc.domain.bundle import CUMULATIVE, FIXED, PERCENTAGE, PRICE, TIERED, Bundle, Discount
from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.money import HUNDRED, ZERO
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.domain.shop import Shop
from bundlesvc.domain.subscription import offers_subscription
from bundlesvc.shop_file.lint.reasoning.numbers import Numbers, Units


@dataclass(frozen=True, slots=True)
class Stack:
    """Up to `count` units, each of which costs (or weighs) between `least` and `most`."""

    least: int
    most: int
    count: int


class Costs:
    """Bounds on the cost (or weight) of any number of units from `stacks`. Every selection includes all units of `forced`."""

    def __init__(self, stacks: Sequence[Stack], forced: Sequence[Stack] = ()) -> None:
        self._forced = sum(stack.count for stack in forced)
        self._forced_least = sum(stack.least * stack.count for stack in forced)
        self._forced_most = sum(stack.most * stack.count for stack in forced)
        self._least = _totals(sorted((stack.least, stack.count) for stack in stacks))
        self._most = _totals(sorted(((stack.most, stack.count) for stack in stacks), reverse=True))

    def span(self, count: int) -> Numbers:
        """Return a set that contains every possible cost of `count` units, and maybe others."""
        others = max(count - self._forced, 0)
        return Numbers.between(self.least(count), self._forced_most + self._most[min(others, len(self._most) - 1)])

    def least(self, count: int) -> int:
        """Return a lower bound on the cost of `count` or more units."""
        others = max(count - self._forced, 0)
        return self._forced_least + self._least[min(others, len(self._least) - 1)]

    def spans(self, counts: Iterable[int]) -> Numbers:
        return Numbers.of(chain.from_iterable(self.span(count).ranges for count in counts))


def _totals(units: Iterable[tuple[int, int]]) -> list[int]:
    """Return the cumulative cost of the first 0, 1, 2, … units."""
    totals = [0]
    for cost, count in units:
        room = MAX_ITEMS + 1 - len(totals)
        if room <= 0:
            break
        totals += list(accumulate(repeat(cost, min(count, room)), initial=totals[-1]))[1:]
    return totals


def merged(stacks: Iterable[Stack], count: int) -> Stack:
    """Merge one or more stacks into a stack of `count` units, each of which may come from any of the given stacks."""
    known = list(stacks)
    return Stack(min(stack.least for stack in known), max(stack.most for stack in known), count)


@dataclass(frozen=True, slots=True)
class Deduction:
    """The value of a discount: a percentage, or an amount in minor units, which is a fixed reduction or the bundle's price."""

    type: str
    value: Decimal

    @classmethod
    def of(cls, type_: str, value: Decimal, units: Units) -> Self:
        return cls(type_, min(value, HUNDRED) if type_ == PERCENTAGE else units.minor(value))

    def left_of(self, amount: int) -> int:
        """Return the amount that remains after the deduction, in minor units, with the same rounding as in the service. The
        result never decreases when `amount` increases."""
        if self.type == PERCENTAGE:
            return amount - _rounded(amount * self.value / HUNDRED)
        if self.type == FIXED:
            return amount - min(_rounded(self.value), amount)
        return min(amount, int(self.value.to_integral_value(ROUND_HALF_DOWN)))  # the deduction rounds half up


def _rounded(number: Decimal) -> int:
    return int(number.to_integral_value(ROUND_HALF_UP))


def _deductions(discount: Discount, units: Units) -> list[Deduction]:
    """Return the deductions that a discount may make. Cumulative tiers yield a single deduction, their sum."""
    if discount.flat_or_tiered != TIERED:
        values = [discount.value]
    elif discount.operator == CUMULATIVE and discount.type != PRICE:
        values = [sum((tier.discount for tier in discount.tiers), ZERO)]
    else:
        values = [tier.discount for tier in discount.tiers]
    return [Deduction.of(discount.type, value, units) for value in values]


@dataclass(frozen=True, slots=True)
class Effects:
    """Bounds on the amount after discounts.

    `certain` is a discount that every selection of at least `minimum` minor units gets, or None if there is none.
    """

    possible: tuple[Deduction, ...]
    subscription: Deduction
    certain: Deduction | None
    minimum: int

    @classmethod
    def of(cls, shop: Shop, bundle: Bundle, graph: Graph, units: Units) -> Self:
        discount = bundle.discount
        own = _deductions(discount, units) if discount else []
        actions = [node["discount"] for node in graph.actions if node["type"] == "discount"]
        flat = discount is not None and discount.flat_or_tiered != TIERED and not actions
        return cls(
            possible=(*own, *(Deduction.of(one["type"], Decimal(one["value"]), units) for one in actions)),
            subscription=Deduction(PERCENTAGE, _largest_percentage(shop, bundle)),
            certain=own[0] if flat else None,
            minimum=_rounded(units.minor(discount.minimum)) if discount and discount.minimum else 0,
        )

    def least_left(self, amount: int) -> int:
        """Return a lower bound on what remains of this amount, or of any larger one, after discounts."""
        left = min([amount, *(deduction.left_of(amount) for deduction in self.possible)])
        return self.subscription.left_of(left)

    def most_left(self, amount: int) -> int:
        """Return an upper bound on what remains of this amount, or of any smaller one, after discounts."""
        if self.certain is None:
            return amount
        return max(self.certain.left_of(amount), min(amount, self.minimum))


def _largest_percentage(shop: Shop, bundle: Bundle) -> Decimal:
    if not offers_subscription(shop, bundle):
        return ZERO
    discounts = (option.discount for group in bundle.subscription.groups for option in group.options)
    return max((discount for discount in discounts if discount is not None), default=ZERO)
