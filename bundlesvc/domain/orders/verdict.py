"""Verdicts on the bundles of an order: whether the charged amount equals the promised one and, if not, why (docs/orders.md)."""

from dataclasses import dataclass

EQUAL, DIFFERS, PROMISE_UNKNOWN, UNEXPLAINED = "equal", "differs", "promise_unknown", "unexplained"

OUTCOMES = (EQUAL, DIFFERS, PROMISE_UNKNOWN, UNEXPLAINED)

CAUSES = {
    "function_inactive": "The checkout took no discount off, although the bundle was as configured: no checkout function was "
    "active.",
    "discount_refused": "The checkout function refused the discount.",
    "market_changed": "The bundle was bought in another market than the one that it was configured for.",
    "expired": "The discount was too old.",
    "attributes_lost": "The cart lost the attributes of the bundle.",
    "other_discount": "Another discount was taken off as well, or in place of the bundle's.",
    "quantity_changed": "The units in the cart were not those that were configured.",
    "edited": "The order was edited after the purchase.",
    "price_changed": "A price changed between the promise and the purchase.",
    "rounding": "The difference is within the bound that the contract names for rounding.",
    "subscription_rounding": "The selling plan rounds the price of each unit.",
}
"""The sentence for every cause of a difference. A difference has exactly one cause."""


FIRST, RENEWAL = "first", "renewal"

DELIVERIES = (FIRST, RENEWAL)
"""The kinds of delivery of a subscription: the first, which is part of the purchase, and all later ones."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one configured bundle of an order. Amounts are in minor units of the order's currency. `charged`
    includes edits but not refunds. `promised` is None when the promise is unknown. `cause` is set when the outcome is
    `differs`; `reason` is the code with which the checkout function refused the discount
    (docs/checkout.md#what-becomes-of-a-bundle). `delivery` says whether the order is the first delivery of a subscription or
    a renewal; it is None for a one-time purchase."""

    configured_id: int
    bundle_id: int | None
    line_ids: tuple[str, ...]
    outcome: str
    charged: int
    promised: int | None = None
    cause: str | None = None
    reason: str | None = None
    delivery: str | None = None

    @property
    def difference(self) -> int | None:
        """The charged amount minus the promised amount; None when the promise is unknown."""
        return None if self.promised is None else self.charged - self.promised
