"""How many orders in a period were charged as promised, and what broke the promises of the others."""

from collections.abc import Mapping
from dataclasses import dataclass

HARMLESS = frozenset(("edited", "rounding", "subscription_rounding"))
"""Causes of a difference that break no promise: the order was changed on purpose, or the difference is within the bound that the
contract names."""

REMEDIES = {
    "function_inactive": "Activate the checkout function: at the checkout no discount is taken off.",
    "discount_refused": "Look up the reason in the orders. After a change of secret keys, the checkout needs the new ones.",
    "market_changed": "Configure the bundles of a cart again when the shopper's country changes.",
    "expired": "Configure old carts again, or raise the maximum age of discounts.",
    "attributes_lost": "Let the theme keep the cart attribute _bundles: several bundles share it.",
    "other_discount": "Decide which discounts combine with bundles.",
    "quantity_changed": "Tell shoppers in the cart that the discount needs all units of a bundle.",
    "price_changed": "Raise prices at a quiet hour: carts from before have the old promise.",
    "promise_unknown": "Store configured bundles for longer: BUNDLESVC_KEEP_CONFIGURED_BUNDLES_DAYS.",
    "unexplained": "Report it with an order: no cause explains its charge.",
}
"""The remedy for each cause that breaks a promise."""


@dataclass(frozen=True, slots=True)
class PromiseCounts:
    """The number of orders with a bundle in a period, and how many of them contain a bundle that was not charged as promised.
    `by_verdict` counts the orders that were not charged as promised, by the cause of the difference or, without a cause, by the
    outcome. An order with two causes is counted under both."""

    orders: int
    broken: int
    by_verdict: Mapping[str, int]

    @property
    def kept(self) -> int:
        return self.orders - self.broken

    @property
    def largest(self) -> str | None:
        """The verdict that accounts for the most broken promises; None when all were kept. `unexplained` takes precedence over
        all others."""
        if "unexplained" in self.by_verdict:
            return "unexplained"
        return max(sorted(self.by_verdict), key=self.by_verdict.__getitem__, default=None)
