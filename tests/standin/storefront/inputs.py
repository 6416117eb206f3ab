"""The input of a function: the result of executing the function's input query on the cart with the platform's schema."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from graphql import GraphQLResolveInfo, execute_sync, parse

from tests.platform_schema import CART_TRANSFORM, DISCOUNT, NEXT_CART_TRANSFORM, NEXT_DISCOUNT, schema
from tests.standin.data import functions
from tests.standin.data.amounts import decimal_text, money
from tests.standin.data.functions import Function, Metafields, Target, namespace_of
from tests.standin.data.gids import gid
from tests.standin.data.shop import Product, SellingPlan, Variant
from tests.standin.graph.functions import metafield_node
from tests.standin.graph.items import Arguments, Node

_SCHEMAS = {
    (functions.CART_TRANSFORM, "2026-07"): CART_TRANSFORM,
    (functions.CART_TRANSFORM, "2026-10"): NEXT_CART_TRANSFORM,
    (functions.DISCOUNT, "2026-07"): DISCOUNT,
    (functions.DISCOUNT, "2026-10"): NEXT_DISCOUNT,
}


@dataclass(frozen=True)
class InputLine:
    """A line of a cart, as functions see it."""

    id: str
    quantity: int
    attributes: Mapping[str, str]
    product: Product
    variant: Variant
    unit_price: Decimal
    compare_at: Decimal | None = None
    plan: SellingPlan | None = None

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.quantity


@dataclass(frozen=True)
class InputCart:
    """A cart with everything that a function can query. `rate` is the amount of the cart's currency per unit of the shop's
    currency."""

    lines: Sequence[InputLine]
    attributes: Mapping[str, str]
    currency: str
    rate: Decimal
    now: float
    country: str


def function_schema(function: Function) -> str:
    """Return the name of the schema for the API and version of a function."""
    return _SCHEMAS[function.api_type, function.api_version]


def input_of(function: Function, target: Target, cart: InputCart, metafields: Metafields) -> dict[str, Any]:
    """Execute the input query of a function. A query for a field that the stand-in does not support makes the test fail."""
    root = _root(cart, metafields)
    document = parse(target.input_query)
    result = execute_sync(
        schema(function_schema(function)), document, root, field_resolver=_resolve, type_resolver=_type_of
    )
    if result.errors:
        raise result.errors[0]
    assert result.data is not None
    return result.data


def _resolve(source: Node, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    value = source[info.field_name]
    return value(arguments) if callable(value) else value


def _type_of(value: Node, *_: object) -> str:
    return str(value["__typename"])


def _root(cart: InputCart, metafields: Metafields) -> Node:
    return {
        "cart": {
            "attribute": attribute_of(cart.attributes),
            "lines": [_line(line, cart.currency) for line in cart.lines],
            "cost": lambda _: _cost(cart),
            "buyerIdentity": None,
        },
        "cartTransform": {"metafield": _metafield(metafields)},
        "discount": {"metafield": _metafield(metafields), "discountClasses": ["PRODUCT"]},
        "enteredDiscountCodes": [],
        "triggeringDiscountCode": None,
        "presentmentCurrencyRate": decimal_text(cart.rate),
        "localization": {"country": {"isoCode": cart.country}, "language": {"isoCode": "EN"}},
        "shop": {
            "localTime": {"date": datetime.fromtimestamp(cart.now, UTC).date().isoformat()},
            "metafield": _nothing,
        },
    }


def _line(line: InputLine, currency: str) -> Node:
    compare_at = None if line.compare_at is None else money(line.compare_at, currency)
    return {
        "id": line.id,
        "quantity": line.quantity,
        "attribute": attribute_of(line.attributes),
        "cost": {
            "amountPerQuantity": money(line.unit_price, currency),
            "compareAtAmountPerQuantity": compare_at,
            "subtotalAmount": money(line.amount, currency),
            "totalAmount": money(line.amount, currency),
        },
        "merchandise": {
            "__typename": "ProductVariant",
            "id": gid("ProductVariant", line.variant.id),
            "title": line.variant.title,
            "sku": line.variant.sku,
            "metafield": _nothing,
            "product": {"id": gid("Product", line.product.id), "handle": line.product.handle},
        },
        "sellingPlanAllocation": None if line.plan is None else _allocation(line, line.plan, currency),
        "discountAllocations": [],
        "parentRelationship": None,
    }


def _allocation(line: InputLine, plan: SellingPlan, currency: str) -> Node:
    price = money(line.unit_price, currency)
    adjustment = {"price": price, "perDeliveryPrice": price, "compareAtPrice": None, "orderCount": None}
    return {
        "sellingPlan": {"id": gid("SellingPlan", plan.id), "name": plan.name, "recurringDeliveries": True},
        "priceAdjustments": [adjustment],
    }


def _cost(cart: InputCart) -> Node:
    total = money(sum((line.amount for line in cart.lines), Decimal(0)), cart.currency)
    return {"subtotalAmount": total, "totalAmount": total, "totalTaxAmount": None, "totalDutyAmount": None}


def attribute_of(attributes: Mapping[str, str]) -> Callable[[Arguments], Node | None]:
    def attribute(arguments: Arguments) -> Node | None:
        key = arguments["key"]
        return {"key": key, "value": attributes[key]} if key in attributes else None

    return attribute


def _metafield(metafields: Metafields) -> Callable[[Arguments], Node | None]:
    return lambda arguments: metafield_node(metafields, namespace_of(arguments.get("namespace")), arguments["key"])


def _nothing(_: Arguments) -> None:
    return None
