"""Prices and availability in markets: an example recorded on the platform itself is queried in every way that the API offers."""

from decimal import Decimal
from typing import Any

import pytest

from tests.standin.calling import Caller
from tests.standin.data.amounts import decimal_text, money_text
from tests.standin.data.shop import (
    DEFAULT_OPTION,
    DEFAULT_VALUE,
    FixedPrice,
    Market,
    Option,
    OptionValue,
    Product,
    Shop,
    Variant,
)
from tests.standin.server import Standin

EXPENSIVE, FIXED = 101, 102

CONTEXTUAL = """query Contextual($id: ID!, $country: CountryCode!) {
  productVariant(id: $id) {
    price
    contextualPricing(context: { country: $country }) {
      price { amount currencyCode }
      compareAtPrice { amount currencyCode }
      quantityRule { minimum }
    }
  }
}"""
PRICE_LIST = """query Rows($origin: PriceListPriceOriginType, $query: String) {
  priceList(id: "gid://shopify/PriceList/52") {
    currency
    fixedPricesCount
    parent { adjustment { type value } settings { compareAtMode } }
    prices(first: 10, originType: $origin, query: $query) {
      nodes { originType price { amount currencyCode } compareAtPrice { amount } variant { id } }
    }
  }
}"""
RESOLVED = """query Resolved($country: CountryCode!) {
  marketsResolvedValues(buyerSignal: { countryCode: $country }) {
    currencyCode
    priceInclusivity { taxesIncluded }
    catalogs(first: 5) {
      nodes {
        status
        publication { id catalog { title } }
        priceList { id catalog { id } }
        markets(first: 5) { nodes { name currencySettings { baseCurrency { currencyCode manualRate } } } }
      }
    }
    webPresences(first: 1) { nodes { defaultLocale { locale } } }
  }
}"""
PUBLISHED = """query Published($product: ID!, $variant: ID!, $publication: ID!) {
  product(id: $product) {
    publishedInContext(context: { country: MX })
    publishedOnPublication(publicationId: $publication)
  }
  productVariant(id: $variant) {
    publishedOnPublication(publicationId: $publication)
    resourcePublicationsV2(first: 5, catalogType: MARKET, onlyPublished: false) {
      nodes { isPublished publication { id catalog { id } } }
    }
    app: resourcePublicationsV2(first: 5) { nodes { publication { id } } }
  }
}"""


def product(number: int, *variants: Variant) -> Product:
    names = [variant.option_values[0] for variant in variants]
    option = Option(number + 5000, DEFAULT_OPTION, [OptionValue(number + 6000, name) for name in names])
    return Product(number, f"Product {number}", f"product-{number}", [option], list(variants))


@pytest.fixture
def standin_shop() -> Shop:
    """A Canadian shop with a Mexican market, whose prices are reduced by 5%, converted, and rounded to whole pesos."""
    shop = Shop(currency="CAD")
    expensive = Variant(EXPENSIVE, [DEFAULT_VALUE], Decimal("949.95"), compare_at_price=Decimal("1000.00"))
    shop.add(product(1, expensive), product(2, Variant(FIXED, [DEFAULT_VALUE], Decimal(60))))
    mexico = Market(52, "Mexico", ("MX",), "MXN", rate=Decimal("12.975"), adjustment=Decimal(-5), rounding=Decimal(1))
    mexico.fixed_prices[FIXED] = FixedPrice(Decimal("777.77"), Decimal("888.88"))
    shop.markets.append(mexico)
    return shop


def variant_gid(number: int) -> str:
    return f"gid://shopify/ProductVariant/{number}"


def pesos(amount: str) -> dict[str, str]:
    return {"amount": amount, "currencyCode": "MXN"}


async def pricing(call: Caller, variant: int, country: str) -> Any:
    found = (await call(CONTEXTUAL, id=variant_gid(variant), country=country)).data
    return found["productVariant"]["contextualPricing"]


async def test_relative_price_is_adjusted_converted_and_rounded(call: Caller) -> None:
    found = await pricing(call, EXPENSIVE, "MX")
    assert found["price"] == pesos("11709.0")
    assert found["compareAtPrice"] == pesos("12326.0")


async def test_fixed_price_is_unchanged(call: Caller) -> None:
    found = await pricing(call, FIXED, "MX")
    assert (found["price"], found["compareAtPrice"]) == (pesos("777.77"), pesos("888.88"))


async def test_country_without_a_market_has_shop_prices(call: Caller) -> None:
    found = await pricing(call, EXPENSIVE, "DE")
    assert found["price"] == {"amount": "949.95", "currencyCode": "CAD"}


async def test_inactive_market_is_ignored(call: Caller, standin: Standin) -> None:
    standin.shop.markets[0].status = "DRAFT"
    assert (await pricing(call, EXPENSIVE, "MX"))["price"]["currencyCode"] == "CAD"


async def test_price_list_may_omit_compare_at_prices(call: Caller, standin: Standin) -> None:
    standin.shop.markets[0].adjusts_compare_at = False
    assert (await pricing(call, EXPENSIVE, "MX"))["compareAtPrice"] is None


async def test_price_list_has_relative_prices_in_shop_currency(call: Caller) -> None:
    found = (await call(PRICE_LIST)).data["priceList"]
    assert (found["currency"], found["fixedPricesCount"]) == ("MXN", 1)
    assert found["parent"]["adjustment"] == {"type": "PERCENTAGE_DECREASE", "value": 5.0}
    assert found["parent"]["settings"] == {"compareAtMode": "ADJUSTED"}
    assert found["prices"]["nodes"] == [
        {
            "originType": "RELATIVE",
            "price": {"amount": "902.45", "currencyCode": "CAD"},
            "compareAtPrice": {"amount": "950.0"},
            "variant": {"id": variant_gid(EXPENSIVE)},
        },
        {
            "originType": "FIXED",
            "price": pesos("777.77"),
            "compareAtPrice": {"amount": "888.88"},
            "variant": {"id": variant_gid(FIXED)},
        },
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"origin": "FIXED"}, [FIXED]),
        ({"origin": "RELATIVE"}, [EXPENSIVE]),
        ({"query": "product_id:2"}, [FIXED]),
        ({"query": "product_id:1 OR variant_id:102"}, [EXPENSIVE, FIXED]),
        ({"query": "product_id:gid://shopify/Product/2"}, []),
        ({"query": "product_id:2", "origin": "RELATIVE"}, []),
    ],
)
async def test_price_list_rows_are_found_by_number(
    call: Caller, arguments: dict[str, str], expected: list[int]
) -> None:
    rows = (await call(PRICE_LIST, **arguments)).data["priceList"]["prices"]["nodes"]
    assert [row["variant"]["id"] for row in rows] == [variant_gid(number) for number in expected]


async def test_resolved_values_of_a_country(call: Caller) -> None:
    assert (await call(RESOLVED, country="MX")).data["marketsResolvedValues"] == {
        "currencyCode": "MXN",
        "priceInclusivity": {"taxesIncluded": True},
        "catalogs": {
            "nodes": [
                {
                    "status": "ACTIVE",
                    "publication": {"id": "gid://shopify/Publication/52", "catalog": {"title": "Mexico"}},
                    "priceList": {
                        "id": "gid://shopify/PriceList/52",
                        "catalog": {"id": "gid://shopify/MarketCatalog/52"},
                    },
                    "markets": {
                        "nodes": [
                            {
                                "name": "Mexico",
                                "currencySettings": {"baseCurrency": {"currencyCode": "MXN", "manualRate": "12.975"}},
                            }
                        ]
                    },
                }
            ]
        },
        "webPresences": {"nodes": [{"defaultLocale": {"locale": "en"}}]},
    }
    other = (await call(RESOLVED, country="DE")).data["marketsResolvedValues"]
    assert (other["currencyCode"], other["catalogs"]) == ("CAD", {"nodes": []})


async def test_market_without_a_catalog_or_a_rate(call: Caller, standin: Standin) -> None:
    market = standin.shop.markets[0]
    market.has_catalog = market.tells_rate = False
    assert (await call(RESOLVED, country="MX")).data["marketsResolvedValues"]["catalogs"] == {"nodes": []}
    assert (await call(PRICE_LIST)).data["priceList"] is None
    document = """{ markets(first: 5, query: "status:ACTIVE") { nodes { name conditions { regionsCondition {
      regions(first: 5) { nodes { ... on MarketRegionCountry { code currency { manualRate } } } } } } } } }"""
    (found,) = (await call(document)).data["markets"]["nodes"]
    regions = found["conditions"]["regionsCondition"]["regions"]["nodes"]
    assert regions == [{"code": "MX", "currency": {"manualRate": None}}]


async def test_everything_is_published_unless_unpublished(call: Caller, standin: Standin) -> None:
    async def published() -> Any:
        publication = "gid://shopify/Publication/52"
        return (
            await call(
                PUBLISHED, product="gid://shopify/Product/1", variant=variant_gid(EXPENSIVE), publication=publication
            )
        ).data

    row = {"id": "gid://shopify/Publication/52", "catalog": {"id": "gid://shopify/MarketCatalog/52"}}
    before = await published()
    assert before["product"] == {"publishedInContext": True, "publishedOnPublication": True}
    assert before["productVariant"]["publishedOnPublication"] is True
    assert before["productVariant"]["resourcePublicationsV2"]["nodes"] == [{"isPublished": True, "publication": row}]
    assert before["productVariant"]["app"]["nodes"] == [{"publication": {"id": "gid://shopify/Publication/1"}}]

    standin.shop.products[1].variants[0].unpublished_from.add(52)
    after = await published()
    assert after["product"]["publishedInContext"] is True
    assert after["productVariant"]["publishedOnPublication"] is False
    assert after["productVariant"]["resourcePublicationsV2"]["nodes"] == [{"isPublished": False, "publication": row}]

    standin.shop.products[1].unpublished_from.add(52)
    assert (await published())["product"] == {"publishedInContext": False, "publishedOnPublication": False}


async def test_draft_order_has_prices_in_both_currencies(call: Caller, standin: Standin) -> None:
    document = """mutation Quote($input: DraftOrderInput!) {
      draftOrderCalculate(input: $input) {
        calculatedDraftOrder {
          presentmentCurrencyCode
          lineItems { variant { id } originalUnitPriceSet { shopMoney { amount currencyCode } presentmentMoney { amount } } }
        }
        userErrors { field message }
      }
    }"""
    line = {"variantId": variant_gid(FIXED), "quantity": 1}
    order = (await call(document, input={"lineItems": [line], "shippingAddress": {"countryCode": "MX"}})).data
    calculated = order["draftOrderCalculate"]["calculatedDraftOrder"]
    assert calculated["presentmentCurrencyCode"] == "MXN"
    assert calculated["lineItems"] == [
        {
            "variant": {"id": variant_gid(FIXED)},
            "originalUnitPriceSet": {
                "shopMoney": {"amount": "59.94", "currencyCode": "CAD"},
                "presentmentMoney": {"amount": "777.77"},
            },
        }
    ]
    by_currency = (await call(document, input={"lineItems": [line], "presentmentCurrencyCode": "MXN"})).data
    assert by_currency == order
    gone = {"variantId": variant_gid(404), "quantity": 1}
    refused = (await call(document, input={"lineItems": [line, gone]})).data["draftOrderCalculate"]
    assert refused["calculatedDraftOrder"] is None
    assert refused["userErrors"][0]["field"] == ["lineItems", "1"]


@pytest.mark.parametrize(
    ("number", "text"),
    [("24.00", "24.0"), ("9.50", "9.5"), ("0", "0.0"), ("11709", "11709.0"), ("902.45", "902.45"), ("1E+3", "1000.0")],
)
def test_decimal_has_no_trailing_zeros(number: str, text: str) -> None:
    assert decimal_text(Decimal(number)) == text


@pytest.mark.parametrize(("currency", "text"), [("EUR", "24.00"), ("JPY", "24")])
def test_money_has_trailing_zeros(currency: str, text: str) -> None:
    assert money_text(Decimal(24), currency) == text
