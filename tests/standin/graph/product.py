"""Products and their options."""

from collections.abc import Sequence

from tests.standin.data.gids import gid
from tests.standin.data.shop import ACTIVE, Component, Option, OptionValue, Product, Shop, Variant
from tests.standin.graph.items import Arguments, Items, Node, Reference
from tests.standin.graph.media import image, media
from tests.standin.graph.publications import on_publication, publication_rows, published
from tests.standin.graph.selling_plans import selling_plan_group_node
from tests.standin.graph.translations import name_texts, product_texts, rows
from tests.standin.graph.variant import variant_node


def product_node(shop: Shop, product: Product) -> Node:
    return {
        "__typename": "Product",
        "id": gid("Product", product.id),
        "legacyResourceId": str(product.id),
        "title": product.title,
        "handle": product.handle,
        "status": product.status,
        "tags": product.tags,
        "descriptionHtml": product.description_html,
        "vendor": product.vendor,
        "productType": product.product_type,
        "isGiftCard": False,
        "requiresSellingPlan": product.requires_selling_plan,
        "hasOnlyDefaultVariant": product.has_only_default_variant,
        "createdAt": product.updated_at,
        "updatedAt": product.updated_at,
        "featuredMedia": media(product.image_url) if product.image_url else None,
        "options": lambda arguments: _options(product)[: arguments.get("first")],
        "variants": lambda arguments: _variants(shop, product, arguments),
        "bundleComponents": lambda _: Items(product.components, _component_node),
        "variantsCount": {"count": len(product.variants), "precision": "EXACT"},
        "publishedInContext": lambda arguments: _published_in(shop, product, arguments["context"]),
        "publishedOnPublication": lambda arguments: on_publication(product, arguments["publicationId"]),
        "resourcePublicationsV2": lambda arguments: publication_rows(shop, product, arguments),
        "sellingPlanGroups": lambda _: _selling_plan_groups(shop, product),
        "translations": lambda arguments: rows(product_texts(product, arguments["locale"]), arguments),
    }


def option_node(option: Option, position: int, values: Sequence[Node]) -> Node:
    return {
        "__typename": "ProductOption",
        "id": gid("ProductOption", option.id),
        "name": option.name,
        "position": position,
        "values": [value["name"] for value in values if value["hasVariants"]],
        "optionValues": values,
        "translations": lambda arguments: rows(name_texts(option, arguments["locale"]), arguments),
    }


def _options(product: Product) -> list[Node]:
    nodes = []
    for index, option in enumerate(product.options):
        used = {variant.option_values[index] for variant in product.variants}
        values = [_option_value_node(value, has_variants=value.name in used) for value in option.values]
        nodes.append(option_node(option, index + 1, values))
    return nodes


def _option_value_node(value: OptionValue, *, has_variants: bool) -> Node:
    return {
        "__typename": "ProductOptionValue",
        "id": gid("ProductOptionValue", value.id),
        "name": value.name,
        "hasVariants": has_variants,
        "swatch": _swatch(value),
        "translations": lambda arguments: rows(name_texts(value, arguments["locale"]), arguments),
    }


def _swatch(value: OptionValue) -> Node | None:
    if not value.color and not value.image_url:
        return None
    pattern = {"__typename": "MediaImage", "image": image(value.image_url)} if value.image_url else None
    return {"color": value.color or None, "image": pattern}


def _component_node(component: Component) -> Node:
    variants = [Reference("ProductVariant", number) for number in component.variant_ids]
    return {
        "quantity": component.quantity,
        "componentProduct": Reference("Product", component.product_id),
        "componentVariants": lambda _: Items(variants),
    }


def _variants(shop: Shop, product: Product, arguments: Arguments) -> Items:
    variants: Sequence[Variant] = product.variants
    if arguments["sortKey"] == "ID":
        variants = sorted(variants, key=lambda variant: variant.id)
    return Items(variants, lambda variant: variant_node(shop, product, variant))


def _published_in(shop: Shop, product: Product, context: Arguments) -> bool:
    market = shop.market_of(context.get("country"))
    return product.status in (ACTIVE, "UNLISTED") and (market is None or published(product, market.id))


def _selling_plan_groups(shop: Shop, product: Product) -> Items:
    groups = [group for group in shop.selling_plan_groups if product.id in group.product_ids]
    return Items(groups, selling_plan_group_node)
