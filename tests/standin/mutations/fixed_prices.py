"""Answers the `priceListFixedPricesAdd` mutation like the platform: sets fixed prices on a price list."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from tests.standin.data.amounts import money
from tests.standin.data.shop import FixedPrice, Market, Shop
from tests.standin.graph.items import Arguments, Node, Reference
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error


def add_fixed_prices(shop: Shop, arguments: Arguments) -> Node:
    """Set all given fixed prices or none of them. Existing prices are replaced."""
    market = shop.market(number_of("PriceList", arguments["priceListId"]))
    if market is None or not market.has_catalog:
        error = user_error("Price list does not exist.", "priceListId", code="PRICE_LIST_NOT_FOUND")
        return {"prices": None, "userErrors": [error]}
    given: Sequence[Arguments] = arguments["prices"]
    errors = list(_errors(shop, market, given))
    if errors:
        return {"prices": None, "userErrors": errors}
    return {"prices": [_set(market, each) for each in given], "userErrors": []}


def _errors(shop: Shop, market: Market, given: Sequence[Arguments]) -> Iterator[Node]:
    for index, each in enumerate(given):
        if shop.variant(number_of("ProductVariant", each["variantId"])) is None:
            yield user_error("Variant does not exist.", "prices", index, "variantId", code="VARIANT_NOT_FOUND")
        for name in ("price", "compareAtPrice"):
            if each.get(name) is not None and each[name]["currencyCode"] != market.currency:
                message = "The specified currency does not match the price list's currency."
                path = ("prices", index, name, "currencyCode")
                yield user_error(message, *path, code="PRICE_LIST_CURRENCY_MISMATCH")


def _set(market: Market, given: Arguments) -> Node:
    number = number_of("ProductVariant", given["variantId"])
    assert number is not None, "an input that names no variant was refused"
    compare_at = given.get("compareAtPrice")
    price = Decimal(given["price"]["amount"])
    market.fixed_prices[number] = FixedPrice(price, compare_at and Decimal(compare_at["amount"]))
    return {
        "originType": "FIXED",
        "price": money(price, market.currency),
        "compareAtPrice": compare_at and money(Decimal(compare_at["amount"]), market.currency),
        "variant": Reference("ProductVariant", number),
    }
