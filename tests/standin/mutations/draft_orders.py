"""Answers the `draftOrderCalculate` mutation like the platform: calculates the prices of an order's lines, and stores nothing."""

from uuid import NAMESPACE_OID, uuid5

from tests.standin.data.amounts import money
from tests.standin.data.market_prices import contextual, in_shop_currency
from tests.standin.data.shop import Market, Shop, Variant
from tests.standin.graph.items import Arguments, Node, Reference
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error


def calculate_draft_order(shop: Shop, arguments: Arguments) -> Node:
    """Calculate a draft order in the market of its shipping address, or, without an address, in a market with the requested
    presentment currency."""
    given = arguments["input"]
    market = _market(shop, given)
    wanted = [(shop.variant(number_of("ProductVariant", line.get("variantId"))), line) for line in given["lineItems"]]
    errors = [
        user_error("Product with ID does not exist", "lineItems", index)
        for index, (found, _) in enumerate(wanted)
        if found is None
    ]
    if errors:
        return {"calculatedDraftOrder": None, "userErrors": errors}
    lines = [_line(shop, market, found[1], line) for found, line in wanted if found]
    order = {
        "currencyCode": shop.currency,
        "presentmentCurrencyCode": market.currency if market else shop.currency,
        "taxesIncluded": shop.taxes_included,
        "lineItems": lines,
    }
    return {"calculatedDraftOrder": order, "userErrors": []}


def _market(shop: Shop, given: Arguments) -> Market | None:
    country = (given.get("shippingAddress") or {}).get("countryCode")
    if country is not None:
        return shop.market_of(country)
    currency = given.get("presentmentCurrencyCode")
    return next((market for market in shop.active_markets if market.currency == currency), None)


def _line(shop: Shop, market: Market | None, variant: Variant, line: Arguments) -> Node:
    priced = contextual(shop, market, variant)
    return {
        "uuid": str(uuid5(NAMESPACE_OID, str(variant.id))),
        "quantity": line["quantity"],
        "variant": Reference("ProductVariant", variant.id),
        "originalUnitPriceSet": {
            "shopMoney": money(in_shop_currency(shop, market, priced), shop.currency),
            "presentmentMoney": money(priced.price, priced.currency),
        },
    }
