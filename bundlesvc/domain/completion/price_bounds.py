"""Bounds on the price of a selection whose amount before discounts is only partly known."""

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial

from bundlesvc.domain.bundle import FLAT, TIERED, Discount, Tier
from bundlesvc.domain.completion.free_units import FreeUnits
from bundlesvc.domain.completion.task import Task
from bundlesvc.domain.conditions.action_types import DISCOUNT
from bundlesvc.domain.conditions.graph import of_type
from bundlesvc.domain.measures import holds
from bundlesvc.domain.money import ZERO, from_minor_units, percentage_of
from bundlesvc.domain.pricing.selection_price import reduction_with_tiers

_UPPER = ("lt", "lte")


class PriceBounds:
    """Lower and upper bounds on a price, which never fall when the amount before discounts rises. `discounts` are the ids of the
    actions that may determine the price; the id None stands for the bundle's own discount."""

    def __init__(self, task: Task) -> None:
        given = {node["id"]: node["discount"] for node in of_type(task.graph.actions, DISCOUNT)}
        self._discounts: dict[str | None, Discount | None] = {
            id_: Discount(each["type"], Decimal(each["value"]), FLAT) for id_, each in given.items()
        }
        self._discounts[None] = task.bundle.discount
        self.all = tuple(self._discounts)
        self._currency, self._subscription = task.currency, task.subscription
        self._free = FreeUnits(task).sum(task.kinds, [kind.line.unit_price for kind in task.kinds])
        self._known: dict[tuple[Decimal, int, tuple[str | None, ...]], Decimal] = {}

    def least(self, amount: Decimal, count: int, discounts: Sequence[str | None]) -> Decimal:
        """Return a lower bound on the price of `count` units that cost at least `amount` before discounts."""
        key = amount, count, tuple(discounts)
        if key not in self._known:
            paid = max(amount - self._free, ZERO)
            fewest = 0 if self._free else count
            self._known[key] = min(self._least_with(self._discounts[each], paid, fewest, count) for each in discounts)
        return self._known[key]

    def most(self, amount: Decimal, discounts: Sequence[str | None]) -> Decimal:
        """Return an upper bound on the price of units that cost at most `amount` before discounts."""
        return max(self._most_with(self._discounts[each], amount) for each in discounts)

    def _most_with(self, discount: Discount | None, amount: Decimal) -> Decimal:
        if discount is None or discount.flat_or_tiered == TIERED or discount.minimum is not None:
            return self._renewed(amount)
        return self._renewed(amount - reduction_with_tiers(discount, amount, self._currency, lambda _: False).amount)

    def _least_with(self, discount: Discount | None, amount: Decimal, fewest: int, most: int) -> Decimal:
        """Return the lower bound on the price with the given discount. The price can drop only where the amount reaches a limit
        of the discount, so the price is computed at these limits too."""

        def may_hold(at: Decimal, tier: Tier) -> bool:
            if tier.type == "total_price":
                return holds(at, tier.operation, tier.threshold)
            if tier.operation == "eq":
                return tier.type == "bulk_buy" or fewest <= tier.threshold <= most
            least = 1 if tier.type == "bulk_buy" else fewest
            return holds(least if tier.operation in _UPPER else most, tier.operation, tier.threshold)

        left = []
        for at in (amount, *(each for each in self._steps(discount) if each > amount)):
            off = reduction_with_tiers(discount, at, self._currency, partial(may_hold, at)).amount
            left.append(self._renewed(at - off))
        return min(left)

    def _renewed(self, once: Decimal) -> Decimal:
        """Return the price after the subscription discount, where `once` is the price of a one-time purchase."""
        return once - percentage_of(once, self._subscription, self._currency) if self._subscription else once

    def _steps(self, discount: Discount | None) -> Iterator[Decimal]:
        """Yield two amounts for each limit of a discount: the lowest amount in the currency that is at or above the limit, and
        the lowest that is above it."""
        if discount is None:
            return
        limits = [tier.threshold for tier in discount.tiers if tier.type == "total_price"]
        step = from_minor_units(1, self._currency)
        for limit in (*limits, *([] if discount.minimum is None else [discount.minimum])):
            yield (limit / step).to_integral_value(ROUND_CEILING) * step
            yield ((limit / step).to_integral_value(ROUND_FLOOR) + 1) * step
