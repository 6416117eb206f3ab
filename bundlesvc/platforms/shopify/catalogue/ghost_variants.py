"""Creates ghost variants (docs/contract.md#ghost-variants), only one per option value, and tags them with a SKU and that value.
Also finds them by the value, sets their fixed prices in markets, and deletes them in batches."""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bundlesvc.batches import batches
from bundlesvc.domain.errors import GhostVariantsFull, PlatformFailed, Unavailable
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.platform_change import ProductUpdate
from bundlesvc.domain.money import amount_text
from bundlesvc.platforms.calls.call_errors import InDoubt, Refused
from bundlesvc.platforms.calls.times import whole_seconds
from bundlesvc.platforms.shopify.catalogue.ghost_batches import Outcome
from bundlesvc.platforms.shopify.client.admin_session import MAX_IDS, AdminSession
from bundlesvc.platforms.shopify.client.call_errors import NoMoreVariants
from bundlesvc.platforms.shopify.client.graphql import PRODUCT, VARIANT, at, gid, next_cursor, number_of

Node = Mapping[str, Any]
Outcomes = Mapping[str, Outcome]
"""The outcome for each new ghost variant, by option value."""

SKU_PREFIX = "bundlesvc:"

_IDENTITY = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)
_ALREADY_EXISTS = frozenset({"VARIANT_ALREADY_EXISTS", "VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE"})
_OTHER_PRODUCT = "AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT"
_FULL = "variants per product limit"
"""Words by which the error message for a full product is recognised, because the error code is too general."""
_PRODUCT_GONE = "PRODUCT_DOES_NOT_EXIST"


def is_ghost(variant: Node) -> bool:
    """Whether a variant is a ghost variant. It is recognised by its SKU or, if the SKU was changed, by an option value that is an
    identity (SHA-256 in hex)."""
    values = (option["value"] for option in variant["selectedOptions"])
    return (variant["sku"] or "").startswith(SKU_PREFIX) or any(_IDENTITY.match(value) for value in values)


async def create_ghosts(session: AdminSession, product_id: int, wanted: Mapping[str, Decimal]) -> Outcomes:
    """Create variants of the product with these option values and prices (shop currency) unless they exist. Returns the id of
    each variant, or the error if the platform refuses the variant.

    After a shop has reached its daily limit on new variants, this function creates no variants for a while.
    """
    try:
        with session.new_variants.attempt():
            return await _create_once(session, product_id, wanted)
    except Refused as refusal:
        raise refusal.error from refusal


async def retire_ghosts(session: AdminSession, product_id: int, variant_ids: Sequence[int]) -> None:
    """Delete these variants of the product. Variants that no longer exist are ignored."""
    for ids in batches(variant_ids, MAX_IDS):
        await _delete(session, product_id, ids)


async def set_fixed_price(session: AdminSession, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
    """Set a variant's price on the price list of `terms`. A call whose outcome is unknown is retried once, because setting the
    same price twice is harmless. Raises PlatformFailed when the platform refuses the price."""
    amount = {"amount": amount_text(price), "currencyCode": terms.currency}
    prices = [{"variantId": gid(VARIANT, variant_id), "price": amount}]
    data = await _change_twice(session, "set_fixed_prices", priceList=terms.price_list, prices=prices)
    with session.reading():
        faults = [f"{error['message']} ({error['code']})" for error in data["priceListFixedPricesAdd"]["userErrors"]]
    if faults:
        session.notices.once("the platform refuses a ghost variant's price in a market: %s", " ".join(faults))
        raise PlatformFailed


async def _create_once(session: AdminSession, product_id: int, wanted: Mapping[str, Decimal]) -> Outcomes:
    """Create each ghost variant only once. When the outcome of a change is unknown, existing variants are looked up before any
    are created again, so that no selection ever gets two ghost variants."""
    try:
        return await _find_or_create(session, product_id, wanted)
    except InDoubt:
        pass
    try:
        return await _find_or_create(session, product_id, wanted)
    except InDoubt as doubt:
        raise doubt.error from doubt


async def _find_or_create(session: AdminSession, product_id: int, wanted: Mapping[str, Decimal]) -> Outcomes:
    data = await session.run("ghost_product", id=gid(PRODUCT, product_id))
    with session.reading():
        product = data["product"]
        if product is None:
            session.notices.once("a bundle's product does not exist: %s", product_id)
            raise PlatformFailed
        taken = wanted.keys() & set(_values_in_use(product))
        variants = {value: _new_variant(product, value, price) for value, price in wanted.items()}
    existing = await _find(session, product_id, taken) if taken else {}
    missing = {value: variant for value, variant in variants.items() if value not in existing}
    return {**existing, **await _create(session, product_id, missing, product)} if missing else existing


async def _create(
    session: AdminSession, product_id: int, variants: Mapping[str, Node], before: Node
) -> dict[str, Outcome]:
    """Create variants and return their outcomes by option value. The platform creates either all variants of a call or none."""
    try:
        data = await session.change(
            "create_variants", productId=gid(PRODUCT, product_id), variants=[*variants.values()]
        )
    except NoMoreVariants as limit:
        raise Refused(limit.error) from limit
    with session.reading():
        result = data["productVariantsBulkCreate"]
        faults = _faults(result)
        ids = {} if faults else _by_option_value(result["productVariants"], variants.keys())
        created: dict[str, Outcome] = {} if faults else {value: ids[value] for value in variants}
        named = _named(result, list(variants))
    if not faults:
        await _record_update(session, product_id, before, result)
        return created
    if len(variants) == 1:
        value = next(iter(variants))
        created_meanwhile = await _find(session, product_id, {value}) if faults.keys() & _ALREADY_EXISTS else {}
        return {value: created_meanwhile.get(value) or _refusal(session, faults)}
    outcomes: dict[str, Outcome] = {}
    for part in _parts(list(variants), named):
        outcomes |= await _create(session, product_id, {value: variants[value] for value in part}, before)
    return outcomes


def _named(result: Node, values: Sequence[str]) -> set[str]:
    """Return the option values of the variants that errors refer to by paths such as `["variants", "3", …]`."""
    paths = (list(error.get("field") or []) for error in result["userErrors"])
    indexes = {int(path[1]) for path in paths if len(path) > 1 and str(path[1]).isdecimal()}
    return {values[index] for index in indexes if index < len(values)}


def _parts(values: Sequence[str], named: Collection[str]) -> list[Sequence[str]]:
    """Split a refused batch into the smaller batches to retry: one batch with all variants that have no error, and one batch for
    each variant with an error. When the errors name no variants, or all of them, the batch is split in half."""
    others = [value for value in values if value not in named]
    if named and others:
        return [others, *([value] for value in values if value in named)]
    return [values[: len(values) // 2], values[len(values) // 2 :]]


def _by_option_value(nodes: Iterable[Node], wanted: Container[str]) -> dict[str, int]:
    """Return the ids of those variants that have one of the wanted option values, by option value."""
    return {
        option["value"]: number_of(node["id"])
        for node in nodes
        for option in node["selectedOptions"]
        if option["value"] in wanted
    }


async def _find(session: AdminSession, product_id: int, wanted: Collection[str]) -> dict[str, Outcome]:
    """Find the product's variants with these option values, and return their ids by option value."""
    found: dict[str, Outcome] = {}
    more, cursor = True, None
    while more and len(found) < len(wanted):
        data = await session.run("newest_variants", id=gid(PRODUCT, product_id), after=cursor)
        with session.reading():
            variants = data["product"]["variants"]
            found |= _by_option_value(variants["nodes"], wanted)
            cursor = next_cursor(variants)
            more = cursor is not None
    return found


def _values_in_use(product: Node) -> Iterator[str]:
    values = (value for option in product["options"] for value in option["optionValues"])
    return (value["name"] for value in values if value["hasVariants"])


def _new_variant(product: Node, option_value: str, price: Decimal) -> Node:
    """Build the input for a new ghost variant. The first option gets `option_value`; every other option gets the first of its
    existing values, because each option needs a value. The ghost is never out of stock, because the stock of its items is checked
    instead. It is taxed and shipped like the product's own variant."""
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
            "sku": f"{SKU_PREFIX}{option_value}",
            "tracked": False,
            "requiresShipping": at(own, "inventoryItem", "requiresShipping") is not False,
        },
    }


async def _delete(session: AdminSession, product_id: int, variant_ids: Sequence[int]) -> None:
    faults = await _try_to_delete(session, product_id, variant_ids)
    if _OTHER_PRODUCT in faults:  # one id of another product makes the platform refuse the whole call
        existing = await _existing(session, product_id, variant_ids)
        faults = await _try_to_delete(session, product_id, existing) if existing else {}
    if faults and _PRODUCT_GONE not in faults:
        raise _refusal(session, faults)


async def _try_to_delete(session: AdminSession, product_id: int, variant_ids: Iterable[int]) -> Mapping[str, str]:
    """Try to delete variants, and return the errors. A call whose outcome is unknown is retried once, which is harmless because
    variants that are already gone are ignored."""
    ids = [gid(VARIANT, variant_id) for variant_id in variant_ids]
    before = await session.run("product_updated_at", id=gid(PRODUCT, product_id))
    data = await _change_twice(session, "delete_variants", productId=gid(PRODUCT, product_id), ids=ids)
    with session.reading():
        product, result = before["product"], data["productVariantsBulkDelete"]
        faults = _faults(result)
    if not faults:
        await _record_update(session, product_id, product, result)
    return faults


async def _record_update(session: AdminSession, product_id: int, before: Node | None, result: Node) -> None:
    """Record the time at which the service updated the product, so that the webhook caused by this update is recognised. `before`
    is the product as it was before this update. The time is recorded only if it is later than the time in `before`. Otherwise, a
    merchant may have changed the product in the same second, and the webhook for that change must not be mistaken for the
    service's own."""
    with session.reading():
        earlier, updated_at = (whole_seconds(at(product, "updatedAt")) for product in (before, result["product"]))
    if earlier is not None and updated_at is not None and earlier < updated_at:
        await session.record_update(ProductUpdate(product_id, updated_at))


async def _change_twice(session: AdminSession, name: str, **variables: Any) -> Mapping[str, Any]:
    """Send a change that can safely be applied twice. It is retried once when its outcome is unknown."""
    try:
        return await session.change(name, **variables)
    except InDoubt:
        return await session.run(name, **variables)


async def _existing(session: AdminSession, product_id: int, variant_ids: Iterable[int]) -> list[int]:
    data = await session.run("variants_of_product", ids=[gid(VARIANT, variant_id) for variant_id in variant_ids])
    with session.reading():
        nodes = [node for node in data["nodes"] if node and number_of(node["product"]["id"]) == product_id]
        return [number_of(node["id"]) for node in nodes]


def _faults(result: Node) -> Mapping[str, str]:
    """Return the error messages of a change, by code; a missing code becomes "None"."""
    return {str(error["code"]): error["message"] for error in result["userErrors"]}


def _refusal(session: AdminSession, faults: Mapping[str, str]) -> Unavailable:
    if any(_FULL in message for message in faults.values()):
        return GhostVariantsFull()
    session.notices.once("the platform refuses ghost variants: %s (%s)", ", ".join(faults), " ".join(faults.values()))
    return PlatformFailed()
