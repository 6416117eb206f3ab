"""Variants and their inventory items."""

from decimal import Decimal

from tests.standin.data.amounts import money, money_text
from tests.standin.data.gids import gid
from tests.standin.data.market_prices import contextual
from tests.standin.data.shop import Product, Shop, Variant, VariantComponent
from tests.standin.graph.items import Arguments, Items, Node, Reference
from tests.standin.graph.media import media
from tests.standin.graph.publications import on_publication, publication_rows


def variant_node(shop: Shop, product: Product, variant: Variant) -> Node:
    return {
        "__typename": "ProductVariant",
        "id": gid("ProductVariant", variant.id),
        "legacyResourceId": str(variant.id),
        "title": variant.title,
        "displayName": f"{product.title} - {variant.title}",
        "position": lambda _: product.variants.index(variant) + 1,
        "price": money_text(variant.price, shop.currency),
        "compareAtPrice": _optional_money(variant.compare_at_price, shop.currency),
        "sku": variant.sku,
        "barcode": variant.barcode,
        "taxable": variant.taxable,
        "availableForSale": variant.available_for_sale,
        "inventoryQuantity": variant.quantity,
        "inventoryPolicy": variant.policy,
        "requiresComponents": bool(variant.requires_components or variant.components or product.components),
        "productVariantComponents": lambda _: Items(variant.components, _component_node),
        "createdAt": variant.updated_at,
        "updatedAt": variant.updated_at,
        "product": Reference("Product", product.id),
        "inventoryItem": lambda _: inventory_item_node(variant),
        "selectedOptions": lambda _: _selected_options(product, variant),
        "media": lambda _: Items([variant.image_url] if variant.image_url else [], media),
        "contextualPricing": lambda arguments: _contextual_pricing(shop, variant, arguments["context"]),
        "publishedOnPublication": lambda arguments: on_publication(variant, arguments["publicationId"]),
        "resourcePublicationsV2": lambda arguments: publication_rows(shop, variant, arguments),
        "metafield": lambda arguments: _metafield(variant, arguments),
    }


def inventory_item_node(variant: Variant) -> Node:
    weight = None if variant.weight is None else {"unit": variant.weight_unit, "value": float(variant.weight)}
    return {
        "__typename": "InventoryItem",
        "id": gid("InventoryItem", variant.inventory_item_id),
        "legacyResourceId": str(variant.inventory_item_id),
        "sku": variant.sku,
        "tracked": variant.tracked,
        "requiresShipping": variant.requires_shipping,
        "measurement": {"id": gid("InventoryItemMeasurement", variant.inventory_item_id), "weight": weight},
        "variants": lambda _: Items([Reference("ProductVariant", variant.id)]),
    }


def _optional_money(amount: Decimal | None, currency: str) -> str | None:
    return None if amount is None else money_text(amount, currency)


def _selected_options(product: Product, variant: Variant) -> list[Node]:
    pairs = zip(product.options, variant.option_values, strict=True)
    return [{"name": option.name, "value": value} for option, value in pairs]


def _component_node(component: VariantComponent) -> Node:
    return {
        "quantity": component.quantity,
        "productVariant": Reference("ProductVariant", component.variant_id),
    }


def _contextual_pricing(shop: Shop, variant: Variant, context: Arguments) -> Node:
    priced = contextual(shop, shop.market_of(context.get("country")), variant)
    compare_at = priced.compare_at_price
    return {
        "price": money(priced.price, priced.currency),
        "compareAtPrice": None if compare_at is None else money(compare_at, priced.currency),
        "unitPrice": None,
        "quantityRule": {"minimum": 1, "maximum": None, "increment": 1, "isDefault": True},
    }


def _metafield(variant: Variant, arguments: Arguments) -> Node | None:
    value = variant.metafields.get((arguments.get("namespace") or "", arguments["key"]))
    return None if value is None else {"key": arguments["key"], "value": value}
