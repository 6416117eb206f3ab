"""Markets with their regions and currencies, catalogs and price lists."""

from collections.abc import Iterator

from tests.standin.data.amounts import decimal_text, money
from tests.standin.data.gids import gid
from tests.standin.data.market_prices import Priced, relative
from tests.standin.data.shop import Market, Product, Shop, Variant
from tests.standin.graph.items import Arguments, Items, Node, Reference
from tests.standin.graph.price_search import wanted_by
from tests.standin.graph.variant import variant_node

FIXED, RELATIVE = "FIXED", "RELATIVE"


def market_node(market: Market) -> Node:
    return {
        "__typename": "Market",
        "id": gid("Market", market.id),
        "handle": market.name.lower().replace(" ", "-"),
        "name": market.name,
        "status": market.status,
        "type": "REGION",
        "currencySettings": {
            "localCurrencies": False,
            "roundingEnabled": market.rounding is not None,
            "baseCurrency": _currency_setting(market),
        },
        "conditions": {"conditionTypes": ["REGION"], "regionsCondition": _regions_condition(market)},
        "catalogs": lambda _: Items(catalogs(market)),
    }


def catalogs(market: Market) -> list[Reference]:
    return [Reference("MarketCatalog", market.id)] if market.has_catalog else []


def catalog_node(market: Market) -> Node:
    return {
        "__typename": "MarketCatalog",
        "id": gid("MarketCatalog", market.id),
        "title": market.name,
        "status": market.status,
        "priceList": Reference("PriceList", market.id),
        "publication": Reference("Publication", market.id),
        "markets": lambda _: Items([Reference("Market", market.id)]),
    }


def price_list_node(shop: Shop, market: Market) -> Node:
    direction = "PERCENTAGE_DECREASE" if market.adjustment < 0 else "PERCENTAGE_INCREASE"
    return {
        "__typename": "PriceList",
        "id": gid("PriceList", market.id),
        "name": market.name,
        "currency": market.currency,
        "fixedPricesCount": len(market.fixed_prices),
        "catalog": Reference("MarketCatalog", market.id),
        "parent": {
            "adjustment": {"type": direction, "value": float(abs(market.adjustment))},
            "settings": {"compareAtMode": "ADJUSTED" if market.adjusts_compare_at else "NULLIFY"},
        },
        "prices": lambda arguments: _prices(shop, market, arguments),
    }


def _currency_setting(market: Market) -> Node:
    return {
        "currencyCode": market.currency,
        "currencyName": market.currency,
        "enabled": True,
        "manualRate": decimal_text(market.rate) if market.tells_rate else None,
        "rateUpdatedAt": "2026-07-01T00:00:00Z" if market.tells_rate else None,
    }


def _regions_condition(market: Market) -> Node:
    return {"applicationLevel": "SPECIFIED", "regions": lambda _: Items(list(_regions(market)))}


def _regions(market: Market) -> Iterator[Node]:
    for index, country in enumerate(market.countries):
        yield {
            "__typename": "MarketRegionCountry",
            "id": gid("MarketRegionCountry", market.id * 1000 + index),
            "name": country,
            "code": country,
            "currency": _currency_setting(market),
        }


def _prices(shop: Shop, market: Market, arguments: Arguments) -> Items:
    """List the rows of the price list. Fixed prices are in the currency of the list, relative prices in the shop's currency."""
    origin, query = arguments.get("originType"), arguments.get("query")
    rows = [
        (product, variant)
        for product in shop.products.values()
        for variant in product.variants
        if origin in (None, _origin(market, variant)) and wanted_by(query, product, variant)
    ]
    return Items(rows, lambda row: _price_row(shop, market, *row))


def _origin(market: Market, variant: Variant) -> str:
    return FIXED if variant.id in market.fixed_prices else RELATIVE


def _listed_price(shop: Shop, market: Market, variant: Variant) -> Priced:
    fixed = market.fixed_prices.get(variant.id)
    if fixed is None:
        return relative(shop, market, variant)
    return Priced(fixed.price, fixed.compare_at_price, market.currency)


def _price_row(shop: Shop, market: Market, product: Product, variant: Variant) -> Node:
    priced = _listed_price(shop, market, variant)
    compare_at = priced.compare_at_price
    return {
        "originType": _origin(market, variant),
        "price": money(priced.price, priced.currency),
        "compareAtPrice": None if compare_at is None else money(compare_at, priced.currency),
        "variant": variant_node(shop, product, variant),
    }
