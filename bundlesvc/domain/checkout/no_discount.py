"""Reasons why the cart-transform step applies no discount to a bundle, each with a stable code and a message."""

from typing import Any

REASONS = {
    "line_unreadable": "The property _bundle_data does not have the form <configured bundle>#<parent variant>#<unique id>.",
    "selling_plan": "A line of the cart is bought with a selling plan, so the platform may merge no lines of this cart. The "
    "discount is taken off each line instead.",
    "attribute_missing": "The cart has no attribute _bundles. Set it when a bundle is added to the cart.",
    "attribute_unreadable": "The cart attribute _bundles is not a JSON object.",
    "entry_missing": "The cart attribute _bundles has no entry for this bundle. Merge entries into the attribute "
    "instead of overwriting it.",
    "entry_unreadable": "The entry in the cart attribute _bundles contains no discount string.",
    "discount_broken": "None of the shop's keys decrypts the discount string: it was changed, or its key was removed.",
    "discount_unreadable": "The discount string has a version that this step does not support.",
    "other_shop": "The discount belongs to another shop.",
    "other_configured_bundle": "The discount belongs to another configured bundle.",
    "other_bundle": "The discount belongs to bundle {promised}; the cart names bundle {found}.",
    "test_discount": "The discount was made with a test key, so it does not apply to real carts.",
    "discount_expired": "The discount is older than {maxAgeDays} days. Configure the bundle again.",
    "unique_mismatch": "The lines and the discount come from different configure requests: their unique ids differ.",
    "parents_differ": "The lines name different parent variants, so they cannot become one line.",
    "other_parent": "The lines name the parent variant {found}, which is not the one that was configured.",
    "lines_missing": "A unit that was configured is missing from the cart.",
    "lines_extra": "The cart contains units that were not configured.",
    "quantity_changed": "A quantity differs from the configured one.",
    "lines_changed": "The lines differ from the configured ones: one is missing, was added, or has another quantity.",
    "fee_missing": "A fee of this bundle is missing from the cart.",
    "market_changed": "The discount was made for {promised}, but the cart is in {found}. Configure the bundle again.",
    "prices_changed": "The lines cost {found} now, but the discount was made for {promised}. Configure the bundle again.",
    "parent_unknown": "The platform does not sell the variant that the lines would become.",
    "not_for_sale": "Variant {variantId} is not sold here, so the line is left out.",
}
"""The sentence for every code, in the order of the checks: the first reason found is reported. The last two are reasons of the
platform itself."""


class NoDiscount(Exception):
    """A reason why a discount does not apply. `details` fill the placeholders of the message and are part of the response."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(REASONS[code].format(**details))
        self.code = code
        self.details = details
