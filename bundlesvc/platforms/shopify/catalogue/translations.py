"""Fetches the published languages of a shop, and the translations of products into one of these languages."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.product import OptionTranslation, ProductTranslation
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import PRODUCT, gid, number_of

Node = Mapping[str, Any]


async def published_languages(session: AdminSession) -> tuple[str, ...]:
    """Fetch the published languages other than the shop's primary one. Returns none when the token lacks the scope for reading
    languages: products are then not translated."""
    data = await session.run_or("shop_languages", {"shopLocales": []})
    with session.reading():
        return tuple(locale["locale"] for locale in data["shopLocales"] if not locale["primary"])


async def product_translations(
    session: AdminSession, product_ids: Sequence[int], language: str
) -> Mapping[int, ProductTranslation]:
    """Fetch the translations of the products that exist, by id, with one call per batch. The translations are empty when the
    token lacks the scope for reading them."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch], "locale": language}

    none: Mapping[str, Any] = {"nodes": [{"id": gid(PRODUCT, id_), **_UNTRANSLATED} for id_ in product_ids]}
    batches = await session.in_batches("product_translations", list(dict.fromkeys(product_ids)), variables, none)
    with session.reading():
        nodes = [node for _, data in batches for node in data["nodes"] if node]
        return {number_of(node["id"]): _translation(node) for node in nodes}


_UNTRANSLATED: Mapping[str, Any] = {"translations": [], "options": []}


def _translation(node: Node) -> ProductTranslation:
    words = _texts(node)
    options = {option["name"]: _option_translation(option) for option in node["options"]}
    return ProductTranslation(
        words.get("title", ""),
        words.get("body_html", ""),
        {name: option for name, option in options.items() if option != OptionTranslation()},
    )


def _option_translation(option: Node) -> OptionTranslation:
    values = {value["name"]: _texts(value).get("name", "") for value in option["optionValues"]}
    return OptionTranslation(_texts(option).get("name", ""), {name: text for name, text in values.items() if text})


def _texts(node: Node) -> Mapping[str, str]:
    """Return the translations in a node, by key. A key without a translation has no row, or an empty one."""
    return {row["key"]: row["value"] for row in node["translations"] if row["value"]}
