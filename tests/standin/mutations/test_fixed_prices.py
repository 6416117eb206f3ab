"""Fixed prices on a price list: prices must be in the list's currency, and a call sets either all of the given prices or none."""

from decimal import Decimal
from typing import Any

from tests.standin.calling import Caller
from tests.standin.data.generated import product
from tests.standin.data.shop import FixedPrice, Market
from tests.standin.server import Standin

ADD = """mutation Add($list: ID!, $prices: [PriceListPriceInput!]!) {
  priceListFixedPricesAdd(priceListId: $list, prices: $prices) {
    prices { originType price { amount currencyCode } compareAtPrice { amount } variant { id } }
    userErrors { field message code }
  }
}"""


def price(variant: int, amount: str, currency: str = "MXN") -> dict[str, Any]:
    return {
        "variantId": f"gid://shopify/ProductVariant/{variant}",
        "price": {"amount": amount, "currencyCode": currency},
    }


async def added(call: Caller, *prices: dict[str, Any], number: int = 5) -> Any:
    data = (await call(ADD, list=f"gid://shopify/PriceList/{number}", prices=list(prices))).data
    return data["priceListFixedPricesAdd"]


async def test_prices_are_added_and_replaced(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1, 2))
    standin.shop.markets.append(Market(5, "Mexico", ("MX",), "MXN"))
    await added(call, price(10001, "5.00"))
    result = await added(
        call, price(10001, "7.50"), {**price(10002, "8.00"), "compareAtPrice": price(1, "9.00")["price"]}
    )
    assert result == {
        "prices": [
            {
                "originType": "FIXED",
                "price": {"amount": "7.5", "currencyCode": "MXN"},
                "compareAtPrice": None,
                "variant": {"id": "gid://shopify/ProductVariant/10001"},
            },
            {
                "originType": "FIXED",
                "price": {"amount": "8.0", "currencyCode": "MXN"},
                "compareAtPrice": {"amount": "9.0"},
                "variant": {"id": "gid://shopify/ProductVariant/10002"},
            },
        ],
        "userErrors": [],
    }
    assert standin.shop.markets[0].fixed_prices == {
        10001: FixedPrice(Decimal("7.50")),
        10002: FixedPrice(Decimal("8.00"), Decimal("9.00")),
    }


async def test_one_fault_refuses_the_whole_call(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1))
    standin.shop.markets.append(Market(5, "Mexico", ("MX",), "MXN"))
    result = await added(call, price(10001, "5.00"), price(77, "5.00"), price(10001, "5.00", "USD"))
    assert result["prices"] is None
    assert [(error["code"], error["field"]) for error in result["userErrors"]] == [
        ("VARIANT_NOT_FOUND", ["prices", "1", "variantId"]),
        ("PRICE_LIST_CURRENCY_MISMATCH", ["prices", "2", "price", "currencyCode"]),
    ]
    (missing,) = (await added(call, price(10001, "5.00"), number=6))["userErrors"]
    assert missing["code"] == "PRICE_LIST_NOT_FOUND"
    assert standin.shop.markets[0].fixed_prices == {}
