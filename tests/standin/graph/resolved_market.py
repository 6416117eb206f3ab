"""The values that the platform resolves for a buyer's country."""

from tests.standin.data.gids import gid
from tests.standin.data.shop import Shop
from tests.standin.graph.items import Items, Node
from tests.standin.graph.market import catalogs
from tests.standin.graph.shop import locale_nodes


def resolved_market_node(shop: Shop, country: str) -> Node:
    """Build the node with the values resolved for a country. For a country without a market, it contains the shop's currency and
    no catalogs."""
    market = shop.market_of(country)
    return {
        "currencyCode": market.currency if market else shop.currency,
        "priceInclusivity": {"taxesIncluded": shop.taxes_included, "dutiesIncluded": False},
        "catalogs": lambda _: Items(catalogs(market) if market else []),
        "webPresences": lambda _: Items([_web_presence(shop)]),
    }


def _web_presence(shop: Shop) -> Node:
    locales = locale_nodes(shop)
    return {
        "__typename": "MarketWebPresence",
        "id": gid("MarketWebPresence", 1),
        "subfolderSuffix": None,
        "defaultLocale": locales[0],
        "alternateLocales": locales[1:],
        "rootUrls": [{"locale": node["locale"], "url": f"https://{shop.domain}/"} for node in locales],
    }
