"""Why the cart-transform step takes nothing off a bundle, in stable codes and plain sentences."""

from typing import Any

REASONS = {
    "line_unreadable": "The property _bundle_data is not <configured bundle>#<parent variant>#<unique id>.",
    "attribute_missing": "The cart has no attribute _bundles: it was lost on the way.",
    "attribute_unreadable": "The cart attribute _bundles is not a JSON object.",
    "entry_missing": "The cart attribute _bundles has no entry for this bundle: it was overwritten where it should have "
    "been merged.",
    "entry_unreadable": "The entry in the cart attribute _bundles holds no discount.",
    "discount_broken": "None of the shop's keys opens the discount: it was changed, or the key that made it is gone.",
    "discount_unreadable": "What the discount holds is of a kind that this step does not know.",
    "other_shop": "The discount belongs to another shop.",
    "other_configured_bundle": "The discount belongs to another configured bundle.",
    "other_bundle": "The discount belongs to bundle {promised}; the cart says that this is bundle {found}.",
    "test_discount": "The discount was made with a test key: it takes nothing off a real cart.",
    "discount_expired": "The discount is older than {maxAgeDays} days: configure the bundle again.",
    "unique_mismatch": "The lines and the discount come from different calls: their unique ids differ.",
    "parents_differ": "The lines name different parent variants, so they cannot become one line.",
    "lines_missing": "What was configured is not all in the cart any more.",
    "lines_extra": "The cart holds more than what was configured.",
    "quantity_changed": "A quantity is not the one that was configured.",
    "lines_changed": "The lines are not those that were configured: one is missing, added, or has another quantity.",
    "fee_missing": "A fee of this bundle is missing from the cart.",
    "prices_changed": "The lines come to {found} now, and the discount was made for {promised}: the country or the prices "
    "have changed.",
    "parent_unknown": "The platform does not sell the variant that the lines would become.",
    "not_for_sale": "Variant {variantId} is not sold here: the line is left out.",
}
"""Every code with its sentence, in the order in which the reasons are looked for: of several the first is told. The last two
are the platform's own."""


class NoDiscount(Exception):
    """A reason why a discount does not apply; `details` fill its sentence and go out with it."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(REASONS[code].format(**details))
        self.code = code
        self.details = details
