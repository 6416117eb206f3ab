"""The body of a completion request."""

from decimal import Decimal
from typing import Any, NamedTuple

from marshmallow import fields, post_load, validate

from bundlesvc.api.requests.fields import (
    COUNTRY_SCHEMA,
    PRICE_PATTERN,
    Country,
    PlatformId,
    Price,
    RequestSchema,
    ShortList,
    Text,
)
from bundlesvc.api.requests.parsing import BodyOrError, load_body
from bundlesvc.api.requests.schemas import ITEM, SubscriptionPriceSchema
from bundlesvc.api.requests.selected_items import Items
from bundlesvc.domain.completion.task import AIMS, NEAREST, Wishes
from bundlesvc.domain.selection import MAX_ITEMS, SelectionRequest

MAX_PRODUCTS = 500
"""The maximum number of products in each of `prefer` and `avoid`."""


class CompleteRequest(NamedTuple):
    """A selection to complete, and the shopper's wishes."""

    selection: SelectionRequest
    wishes: Wishes


def _product_ids(description: str) -> ShortList:
    return ShortList(
        PlatformId("Product"),
        MAX_PRODUCTS,
        "products",
        allow_none=True,
        metadata={
            "description": f"{description} Numeric or global IDs; products that the bundle does not offer are ignored.",
            "example": ["1001"],
        },
    )


class CompleteRequestSchema(RequestSchema):
    """A selection to complete. It may be empty."""

    products = Items(
        required=True,
        metadata={
            "description": "The selection: up to 200 entries, one per unit.",
            "type": "array",
            "maxItems": MAX_ITEMS,
            "items": ITEM,
            "example": [{"variant": "10011", "product": "1001", "section": 1}],
        },
    )
    countryCode = Country(
        allow_none=True,
        metadata={
            "description": "The country whose market prices and availability apply: ISO 3166-1 alpha-2, in upper or lower case.",
            **COUNTRY_SCHEMA,
            "example": "US",
        },
    )
    subscription = fields.Nested(
        SubscriptionPriceSchema,
        allow_none=True,
        metadata={"description": "The option to subscribe to. Prices include its discount.", "example": None},
    )
    aim = Text(
        allow_none=True,
        validate=validate.OneOf(AIMS, error="Must be one of: {choices}."),
        metadata={
            "description": "`nearest`, the default: the fewest changes. `cheapest`: the lowest price.",
            "enum": list(AIMS),
            "example": NEAREST,
        },
    )
    prefer = _product_ids("Products to prefer when units are added.")
    avoid = _product_ids("Products that must not be added.")
    budget = Price(
        allow_none=True,
        metadata={
            "description": "The highest price of a solution, in the shop's currency.",
            "pattern": f"^{PRICE_PATTERN}$",
            "example": None,
        },
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> CompleteRequest:
        budget = data.get("budget")
        return CompleteRequest(
            SelectionRequest(data["products"], None, data.get("countryCode"), data.get("subscription")),
            Wishes(
                data.get("aim") or NEAREST,
                frozenset(data.get("prefer") or ()),
                frozenset(data.get("avoid") or ()),
                None if budget is None else Decimal(budget),
            ),
        )


_COMPLETE = CompleteRequestSchema()


def complete_request(body: BodyOrError) -> CompleteRequest:
    """Load the selection to complete, with the shopper's wishes. Raises the same errors as `load_body`."""
    request: CompleteRequest = load_body(body, _COMPLETE)
    return request
