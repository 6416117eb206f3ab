"""Answers the `productVariantsBulkCreate` mutation like the platform: creates variants of a product."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from tests.standin.data.shop import Product, Shop, Variant
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.product import product_node
from tests.standin.graph.variant import variant_node
from tests.standin.mutations.option_values import chosen_option, chosen_values, make_values
from tests.standin.mutations.subjects import product_of
from tests.standin.mutations.user_errors import product_missing, user_error
from tests.standin.mutations.variant_input import Input, apply_input, negative_price

DEFAULT, REMOVE = "DEFAULT", "REMOVE_STANDALONE_VARIANT"


def create_variants(shop: Shop, arguments: Arguments) -> Node:
    """Create all given variants or none. With the DEFAULT strategy, they replace a single "Default Title" variant."""
    product = product_of(shop, arguments["productId"])
    if product is None:
        return _payload(shop, None, None, [product_missing()])
    variants: Sequence[Input] = arguments["variants"]
    replaced = _replaced(product, arguments["strategy"])
    errors = list(_errors(shop, product, variants, replaced))
    if errors:
        return _payload(shop, product, None, errors)
    created = [_create(shop, product, given) for given in variants]
    for variant in replaced:
        product.variants.remove(variant)
    product.touch()
    return _payload(shop, product, created, [])


def _replaced(product: Product, strategy: str) -> list[Variant]:
    """List the variants that the strategy deletes: the product's only variant, or none."""
    alone = len(product.variants) == 1
    goes = (strategy == DEFAULT and product.has_only_default_variant) or (strategy == REMOVE and alone)
    return list(product.variants) if goes else []


def _errors(shop: Shop, product: Product, variants: Sequence[Input], replaced: Sequence[Variant]) -> Iterator[Node]:
    room = shop.max_variants - len(product.variants) + len(replaced)
    if len(variants) > room:
        message = f"The number of created variants would exceed the {shop.max_variants} variants per product limit"
        yield user_error(message, "variants")
    taken = {tuple(variant.option_values) for variant in product.variants if variant not in replaced}
    for index, given in enumerate(variants):
        own = list(_input_errors(product, index, given))
        yield from own
        values = tuple(_values(product, given))
        if not own and values in taken:
            name = " / ".join(values)
            message = f"The variant '{name}' already exists. Please change at least one option value."
            yield user_error(message, "variants", index, code="VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE")
        taken.add(values)


def _input_errors(product: Product, index: int, given: Input) -> Iterator[Node]:
    if given.get("id") is not None:
        yield user_error("Id is not allowed on create", "variants", index, "id", code="NO_KEY_ON_CREATE")
    if negative_price(given):
        message = "Price must be greater than or equal to 0"
        yield user_error(message, "variants", index, "price", code="GREATER_THAN_OR_EQUAL_TO")
    choices = given.get("optionValues") or []
    for number, choice in enumerate(choices):
        if chosen_option(product, choice) is None:
            path = ("variants", index, "optionValues", number)
            yield user_error("Option does not exist", *path, code="INVALID_INPUT")
    chosen = chosen_values(product, choices, [None] * len(product.options))
    for option, value in zip(product.options, chosen, strict=True):
        if value is None:
            message = f"You need to add option values for {option.name}"
            yield user_error(message, "variants", index, "optionValues", code="NEED_TO_ADD_OPTION_VALUES")


def _values(product: Product, given: Input) -> list[str]:
    chosen = chosen_values(product, given.get("optionValues") or [], [None] * len(product.options))
    return [value or "" for value in chosen]


def _create(shop: Shop, product: Product, given: Input) -> Variant:
    values = _values(product, given)
    make_values(shop, product, values)
    variant = Variant(shop.new_id(), values, Decimal(0), tracked=True)
    apply_input(variant, given)
    product.variants.append(variant)
    return variant


def _payload(shop: Shop, product: Product | None, created: list[Variant] | None, errors: list[Node]) -> Node:
    return {
        "product": product_node(shop, product) if product else None,
        "productVariants": [variant_node(shop, product, variant) for variant in created]
        if product and created
        else None,
        "userErrors": errors,
    }
