"""Answers the `productVariantsBulkUpdate` mutation like the platform: changes variants of a product."""

from collections.abc import Iterator, Sequence

from tests.standin.data.shop import Product, Shop, Variant
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.product import product_node
from tests.standin.graph.variant import variant_node
from tests.standin.mutations.option_values import chosen_option, chosen_values, make_values
from tests.standin.mutations.subjects import product_of, variant_of
from tests.standin.mutations.user_errors import product_missing, user_error
from tests.standin.mutations.variant_input import Input, apply_input, negative_price


def update_variants(shop: Shop, arguments: Arguments) -> Node:
    """Update all given variants or none. With `allowPartialUpdates`, update the valid ones."""
    product = product_of(shop, arguments["productId"])
    if product is None:
        return _payload(shop, None, [], [product_missing()])
    inputs: Sequence[Input] = arguments["variants"]
    faults = [list(_errors(product, index, given)) for index, given in enumerate(inputs)]
    errors = [error for own in faults for error in own]
    if errors and not arguments["allowPartialUpdates"]:
        return _payload(shop, product, [], errors)
    right = [given for given, own in zip(inputs, faults, strict=True) if not own]
    return _payload(shop, product, [_update(shop, product, given) for given in right], errors)


def _errors(product: Product, index: int, given: Input) -> Iterator[Node]:
    if given.get("id") is None:
        message = "Product variant is missing ID attribute"
        yield user_error(message, "variants", index, "id", code="PRODUCT_VARIANT_ID_MISSING")
    elif variant_of(product, given["id"]) is None:
        message = "Product variant does not exist"
        yield user_error(message, "variants", index, "id", code="PRODUCT_VARIANT_DOES_NOT_EXIST")
    if given.get("inventoryQuantities"):
        message = "Inventory quantities can only be provided during create"
        code = "NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE"
        yield user_error(message, "variants", index, "inventoryQuantities", code=code)
    if negative_price(given):
        message = "Price must be greater than or equal to 0"
        yield user_error(message, "variants", index, "price", code="GREATER_THAN_OR_EQUAL_TO")
    for number, choice in enumerate(given.get("optionValues") or []):
        if chosen_option(product, choice) is None:
            path = ("variants", index, "optionValues", number)
            yield user_error("Option does not exist", *path, code="OPTION_DOES_NOT_EXIST")


def _update(shop: Shop, product: Product, given: Input) -> Variant:
    variant = variant_of(product, given["id"])
    assert variant is not None, "an input that names no variant was refused"
    apply_input(variant, given)
    choices = given.get("optionValues") or []
    values = [value or "" for value in chosen_values(product, choices, variant.option_values)]
    if values != variant.option_values:
        make_values(shop, product, values)
        variant.option_values, variant.title = values, " / ".join(values)
    return variant


def _payload(shop: Shop, product: Product | None, updated: Sequence[Variant], errors: list[Node]) -> Node:
    return {
        "product": product_node(shop, product) if product else None,
        "productVariants": [variant_node(shop, product, variant) for variant in updated]
        if product and updated
        else None,
        "userErrors": errors,
    }
