"""A cart in a country, and the data that the platform passes to a function, produced by an independent interpreter of the input
queries."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from graphql import FieldNode, InlineFragmentNode, OperationDefinitionNode, SelectionSetNode, StringValueNode, parse

from tests.cart_transform.module import DISCOUNT, FUNCTION, MERGE, run_module
from tests.promises.amounts import text
from tests.promises.markets import Json

QUERIES = {MERGE: "cart_transform.graphql", DISCOUNT: "discount.graphql"}
DATE = "2027-01-15"


@dataclass(frozen=True)
class Line:
    """A line of a cart. `unit_price` is in the cart's currency; with `plan`, the selling plan's reduction is already taken
    off."""

    id: str
    variant: int
    quantity: int
    unit_price: Fraction
    properties: Mapping[str, str]
    plan: bool = False

    @property
    def amount(self) -> Fraction:
        return self.unit_price * self.quantity

    @property
    def configured(self) -> str | None:
        """The id of the line's configured bundle. None for fees and for lines outside bundles, which are charged at full
        price."""
        data = self.properties.get("_bundle_data")
        return None if data is None or "_bundle_fee" in self.properties else data.split("#")[0]


@dataclass(frozen=True)
class Cart:
    """The cart of a buyer in `country`. `rate` is the number of units of the cart's currency per unit of the shop's currency, and
    `bundles` is the value of the cart attribute `_bundles`."""

    country: str
    currency: str
    rate: Fraction
    lines: Sequence[Line]
    bundles: str
    config: Json


def called_with(cart: Cart, lines: Sequence[Json], export: str) -> bytes:
    """Build the JSON input with which the platform calls an export of the function."""
    owner = {"metafield": {"value": json.dumps(cart.config)}, "discountClasses": ["PRODUCT"]}
    root = {
        "cart": {"attribute": {"_bundles": cart.bundles}, "lines": lines},
        "localization": {"country": {"isoCode": cart.country}},
        "presentmentCurrencyRate": f"{float(cart.rate):.12g}",
        "shop": {"localTime": {"date": DATE}},
        "cartTransform": owner,
        "discount": owner,
    }
    return json.dumps(_read(_query(export), root), separators=(",", ":")).encode()


def line_data(cart: Cart, line: Line) -> Json:
    """Return all data of a line that an input query may read."""
    return {
        "id": f"gid://shopify/CartLine/{line.id}",
        "quantity": line.quantity,
        "attribute": dict(line.properties),
        "cost": {"amountPerQuantity": {"amount": text(line.unit_price), "currencyCode": cart.currency}},
        "sellingPlanAllocation": {"sellingPlan": {"id": "gid://shopify/SellingPlan/1"}} if line.plan else None,
        "merchandise": {"id": f"gid://shopify/ProductVariant/{line.variant}"},
    }


def run(cart: Cart, lines: Sequence[Json], export: str) -> tuple[list[Json], list[str]]:
    """Run an export of the function. Returns its operations and, from its log, the reasons why bundles got no discount, each as
    `<configured bundle> <code>`."""
    ran = run_module(export, called_with(cart, lines, export))
    log = ran.log.decode().removeprefix("no discount: ").removesuffix("\n")
    return list(json.loads(ran.output)["operations"]), log.split(", ") if log else []


@cache
def _query(export: str) -> SelectionSetNode:
    definition = parse((FUNCTION / QUERIES[export]).read_text("utf-8")).definitions[0]
    assert isinstance(definition, OperationDefinitionNode)
    return definition.selection_set


def _read(fields: SelectionSetNode, data: Any) -> Any:
    """Read the selected fields of an object, or of each object in a list. `attribute(key:)` reads one of the object's
    attributes."""
    if data is None:
        return None
    if isinstance(data, list):
        return [_read(fields, each) for each in data]
    read: Json = {}
    for node in fields.selections:
        if isinstance(node, InlineFragmentNode):
            read |= _read(node.selection_set, data)
            continue
        assert isinstance(node, FieldNode)
        name = node.name.value
        value = _attribute(node, data["attribute"]) if name == "attribute" else data[name]
        read[node.alias.value if node.alias else name] = (
            _read(node.selection_set, value) if node.selection_set else value
        )
    return read


def _attribute(node: FieldNode, attributes: Mapping[str, str]) -> Json | None:
    key = node.arguments[0].value
    assert isinstance(key, StringValueNode)
    return {"value": attributes[key.value]} if key.value in attributes else None
