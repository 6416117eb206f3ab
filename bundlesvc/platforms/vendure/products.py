"""Converts products of the Admin API to those of the domain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.product import (
    ACTIVE,
    DEFAULT_TITLE,
    Option,
    OptionTranslation,
    Product,
    ProductTranslation,
    Variant,
)
from bundlesvc.platforms.vendure.ids import number_of

Node = Mapping[str, Any]

HIDDEN = "DRAFT"
TAGS = "tags"
"""The facet whose values become tags unchanged. For other facets, the name of the facet precedes the value: `colour:red`."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's currency and languages (the default language first), with the engine's settings for all channels: the number of
    decimal places of amounts, whether stock is tracked, and the stock level at or below which a variant is out of stock."""

    currency: str
    languages: Sequence[str]
    decimals: int
    tracks_inventory: bool
    threshold: int

    def amount(self, minor: int) -> Decimal:
        return amount(minor, self.decimals)


def channel_of(data: Node) -> Channel:
    """Read the channel from a response. Raises UnsupportedId for a shop whose ids are not whole numbers."""
    channel, settings = data["activeChannel"], data["globalSettings"]
    number_of(channel["id"])
    own = channel["defaultLanguageCode"]
    others = [code for code in channel["availableLanguageCodes"] or () if code != own]
    return Channel(
        channel["defaultCurrencyCode"],
        (own, *others),
        settings["serverConfig"]["moneyStrategyPrecision"],
        settings["trackInventory"],
        settings["outOfStockThreshold"],
    )


def amount(minor: int, decimals: int) -> Decimal:
    """Convert an amount from minor units. The engine uses the same number of decimal places (`decimals`) for every currency."""
    return Decimal(minor).scaleb(-decimals)


def product_of(node: Node, channel: Channel) -> Product:
    """Convert a product node, leaving out the variants that are disabled or have no price in the channel's currency."""
    product_id = number_of(node["id"])
    names = [group["name"] for group in node["optionGroups"]]
    variants = tuple(
        _variant(variant, price, names, product_id, channel)
        for variant in node["variants"]
        if variant["enabled"] and (price := price_in(variant, channel.currency)) is not None
    )
    return Product(
        id=product_id,
        title=node["name"],
        handle=node["slug"],
        image_url=_image(node) or "",
        status=ACTIVE if node["enabled"] else HIDDEN,
        tags=tuple(_tag(value) for value in node["facetValues"]),
        description_html=node["description"],
        options=_options(node["optionGroups"], variants),
        variants=variants,
    )


def price_in(variant: Node, currency: str) -> int | None:
    """Return a variant's price in a currency as it was entered: net or gross, depending on the channel. None when it has no price
    in this currency."""
    prices: Iterable[Node] = variant["prices"]
    return next((int(price["price"]) for price in prices if price["currencyCode"] == currency), None)


def translation_of(node: Node, language: str) -> ProductTranslation:
    """Return the translation of a product into a language; empty where a string is not translated."""
    words = _in(node, language)
    return ProductTranslation(
        words.get("name", ""),
        words.get("description", ""),
        {group["name"]: _option_translation(group, language) for group in node["optionGroups"]},
    )


def _option_translation(group: Node, language: str) -> OptionTranslation:
    values = {option["name"]: _in(option, language).get("name", "") for option in group["options"]}
    return OptionTranslation(
        _in(group, language).get("name", ""), {value: words for value, words in values.items() if words}
    )


def _in(node: Node, language: str) -> Node:
    return next((words for words in node["translations"] if words["languageCode"] == language), {})


def _variant(node: Node, price: int, names: Sequence[str], product_id: int, channel: Channel) -> Variant:
    chosen = {option["group"]["name"]: option["name"] for option in node["options"]}
    values = tuple(chosen[name] for name in names if name in chosen)
    tracked = _tracked(node["trackInventory"], channel)
    threshold = channel.threshold if node["useGlobalOutOfStockThreshold"] else node["outOfStockThreshold"]
    return Variant(
        id=number_of(node["id"]),
        title=" / ".join(values) or DEFAULT_TITLE,
        price=channel.amount(price),
        compare_at_price=None,
        sku=node["sku"],
        inventory_tracked=tracked,
        inventory_policy="deny",
        inventory_quantity=_sellable(node["stockLevels"], threshold) if tracked else 0,
        grams=0,
        option_values=values,
        image=_image(node),
        product_id=product_id,
        inventory_item_id=number_of(node["id"]),
    )


def _tracked(flag: str, channel: Channel) -> bool:
    return channel.tracks_inventory if flag == "INHERIT" else flag == "TRUE"


def _sellable(levels: Iterable[Node], threshold: int) -> int:
    """Return the number of units that can be sold. A negative threshold allows selling more units than are in stock."""
    return sum(int(level["stockOnHand"]) - int(level["stockAllocated"]) for level in levels) - threshold


def _options(groups: Iterable[Node], variants: Sequence[Variant]) -> tuple[Option, ...]:
    """Return the options that these variants use, each with only the values in use, because several products may share an option
    group."""
    used = {value for variant in variants for value in variant.option_values}
    found = [
        Option(group["name"], tuple(value["name"] for value in group["options"] if value["name"] in used))
        for group in groups
    ]
    return tuple(option for option in found if option.values)


def _tag(value: Node) -> str:
    code: str = value["code"]
    facet = value["facet"]["code"]
    return code if facet == TAGS else f"{facet}:{code}"


def _image(node: Node) -> str | None:
    asset = node["featuredAsset"]
    return asset["preview"] if asset else None
