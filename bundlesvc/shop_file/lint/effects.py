"""What discounts can leave of an amount: bounds over all that may apply (design 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from typing import Self

from bundlesvc.domain.bundle import CUMULATIVE, FIXED, PERCENTAGE, PRICE, TIERED, Bundle, Discount
from bundlesvc.domain.conditions import Graph
from bundlesvc.domain.money import HUNDRED, ZERO
from bundlesvc.domain.shop import Shop
from bundlesvc.domain.subscription import offers_subscription
from bundlesvc.shop_file.lint.units import Units


@dataclass(frozen=True, slots=True)
class Deduction:
    """One discount value: percent, or minor units of a fixed amount or of the price that the bundle comes to."""

    type: str
    value: Decimal

    @classmethod
    def of(cls, type_: str, value: Decimal, units: Units) -> Self:
        return cls(type_, min(value, HUNDRED) if type_ == PERCENTAGE else units.minor(value))

    def left_of(self, amount: int) -> int:
        """What it leaves of an amount in minor units, rounded as design 7.4: never less for a larger amount."""
        if self.type == PERCENTAGE:
            return amount - _rounded(amount * self.value / HUNDRED)
        if self.type == FIXED:
            return amount - min(_rounded(self.value), amount)
        return min(amount, int(self.value.to_integral_value(ROUND_HALF_DOWN)))  # what is taken off is rounded half up


def _rounded(number: Decimal) -> int:
    return int(number.to_integral_value(ROUND_HALF_UP))


def deductions(discount: Discount, units: Units) -> list[Deduction]:
    """The values that a discount may apply; of tiers that add up, all of them together."""
    if discount.flat_or_tiered != TIERED:
        values = [discount.value]
    elif discount.operator == CUMULATIVE and discount.type != PRICE:
        values = [sum((tier.discount for tier in discount.tiers), ZERO)]
    else:
        values = [tier.discount for tier in discount.tiers]
    return [Deduction.of(discount.type, value, units) for value in values]


@dataclass(frozen=True, slots=True)
class Effects:
    """Bounds of the discounted amount: `certain` is the one discount that every selection from `minimum` (minor units) gets."""

    possible: tuple[Deduction, ...]
    subscription: Deduction
    certain: Deduction | None
    minimum: int

    @classmethod
    def of(cls, shop: Shop, bundle: Bundle, graph: Graph, units: Units) -> Self:
        discount = bundle.discount
        own = deductions(discount, units) if discount else []
        graphs = [
            Deduction.of(node["discount"]["type"], Decimal(node["discount"]["value"]), units)
            for node in graph.actions
            if node["type"] == "discount"
        ]
        flat = discount is not None and discount.flat_or_tiered != TIERED and not graphs
        return cls(
            possible=(*own, *graphs),
            subscription=Deduction(PERCENTAGE, _largest_percentage(shop, bundle)),
            certain=own[0] if flat else None,
            minimum=_rounded(units.minor(discount.minimum)) if discount and discount.minimum else 0,
        )

    def least_left(self, amount: int) -> int:
        """No discount and no subscription leaves less of this amount, or of a larger one."""
        left = min([amount, *(deduction.left_of(amount) for deduction in self.possible)])
        return self.subscription.left_of(left)

    def most_left(self, amount: int) -> int:
        """No selection of this amount, or of a smaller one, is left with more."""
        if self.certain is None:
            return amount
        return max(self.certain.left_of(amount), min(amount, self.minimum))


def _largest_percentage(shop: Shop, bundle: Bundle) -> Decimal:
    if not offers_subscription(shop, bundle):
        return ZERO
    discounts: Sequence[Decimal | None] = [
        option.discount for group in bundle.subscription.groups for option in group.options
    ]
    return max((discount for discount in discounts if discount is not None), default=ZERO)
