"""Every condition that measures a selection, with selections that measure less, the same and more."""

from typing import Any

from bundlesvc.domain.line import Line
from tests.domain.builders import line

MEASURES: dict[str, tuple[dict[str, Any], dict[str, list[Line]]]] = {
    "total-products": (
        {},
        {
            "below": [line(1), line(1, variant_id=21)],
            "at": [line(2), line(1, variant_id=21, section=2)],
            "above": [line(2), line(2, variant_id=21)],
        },
    ),
    "total-price": (
        {},
        {
            "below": [line(2, price="1.00"), line(price="0.99", variant_id=21)],
            "at": [line(2, price="1.00"), line(price="1.00", variant_id=21, section=2)],
            "above": [line(2, price="1.00"), line(price="1.01", variant_id=21)],
        },
    ),
    "product-quantity": (
        {"productId": "1"},
        {
            "below": [line(2, variant_id=11), line(9, variant_id=21)],
            "at": [line(2, variant_id=11), line(1, variant_id=12, section=2), line(9, variant_id=21)],
            "above": [line(4, variant_id=12)],
        },
    ),
    "variant-selected": (
        {"variantId": "11"},
        {
            "below": [line(2, variant_id=11), line(9, variant_id=12)],
            "at": [line(2, variant_id=11), line(1, variant_id=11, section=2), line(9, variant_id=12)],
            "above": [line(4, variant_id=11)],
        },
    ),
    "section-quantity": (
        {"sectionId": 2},
        {
            "below": [line(2, section=2), line(9, section=1)],
            "at": [line(2, section=2), line(1, variant_id=21, section=2), line(9, section=1)],
            "above": [line(4, section=2)],
        },
    ),
    "total-weight": (
        {},
        {
            "below": [line(2, grams=1000), line(grams=999, variant_id=21)],
            "at": [line(2, grams=1000), line(grams=1000, variant_id=21, section=2)],
            "above": [line(2, grams=1000), line(grams=1001, variant_id=21)],
        },
    ),
}
"""For each type: its fields, and selections that measure below, at and above 3 (weight in kg)."""
