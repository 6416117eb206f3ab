"""Carts, and what the platform tells the step of them: its input query, run over the cart with the platform's own schema."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from graphql import DocumentNode, coerce_input_value, execute_sync, parse

from bundlesvc.domain.money import plain_text
from tests.cart_transform.sandbox import STEP
from tests.platform_schema import cart_transform_schema

Json = dict[str, Any]

QUERY: Path = STEP / "src" / "input.graphql"


@dataclass(frozen=True)
class Line:
    """A line of a cart; `unit_price` in the cart's currency. Without a `variant` it is a product made for this cart only."""

    id: str
    variant: int | None
    quantity: int = 1
    unit_price: str = "10.00"
    properties: Mapping[str, str] = field(default_factory=dict)
    selling_plan: bool = False


@dataclass(frozen=True)
class Cart:
    """A cart; `bundles` is the value of the cart attribute, `rate` its currency per shop currency, `config` the step's
    metafield, None when there is none; `date` is today's in the shop's time zone."""

    lines: Sequence[Line]
    bundles: str | None
    config: Mapping[str, object] | None
    currency: str = "EUR"
    rate: str = "1.0"
    date: str = "2027-01-15"


def step_input(cart: Cart) -> Json:
    """What the step is called with."""
    root = {
        "cart": {
            "attribute": _attributes({} if cart.bundles is None else {"_bundles": cart.bundles}),
            "lines": [_line(line, cart.currency) for line in cart.lines],
        },
        "presentmentCurrencyRate": cart.rate,
        "cartTransform": {"metafield": _metafield(cart.config)},
        "shop": {"localTime": {"date": cart.date}},
    }
    result = execute_sync(cart_transform_schema(), input_query(), root)
    assert result.errors is None
    assert result.data is not None
    return result.data


def input_query() -> DocumentNode:
    return parse(QUERY.read_text("utf-8"))


def checked_result(result: Json) -> Json:
    """The result of the step, which must be one of the platform's schema."""
    kind = cart_transform_schema().get_type("CartTransformRunResult")
    assert kind is not None
    coerced: Json = coerce_input_value(result, kind)  # type: ignore[arg-type]
    return coerced


def _line(line: Line, currency: str) -> Json:
    return {
        "id": f"gid://shopify/CartLine/{line.id}",
        "quantity": line.quantity,
        "attribute": _attributes(line.properties),
        "cost": {"amountPerQuantity": {"amount": platform_amount(line.unit_price), "currencyCode": currency}},
        "sellingPlanAllocation": {"sellingPlan": {"id": "gid://shopify/SellingPlan/1"}} if line.selling_plan else None,
        "merchandise": _merchandise(line.variant),
    }


def _merchandise(variant: int | None) -> Json:
    if variant is None:
        return {"__typename": "CustomProduct"}
    return {"__typename": "ProductVariant", "id": f"gid://shopify/ProductVariant/{variant}"}


def _attributes(values: Mapping[str, str]) -> Any:
    """The field `attribute(key:)`."""
    return lambda _, key: {"key": key, "value": values[key]} if key in values else None


def _metafield(config: Mapping[str, object] | None) -> Any:
    value = None if config is None else {"value": json.dumps(config)}
    return lambda _, namespace, key: value if (namespace, key) == ("$app:bundles", "config") else None


def platform_amount(amount: str) -> str:
    """An amount as the platform writes it, without trailing zeros: "9.5", "10.0"."""
    text = plain_text(Decimal(amount))
    return text if "." in text else f"{text}.0"
