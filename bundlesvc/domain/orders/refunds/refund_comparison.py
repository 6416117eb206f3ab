"""The comparison of a refund quote with the platform's own refund for the same units (docs/orders.md#refunds)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_quote import PROPORTIONAL, QuotedLine

REASONS = {
    "same": "The platform suggests the same.",
    "rounding": "The platform rounds the price of each returned unit, so its parts may not add up to the charge.",
    "policy": "The platform refunds returned units at what they were charged, whatever the units that stay are worth.",
    "refunded_before": "Something was refunded before. The platform does not settle it with this return.",
    "unknown": "The platform knows another charge for these units. Send the newest version of the order, and ask again.",
}
"""The sentence that explains each result of comparing a quote with the platform's suggestion."""


@dataclass(frozen=True, slots=True)
class SuggestedLine:
    """The refund that the platform suggests for the returned part of a line; amounts are in minor units. The fields have the same
    meaning as in `QuotedLine`."""

    line_id: str
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The platform's suggestion compared with a quote. `difference` is the quote minus the suggestion; `reason` is one of
    `REASONS`."""

    suggested: Sequence[SuggestedLine]
    difference: int
    tax_difference: int
    reason: str


def compare_refunds(
    order: Order, policy: str, quoted: Sequence[QuotedLine], suggested: Sequence[SuggestedLine]
) -> Comparison:
    """Compare a quote under a policy with the platform's suggestion, and name the reason why they differ."""
    difference = sum(line.amount for line in quoted) - sum(line.amount for line in suggested)
    tax_difference = sum(line.tax for line in quoted) - sum(line.tax for line in suggested)
    largest = max(abs(difference), abs(tax_difference))
    reason = "same" if not largest else _reason(order, policy, largest, sum(line.quantity for line in quoted))
    return Comparison(suggested, difference, tax_difference, reason)


def _reason(order: Order, policy: str, difference: int, units: int) -> str:
    if difference <= units:
        return "rounding"
    if policy != PROPORTIONAL:
        return "policy"
    return "refunded_before" if order.refunds else "unknown"
