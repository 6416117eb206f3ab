"""Converts Shopify's products and variants to those of the domain."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from bundlesvc.domain.product import ACTIVE, DEFAULT_TITLE, PRODUCT_STATUSES, Option, Product, Swatch, Variant
from bundlesvc.platforms.shopify.ghost_variants import is_ghost
from bundlesvc.platforms.shopify.scalars import amount, at, grams, number_of

Node = Mapping[str, Any]

UNLISTED, HIDDEN = "UNLISTED", "DRAFT"
DEFAULT_OPTION = "Title"
"""The option of a product without options; its value is `DEFAULT_TITLE`."""


def product_of(node: Node, variant_nodes: Iterable[Node]) -> Product:
    """A product with these variants, without ghost variants and without option values that only ghost variants have."""
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
    """A variant of a product that has these options."""
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
    """An unlisted product counts as active, because it is sold by its address. A product of unknown status is not sold."""
    if status == UNLISTED:
        return ACTIVE
    return status if status in PRODUCT_STATUSES else HIDDEN


def _option_values(node: Node, option_names: Sequence[str]) -> tuple[str, ...]:
    chosen = _chosen(node)
    return tuple(chosen[name] for name in option_names if name in chosen)


def _chosen(node: Node) -> Mapping[str, str]:
    """A variant's value of each option; empty for the only variant of a product without options."""
    chosen = {option["name"]: option["value"] for option in node["selectedOptions"]}
    return {} if chosen == {DEFAULT_OPTION: DEFAULT_TITLE} else chosen


def _options(options: Sequence[Node], variants: Sequence[Node]) -> tuple[Option, ...]:
    """The options that these variants use, each with the values that they use."""
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
