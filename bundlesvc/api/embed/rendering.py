"""The "proxy format" of the embed API, as plain data: the main API's answers and what the component needs beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.api import rendering
from bundlesvc.domain.configured import StoredBundle, content_text
from bundlesvc.domain.shop import STOCK_REMINDERS, Shop, ShopSettings
from bundlesvc.services.bundles import BundleView
from bundlesvc.services.configured_contents import FoundItem
from bundlesvc.services.embed_bundles import Embedded
from bundlesvc.services.products import ProductList

Json = dict[str, Any]


def embed_bundle(
    found: Embedded, view: BundleView, listed: ProductList, handle: str, path: str, settings: Json
) -> Json:
    """Everything to draw a bundle; `path` is the embed API's own."""
    bundle = found.bundle
    rendered = {
        **rendering.bundle_whole(view),
        **rendering.products_of_bundle(listed),
        "productHandle": handle,
        "productUrl": f"{path}/bundle/{bundle.id}/product",
        "bundleUrl": f"{path}/bundle?id={bundle.id}",
        "templateCode": found.template,
        "locale": found.language,
        "settings": settings,
    }
    if found.routed is not None:
        rendered["experiment"] = {
            "id": found.routed.experiment_id,
            "arm": found.routed.arm,
            "entryBundleId": found.routed.entry_bundle_id,
            "bundleId": found.routed.bundle_id,
        }
    return rendered


def embed_settings(shop: Shop, of_platform: ShopSettings, locale: str, texts: Mapping[str, str]) -> Json:
    return {
        **rendering.settings(shop, of_platform),
        "locale": locale,
        "shop": {"name": shop.name, "domain": shop.domain},
        "templates": list(shop.templates),
        "texts": texts,
        "stockReminders": shop.has(STOCK_REMINDERS),
    }


def found_items(items: Sequence[FoundItem]) -> Json:
    return {
        "items": [
            {
                "variantId": item.variant_id,
                "sectionId": item.section_id,
                "availableVariantIds": list(item.available_variant_ids),
            }
            for item in items
        ]
    }


def contents(stored: Sequence[StoredBundle]) -> Json:
    return {
        "bundles": [
            {
                "configuredBundleId": bundle.id,
                "variantId": str(bundle.variant_id),
                "content": content_text(bundle.items),
            }
            for bundle in stored
        ]
    }
