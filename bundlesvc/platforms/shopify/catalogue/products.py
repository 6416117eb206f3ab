"""Fetches products by id or handle, single variants, and the selling plans of products. Also converts Shopify's products and
variants to those of the domain."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bundlesvc.domain.product import ACTIVE, DEFAULT_TITLE, PRODUCT_STATUSES, Option, Product, Swatch, Variant
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.shopify.catalogue.ghost_variants import is_ghost
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import PRODUCT, VARIANT, amount, at, gid, grams, next_cursor, number_of

T = TypeVar("T")

Node = Mapping[str, Any]

Cadence = tuple[int, int, str]
"""A product id, a frequency and a unit, such as (111, 2, "week")."""

FIRST_VARIANTS = 100
"""The number of variants fetched with each product of a list. Most products have no more variants."""
VARIANTS_PAGE = 1024
"""The page size for further variants, of which a product has up to 2,048. A query for a single product may use pages of this
size."""

UNLISTED, HIDDEN = "UNLISTED", "DRAFT"
DEFAULT_OPTION = "Title"
"""The option of a product without options; its value is `DEFAULT_TITLE`."""


async def products_by_id(session: AdminSession, product_ids: Sequence[int]) -> Mapping[int, Product]:
    """Fetch the products that exist, by id. Takes one call per 250 products, and one or two more for each product with over 100
    variants."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch], "variantsFirst": FIRST_VARIANTS}

    batches = await session.in_batches("products_by_id", list(dict.fromkeys(product_ids)), variables)
    with session.reading():
        nodes = [node for _, data in batches for node in data["nodes"] if node and node["__typename"] == PRODUCT]
    products = await gather_all(_whole_product(session, node) for node in nodes)
    return {product.id: product for product in products}


async def product_by_handle(session: AdminSession, handle: str) -> int | None:
    """Find the id of a product by its handle; None when there is no such product. Fetches nothing else, because a product may
    have many ghost variants, and each new one changes the product."""
    data = await session.run("product_by_handle", handle=handle)
    with session.reading():
        node = data["productByIdentifier"]
        return None if node is None else number_of(node["id"])


async def handle_of(session: AdminSession, product_id: int) -> str | None:
    data = await session.run("product_handle", id=gid(PRODUCT, product_id))
    with session.reading():
        handle: str | None = at(data, "product", "handle")
        return handle


async def variant_by_id(session: AdminSession, variant_id: int) -> Variant | None:
    """Fetch a single variant; None when it does not exist or is a ghost variant."""
    data = await session.run("variant_by_id", id=gid(VARIANT, variant_id))
    with session.reading():
        node = data["productVariant"]
        if node is None or is_ghost(node):
            return None
        product = node["product"]
        return variant_of(node, [option["name"] for option in product["options"]], number_of(product["id"]))


async def selling_plans(session: AdminSession, product_ids: Sequence[int]) -> Mapping[Cadence, str]:
    """Fetch the ids of selling plans by cadence. When several plans have the same cadence, the first one in the order of their
    groups is used. Plans with different billing and delivery intervals are omitted, because bundles cannot offer them. The result
    is empty when the token lacks the scope for reading selling plans: bundles are then sold without a plan."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch]}

    none: Mapping[str, Any] = {"nodes": []}
    batches = await session.in_batches("selling_plans", list(dict.fromkeys(product_ids)), variables, none)
    with session.reading():
        products = (node for _, data in batches for node in data["nodes"] if node)
        plans = list(_cadences(products))
    return dict(reversed(plans))


async def _whole_product(session: AdminSession, node: Node) -> Product:
    """Return a product with all its variants, fetching any further pages of variants."""
    with session.reading():
        variants, cursor = _page(node)
    while cursor:
        data = await session.run("variants_page", id=node["id"], first=VARIANTS_PAGE, after=cursor)
        with session.reading():
            further, cursor = _page(data["product"])
        variants += further
    with session.reading():
        return product_of(node, variants)


def _page(product: Node | None) -> tuple[list[Node], str | None]:
    """Return the variants on a page, and the cursor of the next page. The list is empty when the product was deleted in the
    meantime."""
    if product is None:
        return [], None
    return list(product["variants"]["nodes"]), next_cursor(product["variants"])


def _cadences(products: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Cadence, str]]:
    for product in products:
        product_id = number_of(product["id"])
        for group in product["sellingPlanGroups"]["nodes"]:
            for plan in group["sellingPlans"]["nodes"]:
                delivery = plan["deliveryPolicy"]
                if delivery and delivery == plan["billingPolicy"]:
                    cadence = (product_id, delivery["intervalCount"], delivery["interval"].lower())
                    yield cadence, str(number_of(plan["id"]))


def product_of(node: Node, variant_nodes: Iterable[Node]) -> Product:
    """Convert a product with these variants. Omits ghost variants, and option values that only ghost variants have."""
    product_id = number_of(node["id"])
    option_names = [option["name"] for option in node["options"]]
    shown = [variant for variant in variant_nodes if not is_ghost(variant)]
    return Product(
        id=product_id,
        title=node["title"],
        handle=node["handle"],
        image_url=at(node, "featuredMedia", "preview", "image", "url") or "",
        status=_status(node["status"]),
        tags=tuple(node["tags"]),
        description_html=node["descriptionHtml"] or "",
        options=_options(node["options"], shown),
        variants=tuple(variant_of(variant, option_names, product_id) for variant in shown),
    )


def variant_of(node: Node, option_names: Sequence[str], product_id: int) -> Variant:
    """Convert the platform's variant. `option_names` are the names of its product's options."""
    item = node["inventoryItem"]
    compare_at = node["compareAtPrice"]
    return Variant(
        id=number_of(node["id"]),
        title=node["title"],
        price=amount(node["price"]),
        compare_at_price=None if compare_at is None else amount(compare_at),
        sku=node["sku"] or "",
        inventory_tracked=bool(at(item, "tracked")),
        inventory_policy="continue" if node["inventoryPolicy"] == "CONTINUE" else "deny",
        inventory_quantity=node["inventoryQuantity"] or 0,
        grams=grams(at(item, "measurement", "weight")),
        option_values=_option_values(node, option_names),
        image=_image(node),
        inventory_item_id=None if item is None else number_of(item["id"]),
        product_id=product_id,
    )


def _status(status: str) -> str:
    """Convert the platform's status of a product. An unlisted product counts as active, because it is sold to anyone who has its
    address. A product with an unknown status counts as not for sale."""
    if status == UNLISTED:
        return ACTIVE
    return status if status in PRODUCT_STATUSES else HIDDEN


def _option_values(node: Node, option_names: Sequence[str]) -> tuple[str, ...]:
    chosen = _chosen(node)
    return tuple(chosen[name] for name in option_names if name in chosen)


def _chosen(node: Node) -> Mapping[str, str]:
    """Return a variant's value for each option; empty for the only variant of a product without options."""
    chosen = {option["name"]: option["value"] for option in node["selectedOptions"]}
    return {} if chosen == {DEFAULT_OPTION: DEFAULT_TITLE} else chosen


def _options(options: Sequence[Node], variants: Sequence[Node]) -> tuple[Option, ...]:
    """Return the options that these variants use, each with only the values in use."""
    used = {(name, value) for variant in variants for name, value in _chosen(variant).items()}
    names = {name for name, _ in used}
    return tuple(_option(option, used) for option in options if option["name"] in names)


def _option(option: Node, used: Collection[tuple[str, str]]) -> Option:
    name = option["name"]
    values = [value for value in option["optionValues"] if (name, value["name"]) in used]
    swatches = {value["name"]: _swatch(value["swatch"]) for value in values if value["swatch"]}
    return Option(name, tuple(value["name"] for value in values), swatches)


def _swatch(swatch: Node) -> Swatch:
    return Swatch(color=swatch["color"] or "", image_url=at(swatch, "image", "image", "url") or "")


def _image(node: Node) -> str | None:
    media = node["media"]["nodes"]
    return at(media[0], "preview", "image", "url") if media else None
