"""The price of a selection (docs/contract.md#prices): one discount, then a subscription's percentage, each rounded once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from bundlesvc.domain.bundle import CUMULATIVE, FIXED, PERCENTAGE, PRICE, TIERED, Bundle, Discount, Tier
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.line import Line, total_amount, total_count, without_answers
from bundlesvc.domain.measures import holds
from bundlesvc.domain.money import (
    HUNDRED,
    ZERO,
    allocate,
    amount_text,
    from_minor_units,
    minor_units,
    percentage_of,
    round_amount,
)
from bundlesvc.immutable import immutable

NO_DISCOUNT = "none"


@immutable
class Reduction:
    """An applied discount: its `type` and `value`, and the `amount` that it takes off. For a percentage, `nominal` is the value
    that would apply if the units cost so much that rounding made no difference."""

    type: str
    value: Decimal
    amount: Decimal
    nominal: Decimal


NOTHING_OFF = Reduction(NO_DISCOUNT, ZERO, ZERO, ZERO)


class PricingTexts(NamedTuple):
    """The numbers of a `Pricing` as the API writes them, with two decimal places."""

    original: str
    discounted: str
    discount_value: str


@dataclass(unsafe_hash=True)  # like `immutable`, but without slots, so that the texts can be cached
class Pricing:
    """The prices that the API returns, in the shop's currency; `original` includes free units at full price. The fields must not
    be assigned to."""

    original: Decimal
    discounted: Decimal
    discount_type: str
    discount_value: Decimal
    currency: str

    @cached_property
    def texts(self) -> PricingTexts:
        return PricingTexts(amount_text(self.original), amount_text(self.discounted), amount_text(self.discount_value))


@immutable
class PricedSelection:
    """A selection with its prices. `paid` contains its lines without the free units, `amount` is their total before the discount,
    and `reduction` is the amount subtracted by the discount. `nominal` has the same meaning as in `Reduction`."""

    pricing: Pricing
    paid: tuple[Line, ...]
    amount: Decimal
    reduction: Decimal
    nominal: Decimal


def price_selection(
    bundle: Bundle, outcome: Outcome, currency: str, subscription_percentage: Decimal | None = None
) -> PricedSelection:
    """Price the `outcome` of the conditions: steps 2 to 6 of docs/contract.md#steps."""
    paid = without_answers(outcome.paid)
    amount = total_amount(paid)
    if outcome.discount:
        applied = _reduction(outcome.discount.type, outcome.discount.value, amount, currency)
    else:
        applied = own_reduction(bundle.discount, paid, amount, currency)
    left = amount - applied.amount
    if subscription_percentage:
        left -= percentage_of(left, subscription_percentage, currency)
    original = amount + total_amount(outcome.granted)
    pricing = Pricing(original, left, applied.type, applied.value, currency)
    return PricedSelection(pricing, paid, amount, amount - left, applied.nominal)


def adjusted(priced: PricedSelection, percentage: Decimal, currency: str) -> PricedSelection:
    """Return a priced selection at its price in a market that adds a percentage to every price."""
    if not percentage:
        return priced
    factor = 1 + percentage / HUNDRED
    pricing = replace(
        priced.pricing,
        original=round_amount(priced.pricing.original * factor, currency),
        discounted=round_amount(priced.pricing.discounted * factor, currency),
    )
    amount = round_amount(priced.amount * factor, currency)
    return replace(priced, pricing=pricing, amount=amount, reduction=amount - pricing.discounted)


def own_reduction(discount: Discount | None, lines: Sequence[Line], amount: Decimal, currency: str) -> Reduction:
    """Return the reduction that a bundle's own discount gives on these lines, which cost `amount` (docs/contract.md#steps)."""
    measured: dict[str, Decimal | int] = {}  # tiers are usually all of one type

    def tier_holds(tier: Tier) -> bool:
        if tier.type not in measured:
            measured[tier.type] = _measured(tier.type, lines, amount)
        return holds(measured[tier.type], tier.operation, tier.threshold)

    return reduction_with_tiers(discount, amount, currency, tier_holds)


def reduction_with_tiers(
    discount: Discount | None, amount: Decimal, currency: str, tier_holds: Callable[[Tier], bool]
) -> Reduction:
    """Return the reduction of an amount by a bundle's own discount. Only tiers for which `tier_holds` is true apply."""
    if discount is None or (discount.minimum is not None and amount < discount.minimum):
        return NOTHING_OFF
    if discount.flat_or_tiered != TIERED:
        return _reduction(discount.type, discount.value, amount, currency)
    values = [tier.discount for tier in discount.tiers if tier_holds(tier)]
    if discount.operator == CUMULATIVE and discount.type != PRICE and values:
        values = [sum(values, ZERO)]
    candidates = [_reduction(discount.type, value, amount, currency) for value in values]
    largest = max(candidates, key=lambda reduction: reduction.amount, default=NOTHING_OFF)
    nominal = max((candidate.nominal for candidate in candidates), default=ZERO)
    return Reduction(largest.type, largest.value, largest.amount, nominal)


def line_reductions(priced: PricedSelection) -> list[Decimal]:
    """Divide the reduction among the paid lines (docs/contract.md#allocation), and return the shares in the order of the
    lines. They add up to the reduction."""
    currency = priced.pricing.currency
    lines = priced.paid
    by_id = sorted(range(len(lines)), key=lambda index: (lines[index].variant.id, lines[index].section_id))
    weights = [minor_units(lines[index].amount, currency) for index in by_id]
    shares = dict(zip(by_id, allocate(minor_units(priced.reduction, currency), weights), strict=True))
    return [from_minor_units(shares[index], currency) for index in range(len(lines))]


def _reduction(type_: str, value: Decimal, amount: Decimal, currency: str) -> Reduction:
    """Apply one discount value. A discount that does not reduce the amount counts as not applied."""
    if type_ == PERCENTAGE:
        value = min(value, HUNDRED)
        off = percentage_of(amount, value, currency)
    elif type_ == FIXED:
        off = round_amount(min(value, amount), currency)
    else:
        off = round_amount(amount - min(value, amount), currency)
    return Reduction(type_, value, off, value) if off > 0 else Reduction(NO_DISCOUNT, ZERO, ZERO, value)


def _measured(tier_type: str, lines: Sequence[Line], amount: Decimal) -> Decimal | int:
    if tier_type == "total_products":
        return total_count(lines)
    return largest_product_count(lines) if tier_type == "bulk_buy" else amount


def largest_product_count(lines: Sequence[Line]) -> int:
    """Return the largest number of units of any one product, across all sections."""
    counts: dict[int, int] = {}
    for line in lines:
        counts[line.product.id] = counts.get(line.product.id, 0) + line.count
    return max(counts.values(), default=0)
