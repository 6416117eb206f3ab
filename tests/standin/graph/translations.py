"""Translations of products, options and option values. Content without a translation has no row."""

from collections.abc import Mapping
from typing import TypeAlias

from tests.standin.data.shop import Option, OptionValue, Product
from tests.standin.graph.items import Arguments, Node

Texts: TypeAlias = Mapping[str, str | None]
"""Texts by the platform's keys; None when a text is not translated."""


def product_texts(product: Product, locale: str) -> Texts:
    text = product.translations.get(locale)
    return {"title": text.title, "body_html": text.description_html} if text else {}


def name_texts(named: Option | OptionValue, locale: str) -> Texts:
    return {"name": named.translations.get(locale)}


def rows(texts: Texts, arguments: Arguments) -> list[Node]:
    """Return the translation rows for a locale. In the stand-in, markets (`marketId`) have no translations of their own."""
    if arguments.get("marketId") is not None:
        return []
    return [
        {"key": key, "value": value, "locale": arguments["locale"], "outdated": False, "market": None}
        for key, value in texts.items()
        if value is not None
    ]
