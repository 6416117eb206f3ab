"""Answers the `productOptionsCreate` mutation like the platform: adds options to a product."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product as combinations
from math import prod
from typing import Any

from tests.standin.data.shop import DEFAULT_OPTION, Option, OptionValue, Product, Shop, Variant
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.product import product_node
from tests.standin.mutations.subjects import product_of
from tests.standin.mutations.user_errors import product_missing, user_error

CREATE = "CREATE"
_SEPARATOR = " / "


def create_options(shop: Shop, arguments: Arguments) -> Node:
    """Create options. Existing variants get the first value of each new option; with CREATE, the other combinations are created
    as well. New options replace an existing "Title" option if it is the product's only option."""
    product = product_of(shop, arguments["productId"])
    if product is None:
        return {"product": None, "userErrors": [product_missing()]}
    options: Sequence[Mapping[str, Any]] = arguments["options"]
    creates = arguments["variantStrategy"] == CREATE
    errors = list(_errors(shop, product, options, creates=creates))
    if errors:
        return {"product": product_node(shop, product), "userErrors": errors}
    _add(shop, product, options)
    if creates:
        _fill(shop, product)
    return {"product": product_node(shop, product), "userErrors": []}


def _staying(product: Product) -> list[Option]:
    """Return the product's existing options that the new options do not replace."""
    only_title = product.has_only_default_variant and [option.name for option in product.options] == [DEFAULT_OPTION]
    return [] if only_title else product.options


def _errors(shop: Shop, product: Product, options: Sequence[Mapping[str, Any]], *, creates: bool) -> Iterator[Node]:
    names = [option.name for option in _staying(product)]
    for index, option in enumerate(options):
        yield from _option_errors(index, option, names)
        names.append(option.get("name") or "")
    if len(names) > shop.max_options:
        message = f"Can only specify a maximum of {shop.max_options} options"
        yield user_error(message, "options", code="OPTIONS_OVER_LIMIT")
    sizes = [len(option.values) for option in _staying(product)] + [
        len(option.get("values") or []) for option in options
    ]
    if creates and prod(sizes) > shop.max_variants:
        message = f"The number of created variants would exceed the {shop.max_variants} variants per product limit"
        yield user_error(message, "options", code="TOO_MANY_VARIANTS_CREATED")


def _option_errors(index: int, option: Mapping[str, Any], taken: Sequence[str]) -> Iterator[Node]:
    name, values = option.get("name") or "", [value["name"] for value in option.get("values") or []]
    if not name:
        yield user_error("Each option must have a name specified", "options", index, code="OPTION_NAME_MISSING")
    if _SEPARATOR in name:
        yield user_error(f"Option name cannot contain '{_SEPARATOR}'", "options", index, "name", code="INVALID_NAME")
    if name in taken:
        yield user_error(f"Option '{name}' already exists.", "options", index, code="OPTION_ALREADY_EXISTS")
    if not values:
        message = f"Option '{name}' must specify at least one option value."
        yield user_error(message, "options", index, "values", code="OPTION_VALUES_MISSING")
    if len(set(values)) < len(values):
        message = f"Option '{name}' has a value twice."
        yield user_error(message, "options", index, "values", code="DUPLICATED_OPTION_VALUE")


def _add(shop: Shop, product: Product, options: Sequence[Mapping[str, Any]]) -> None:
    new = [
        Option(shop.new_id(), given["name"], [OptionValue(shop.new_id(), value["name"]) for value in given["values"]])
        for given in options
    ]
    staying = _staying(product)
    for variant in product.variants:
        variant.option_values = [*variant.option_values[: len(staying)], *(option.values[0].name for option in new)]
        variant.title = _SEPARATOR.join(variant.option_values)
    product.options = [*staying, *new]


def _fill(shop: Shop, product: Product) -> None:
    """Add a variant for every combination of values that has none."""
    there = {tuple(variant.option_values) for variant in product.variants}
    price = product.variants[0].price if product.variants else Decimal(0)
    for values in combinations(*([value.name for value in option.values] for option in product.options)):
        if values not in there:
            product.variants.append(Variant(shop.new_id(), list(values), price))
