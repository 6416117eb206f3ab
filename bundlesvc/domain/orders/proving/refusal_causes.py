"""The cause that each refusal of the checkout function stands for."""

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
    """The cause for a reason of the function (docs/checkout.md#what-becomes-of-a-bundle). A reason without a cause of its own
    is a discount that the function refused."""
    return REFUSAL_CAUSES.get(reason, "discount_refused")
