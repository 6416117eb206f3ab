"""Maps each reason why the checkout function refuses a discount to the cause of the resulting price difference."""

REFUSAL_CAUSES = {
    "attribute_missing": "attributes_lost",
    "attribute_unreadable": "attributes_lost",
    "entry_missing": "attributes_lost",
    "entry_unreadable": "attributes_lost",
    "discount_expired": "expired",
    "market_changed": "market_changed",
    "prices_changed": "price_changed",
    "lines_missing": "quantity_changed",
    "lines_extra": "quantity_changed",
    "quantity_changed": "quantity_changed",
    "lines_changed": "quantity_changed",
    "fee_missing": "quantity_changed",
}


def refusal_cause(reason: str) -> str:
    """Return the cause that corresponds to the checkout function's reason for a refusal
    (docs/checkout.md#what-becomes-of-a-bundle). A reason without a specific cause is reported as `discount_refused`."""
    return REFUSAL_CAUSES.get(reason, "discount_refused")
