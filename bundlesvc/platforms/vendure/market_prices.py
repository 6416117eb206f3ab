"""Prices in a market. On Vendure, a market is a channel and a currency."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from bundlesvc.domain.money import round_amount, round_presentment
from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import PlatformMarket
from bundlesvc.platforms.vendure.ids import number_of
from bundlesvc.platforms.vendure.products import amount, price_in


def own_prices(data: Mapping[str, Any], currency: str) -> Mapping[int, Decimal]:
    """Return the prices, by variant id, of those variants in a response that are for sale in this currency."""
    decimals = data["globalSettings"]["serverConfig"]["moneyStrategyPrecision"]
    return {
        number_of(node["id"]): amount(price, decimals)
        for node in data["productVariants"]["items"]
        if node["enabled"] and (price := price_in(node, currency)) is not None
    }


def price_in_market(variant: Variant, market: PlatformMarket, shop_currency: str, own: Decimal | None) -> MarketPrice:
    """Return a variant's price in a market: its `own` price there, if it has one. A variant without its own price is not for sale
    in the market, and its converted price is returned for display."""
    price = round_presentment(variant.price * market.exchange_rate if own is None else own, market.currency)
    return MarketPrice(
        price,
        market.currency,
        round_amount(price / market.exchange_rate, shop_currency),
        available_for_sale=own is not None,
        exchange_rate=None if market.currency == shop_currency else market.exchange_rate,
    )
