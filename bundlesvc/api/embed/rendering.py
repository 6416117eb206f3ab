"""Renders the bodies of the embed API as plain data: those of the main API, plus the fields that only the component needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from bundlesvc.api.responses import rendering
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import StoredBundle, content_text
from bundlesvc.domain.shop import IMAGE_WIDTHS, STOCK_REMINDERS, Shop, ShopSettings
from bundlesvc.domain.subscription import offers_subscription
from bundlesvc.domain.texts.cadence import CADENCE_LANGUAGES
from bundlesvc.domain.texts.translation import choose_language
from bundlesvc.services.configured_contents import FoundItem
from bundlesvc.services.embed_bundles import EmbedView, ServedBundle, response_language

Json = dict[str, Any]

FALLBACK = "en"
"""The language for which the component has every text."""


@dataclass(frozen=True, slots=True)
class OwnLanguages:
    """The languages of the service's own texts in a response: the texts of the component, and the labels of cadences. They follow
    the visitor's preference even where the bundle is not translated."""

    texts: str
    cadences: str


def own_languages(shop: Shop, bundle: Bundle, requested: Sequence[str]) -> OwnLanguages:
    """Choose the languages of the texts that the service itself adds to a bundle: the component's texts and the cadence labels. A
    bundle without subscriptions has no cadence labels; the shop's language is returned for them."""
    return OwnLanguages(
        text_language(shop, requested), response_language(shop, requested, cadence_languages(shop, bundle))
    )


def cadence_languages(shop: Shop, bundle: Bundle) -> Sequence[str]:
    """Return the languages, other than the shop's own, in which the labels of a bundle's cadences are available."""
    return CADENCE_LANGUAGES if offers_subscription(shop, bundle) else ()


def text_language(shop: Shop, requested: Sequence[str]) -> str:
    return response_language(shop, requested, text_languages())


@cache
def text_languages() -> Sequence[str]:
    """Return the languages in which the component's own texts are available."""
    return tuple(texts_by_language())


def embed_bundle(found: ServedBundle, view: EmbedView, path: str, languages: OwnLanguages) -> Json:
    """Render the body of GET /bundle. `path` is the path of the embed API."""
    bundle = found.bundle
    rendered = {
        **rendering.bundle_whole(view.bundle, languages.cadences),
        **rendering.products_of_bundle(view.products),
        "productHandle": view.handle,
        "productUrl": f"{path}/bundle/{bundle.id}/product",
        "bundleUrl": f"{path}/bundle?id={bundle.id}",
        "templateCode": found.template,
        "locale": found.language,
        "settings": embed_settings(view.bundle.shop, view.bundle.settings, languages.texts),
    }
    if found.served_arm is not None:
        rendered["experiment"] = {
            "id": found.served_arm.experiment_id,
            "arm": found.served_arm.arm,
            "entryBundleId": found.served_arm.entry_bundle_id,
            "bundleId": found.served_arm.bundle_id,
        }
    return rendered


def embed_settings(shop: Shop, of_platform: ShopSettings, locale: str) -> Json:
    return {
        **rendering.settings(shop, of_platform),
        "locale": locale,
        "shop": {"name": shop.name, "domain": shop.domain},
        "templates": list(shop.templates),
        "texts": _texts_in(locale),
        "stockReminders": shop.has(STOCK_REMINDERS),
        "imageWidths": _image_widths(shop),
    }


def _image_widths(shop: Shop) -> Json | None:
    known = IMAGE_WIDTHS.get(shop.platform.kind)
    return None if known is None else dict(zip(("origin", "parameter"), known, strict=True))


@cache
def texts_by_language() -> Mapping[str, Mapping[str, str]]:
    """Load the component's own texts by language. Every language has the same keys; missing translations fall back to English."""
    folder = files("bundlesvc") / "storefront" / "texts"
    read = {file.name.removesuffix(".json"): orjson.loads(file.read_bytes()) for file in folder.iterdir()}
    return {language: {**read[FALLBACK], **texts} for language, texts in read.items()}


def _texts_in(locale: str) -> Mapping[str, str]:
    """Return the component's texts in this language, or in English when there are none."""
    by_language = texts_by_language()
    return by_language[choose_language([locale], list(by_language), FALLBACK)]


def variant_items(items: Sequence[FoundItem]) -> Json:
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
