"""Ghost variants: made once for each option value, found again by it, taken off in batches (design 9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NoReturn

from bundlesvc.domain.errors import GhostVariantsFull, PlatformFailed
from bundlesvc.domain.money import amount_text
from bundlesvc.platforms.shopify.ghost_marks import ghost_sku
from bundlesvc.platforms.shopify.gids import PRODUCT, VARIANT, gid, number_of
from bundlesvc.platforms.shopify.inquiry import MAX_IDS, Inquiry
from bundlesvc.platforms.shopify.outcomes import InDoubt, NoMoreVariants, Refused
from bundlesvc.platforms.shopify.scalars import at, next_cursor

Node = Mapping[str, Any]

_THERE_ALREADY = frozenset({"VARIANT_ALREADY_EXISTS", "VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE"})
_FOREIGN = "AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT"
_FULL = "variants per product limit"
"""Words of the message; its code is a general one."""
_PRODUCT_GONE = "PRODUCT_DOES_NOT_EXIST"


async def create_ghost(inquiry: Inquiry, product_id: int, option_value: str, price: Decimal) -> int:
    """The id of the product's variant with this option value, made at this price (shop currency) when there is none.

    A shop that may make no more variants today is not asked for any for a while.
    """
    try:
        with inquiry.new_variants.attempt():
            return await _made_once(inquiry, product_id, option_value, price)
    except Refused as refusal:
        raise refusal.error from refusal


async def retire_ghosts(inquiry: Inquiry, product_id: int, variant_ids: Sequence[int]) -> None:
    """Take these variants off the product; those that are gone are no fault."""
    for start in range(0, len(variant_ids), MAX_IDS):
        await _delete(inquiry, product_id, variant_ids[start : start + MAX_IDS])


async def _made_once(inquiry: Inquiry, product_id: int, option_value: str, price: Decimal) -> int:
    """A change whose outcome is unknown is looked into before it is made again: one selection never has two ghosts."""
    try:
        return await _found_or_made(inquiry, product_id, option_value, price)
    except InDoubt:
        pass
    try:
        return await _found_or_made(inquiry, product_id, option_value, price)
    except InDoubt as doubt:
        raise doubt.error from doubt


async def _found_or_made(inquiry: Inquiry, product_id: int, option_value: str, price: Decimal) -> int:
    data = await inquiry.run("ghost_product", id=gid(PRODUCT, product_id))
    with inquiry.reading():
        product = data["product"]
        if product is None:
            inquiry.notices.once("a bundle's product is not there: %s", product_id)
            raise PlatformFailed
        taken = option_value in _values_in_use(product)
        variant = _new_variant(product, option_value, price)
    there = await _find(inquiry, product_id, option_value) if taken else None
    return there or await _make(inquiry, product_id, option_value, variant)


async def _make(inquiry: Inquiry, product_id: int, option_value: str, variant: Node) -> int:
    try:
        data = await inquiry.change("create_variants", productId=gid(PRODUCT, product_id), variants=[variant])
    except NoMoreVariants as limit:
        raise Refused(limit.error) from limit
    with inquiry.reading():
        result = data["productVariantsBulkCreate"]
        faults = _faults(result)
        if not faults:
            return number_of(result["productVariants"][0]["id"])
    made_meanwhile = await _find(inquiry, product_id, option_value) if faults.keys() & _THERE_ALREADY else None
    return made_meanwhile or _refuse(inquiry, faults)


async def _find(inquiry: Inquiry, product_id: int, option_value: str) -> int | None:
    """The id of the product's variant with this option value."""
    more, cursor = True, None
    while more:
        data = await inquiry.run("newest_variants", id=gid(PRODUCT, product_id), after=cursor)
        with inquiry.reading():
            variants = data["product"]["variants"]
            for variant in variants["nodes"]:
                if option_value in (option["value"] for option in variant["selectedOptions"]):
                    return number_of(variant["id"])
            cursor = next_cursor(variants)
            more = cursor is not None
    return None


def _values_in_use(product: Node) -> Iterator[str]:
    values = (value for option in product["options"] for value in option["optionValues"])
    return (value["name"] for value in values if value["hasVariants"])


def _new_variant(product: Node, option_value: str, price: Decimal) -> Node:
    """The first option takes the value that marks the ghost, the others any that they have: each must be given one. Never
    out of stock, as its items are counted; taxed and shipped as the product's own variant is."""
    first, *others = product["options"]
    values = [{"optionName": first["name"], "name": option_value}]
    values += [{"optionName": option["name"], "name": option["optionValues"][0]["name"]} for option in others]
    own = next(iter(product["variants"]["nodes"]), None)
    return {
        "price": amount_text(price),
        "optionValues": values,
        "inventoryPolicy": "CONTINUE",
        "taxable": at(own, "taxable") is not False,
        "inventoryItem": {
            "sku": ghost_sku(option_value),
            "tracked": False,
            "requiresShipping": at(own, "inventoryItem", "requiresShipping") is not False,
        },
    }


async def _delete(inquiry: Inquiry, product_id: int, variant_ids: Sequence[int]) -> None:
    faults = await _try_to_delete(inquiry, product_id, variant_ids)
    if _FOREIGN in faults:  # one id refuses the whole call
        there = await _still_there(inquiry, product_id, variant_ids)
        faults = await _try_to_delete(inquiry, product_id, there) if there else {}
    if faults and _PRODUCT_GONE not in faults:
        _refuse(inquiry, faults)


async def _try_to_delete(inquiry: Inquiry, product_id: int, variant_ids: Iterable[int]) -> Mapping[str, str]:
    """The faults. What is in doubt is tried once more, which does no harm: those that are gone already are told apart."""
    ids = [gid(VARIANT, variant_id) for variant_id in variant_ids]
    variables = {"productId": gid(PRODUCT, product_id), "ids": ids}
    try:
        data = await inquiry.change("delete_variants", **variables)
    except InDoubt:
        data = await inquiry.run("delete_variants", **variables)
    with inquiry.reading():
        return _faults(data["productVariantsBulkDelete"])


async def _still_there(inquiry: Inquiry, product_id: int, variant_ids: Iterable[int]) -> list[int]:
    data = await inquiry.run("variants_of_product", ids=[gid(VARIANT, variant_id) for variant_id in variant_ids])
    with inquiry.reading():
        nodes = [node for node in data["nodes"] if node and number_of(node["product"]["id"]) == product_id]
        return [number_of(node["id"]) for node in nodes]


def _faults(result: Node) -> Mapping[str, str]:
    """The messages of a change's errors by code; the code may be missing."""
    return {str(error["code"]): error["message"] for error in result["userErrors"]}


def _refuse(inquiry: Inquiry, faults: Mapping[str, str]) -> NoReturn:
    if any(_FULL in message for message in faults.values()):
        raise GhostVariantsFull
    inquiry.notices.once("ghost variants are refused: %s (%s)", ", ".join(faults), " ".join(faults.values()))
    raise PlatformFailed
