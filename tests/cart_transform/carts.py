"""Carts, and the input that the platform passes to the function for each cart."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from graphql import GraphQLSchema, coerce_input_value, execute_sync, parse

from bundlesvc.domain.money import plain_text
from tests.cart_transform.module import DISCOUNT, FUNCTION, MERGE, run_module
from tests.platform_schema import CART_TRANSFORM, schema
from tests.platform_schema import DISCOUNT as DISCOUNTS

Json = dict[str, Any]

QUERIES = {MERGE: FUNCTION / "cart_transform.graphql", DISCOUNT: FUNCTION / "discount.graphql"}
SCHEMAS = {MERGE: CART_TRANSFORM, DISCOUNT: DISCOUNTS}
RESULTS = {MERGE: "CartTransformRunResult", DISCOUNT: "CartLinesDiscountsGenerateRunResult"}


@dataclass(frozen=True)
class Line:
    """A line of a cart. `unit_price` is in the cart's currency. A line without a `variant` contains a product created for this
    cart only."""

    id: str
    variant: int | None
    quantity: int = 1
    unit_price: str = "10.00"
    properties: Mapping[str, str] = field(default_factory=dict)
    selling_plan: bool = False


@dataclass(frozen=True)
class Cart:
    """A cart as the platform describes it to the function.

    `bundles` is the value of the cart attribute, `rate` the amount of the cart's currency per unit of the shop's currency,
    `config` the function's metafield or None, `date` today's date in the shop's time zone, and `country` the buyer's country."""

    lines: Sequence[Line]
    bundles: str | None
    config: Mapping[str, object] | None
    currency: str = "EUR"
    rate: str = "1.0"
    date: str = "2027-01-15"
    country: str = "DE"


def function_input(cart: Cart, export: str = MERGE) -> Json:
    """The input that the platform passes to an export."""
    metafield = None if cart.config is None else {"value": json.dumps(cart.config)}
    owner: Json = {"metafield": metafield}
    return {
        "cart": {"bundles": _value(cart.bundles), "lines": [_line(line, cart.currency) for line in cart.lines]},
        "localization": {"country": {"isoCode": cart.country}},
        "presentmentCurrencyRate": cart.rate,
        "shop": {"localTime": {"date": cart.date}},
        **({"cartTransform": owner} if export == MERGE else {"discount": {"discountClasses": ["PRODUCT"], **owner}}),
    }


def queried_input(cart: Cart, export: str = MERGE) -> Json:
    """The function's input, obtained by running its query against the platform's own schema."""
    given = function_input(cart, export)
    owner = given.get("cartTransform") or given["discount"]
    root = {
        **given,
        "cart": {
            "attribute": _attributes({} if cart.bundles is None else {"_bundles": cart.bundles}),
            "lines": [_platform_line(line, cart.currency) for line in cart.lines],
        },
        "cartTransform" if export == MERGE else "discount": {
            **owner,
            "metafield": lambda _, namespace, key: (
                owner["metafield"] if (namespace, key) == ("$app:bundles", "config") else None
            ),
        },
    }
    result = execute_sync(platform_schema(export), parse(QUERIES[export].read_text("utf-8")), root)
    assert result.errors is None
    assert result.data is not None
    return result.data


def encoded(input_: Json) -> bytes:
    """Encode JSON as the platform does."""
    return json.dumps(input_, ensure_ascii=False, separators=(",", ":")).encode()


def run_cart(cart: Cart, export: str = MERGE) -> list[Json]:
    """Run the function on a cart, and return its operations, checked against the platform's schema."""
    run = run_module(export, encoded(function_input(cart, export)))
    return list(checked_result(json.loads(run.output), export)["operations"])


def refusals(cart: Cart, export: str = MERGE) -> list[str]:
    """Run the function on a cart, and return the refusals in its log, as `<configured bundle> <code>`."""
    log = run_module(export, encoded(function_input(cart, export))).log.decode()
    return log.removeprefix("no discount: ").removesuffix("\n").split(", ") if log else []


def checked_result(result: Json, export: str = MERGE) -> Json:
    """Check a result of the function against the platform's schema, and return it."""
    kind = platform_schema(export).get_type(RESULTS[export])
    assert kind is not None
    coerce_input_value(result, kind)  # type: ignore[arg-type]
    return result


def platform_schema(export: str) -> GraphQLSchema:
    return schema(SCHEMAS[export])


def platform_amount(amount: str) -> str:
    """Format an amount as the platform does, with at least one decimal place but no other trailing zeros: "9.5", "10.0"."""
    text = plain_text(Decimal(amount))
    return text if "." in text else f"{text}.0"


def _line(line: Line, currency: str) -> Json:
    plan = {"sellingPlan": {"id": "gid://shopify/SellingPlan/1"}} if line.selling_plan else None
    return {
        "id": f"gid://shopify/CartLine/{line.id}",
        "quantity": line.quantity,
        "bundle": _value(line.properties.get("_bundle_data")),
        "fee": _value(line.properties.get("_bundle_fee")),
        "cost": {"amountPerQuantity": {"amount": platform_amount(line.unit_price), "currencyCode": currency}},
        "sellingPlanAllocation": plan,
        "merchandise": {} if line.variant is None else {"id": f"gid://shopify/ProductVariant/{line.variant}"},
    }


def _value(text: str | None) -> Json | None:
    return None if text is None else {"value": text}


def _platform_line(line: Line, currency: str) -> Json:
    kind = "CustomProduct" if line.variant is None else "ProductVariant"
    given = _line(line, currency)
    return {
        **given,
        "attribute": _attributes(line.properties),
        "merchandise": {"__typename": kind, **given["merchandise"]},
    }


def _attributes(values: Mapping[str, str]) -> Any:
    """A resolver for the `attribute(key:)` field."""
    return lambda _, key: {"key": key, "value": values[key]} if key in values else None
