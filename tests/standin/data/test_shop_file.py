"""The stand-in, with the demo shop's data, returns the same results as the embedded platform."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.domain.money import round_amount
from bundlesvc.domain.product import market_price
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import read_shop_file
from tests.standin.calling import Caller
from tests.standin.data.connected_file import write_connected_file
from tests.standin.data.shop import Shop
from tests.standin.data.shop_file import from_shop_file

DEMO = Path(__file__).parents[3] / "config" / "demo-shop.yaml"

SHOP = (
    "{ shop { name myshopifyDomain currencyCode currencyFormats { moneyFormat } weightUnit } shopLocales { locale } }"
)
PRODUCTS = """query Products($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      title handle status tags descriptionHtml
      featuredMedia { preview { image { url } } }
      options { name optionValues { name swatch { color image { image { url } } } } }
      variants(first: 100) {
        nodes {
          id title price compareAtPrice sku inventoryPolicy inventoryQuantity availableForSale
          inventoryItem { tracked measurement { weight { unit value } } }
          selectedOptions { name value }
        }
      }
    }
  }
}"""
PRICES = """query Prices($ids: [ID!]!, $country: CountryCode!, $publication: ID!) {
  nodes(ids: $ids) {
    ... on ProductVariant {
      contextualPricing(context: { country: $country }) { price { amount currencyCode } }
      publishedOnPublication(publicationId: $publication)
    }
  }
}"""
PLANS = """query Plans($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      sellingPlanGroups(first: 10) {
        nodes {
          name
          sellingPlans(first: 31) {
            nodes {
              billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval intervalCount } }
              pricingPolicies {
                ... on SellingPlanPricingPolicyBase {
                  adjustmentType
                  adjustmentValue { ... on SellingPlanPricingPolicyPercentageValue { percentage } }
                }
              }
            }
          }
        }
      }
    }
  }
}"""
WORDS = """query Words($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Product { translations(locale: "de") { key value } } }
  translatableResourcesByIds(resourceIds: $ids, first: 1) {
    nodes { resourceId translatableContent { key value locale } translations(locale: "de") { key value } }
  }
}"""


@pytest.fixture(scope="module")
def demo() -> ShopFile:
    return read_shop_file(DEMO)


@pytest.fixture
def standin_shop() -> Shop:
    return from_shop_file(DEMO)


def gids(kind: str, numbers: list[int]) -> list[str]:
    return [f"gid://shopify/{kind}/{number}" for number in numbers]


async def test_shop_settings(call: Caller) -> None:
    found = (await call(SHOP)).data
    assert found == {
        "shop": {
            "name": "Alder & Finch Coffee",
            "myshopifyDomain": "demo.myshopify.com",
            "currencyCode": "EUR",
            "currencyFormats": {"moneyFormat": "{{amount}}"},
            "weightUnit": "KILOGRAMS",
        },
        "shopLocales": [{"locale": "en"}, {"locale": "de"}],
    }


async def test_every_product_and_variant(call: Caller, demo: ShopFile) -> None:
    nodes = (await call(PRODUCTS, ids=gids("Product", [product.id for product in demo.products]))).data["nodes"]
    for product, node in zip(demo.products, nodes, strict=True):
        assert (node["title"], node["handle"], node["status"]) == (product.title, product.handle, product.status)
        assert (tuple(node["tags"]), node["descriptionHtml"]) == (product.tags, product.description_html)
        image = node["featuredMedia"] and node["featuredMedia"]["preview"]["image"]["url"]
        assert (image or "") == product.image_url
        if product.options:
            names = [
                (option["name"], [value["name"] for value in option["optionValues"]]) for option in node["options"]
            ]
            assert names == [(option.name, list(option.values)) for option in product.options]
        assert [_as_ours(variant) for variant in node["variants"]["nodes"]] == [
            {
                "id": f"gid://shopify/ProductVariant/{variant.id}",
                "title": variant.title,
                "price": variant.price,
                "compareAtPrice": variant.compare_at_price,
                "sku": variant.sku,
                "tracked": variant.inventory_tracked,
                "policy": variant.inventory_policy,
                "quantity": variant.inventory_quantity,
                "available": variant.available,
                "grams": variant.grams,
                "values": variant.option_values or (variant.title,),
            }
            for variant in product.variants
        ]


def _as_ours(node: Mapping[str, Any]) -> Mapping[str, Any]:
    compare_at = node["compareAtPrice"]
    weight = node["inventoryItem"]["measurement"]["weight"]
    assert weight["unit"] == "GRAMS"
    return {
        "id": node["id"],
        "title": node["title"],
        "price": Decimal(node["price"]),
        "compareAtPrice": None if compare_at is None else Decimal(compare_at),
        "sku": node["sku"],
        "tracked": node["inventoryItem"]["tracked"],
        "policy": node["inventoryPolicy"].lower(),
        "quantity": node["inventoryQuantity"],
        "available": node["availableForSale"],
        "grams": weight["value"],
        "values": tuple(option["value"] for option in node["selectedOptions"]),
    }


async def test_swatches(call: Caller, demo: ShopFile) -> None:
    with_swatches = [product for product in demo.products if any(option.swatches for option in product.options)]
    assert with_swatches
    nodes = (await call(PRODUCTS, ids=gids("Product", [product.id for product in with_swatches]))).data["nodes"]
    for product, node in zip(with_swatches, nodes, strict=True):
        for option, found in zip(product.options, node["options"], strict=True):
            colours = {value["name"]: value["swatch"]["color"] for value in found["optionValues"] if value["swatch"]}
            assert colours == {name: swatch.color for name, swatch in option.swatches.items()}


@pytest.mark.parametrize("country", ["US", "CH", "JP", "DE"])
async def test_every_price_in_every_market(call: Caller, demo: ShopFile, standin_shop: Shop, country: str) -> None:
    """In every market, the stand-in and the embedded platform agree on the presentment price of every variant and on whether it
    is sold there."""
    variants = [variant for product in demo.products for variant in product.variants]
    market = next((market for market in demo.markets if market.country_code == country), None)
    there = standin_shop.market_of(country)
    publication = f"gid://shopify/Publication/{there.id if there else 1}"
    ids = gids("ProductVariant", [variant.id for variant in variants])
    nodes = (await call(PRICES, ids=ids, country=country, publication=publication)).data["nodes"]
    assert len(nodes) > 50
    for variant, node in zip(variants, nodes, strict=True):
        ours, price = market_price(variant, market, "EUR"), node["contextualPricing"]["price"]
        assert Decimal(price["amount"]) == ours.presentment_price
        assert price["currencyCode"] == ours.presentment_currency
        assert node["publishedOnPublication"] is ours.available_for_sale


async def test_the_rate_gives_the_embedded_platforms_value_in_shop_currency(demo: ShopFile, standin_shop: Shop) -> None:
    for ours, theirs in zip(demo.markets, standin_shop.markets, strict=True):
        assert (theirs.countries, theirs.rate, theirs.tells_rate) == ((ours.country_code,), ours.exchange_rate, True)
        priced = market_price(demo.products[0].variants[0], ours, "EUR")
        assert round_amount(priced.presentment_price / theirs.rate, "EUR") == priced.price_in_shop_currency


async def test_subscriptions_are_selling_plans(call: Caller, demo: ShopFile) -> None:
    bundles = [bundle for bundle in demo.bundles if bundle.product_id and bundle.subscription.groups]
    assert bundles
    for bundle in bundles:
        (node,) = (await call(PLANS, ids=gids("Product", [bundle.product_id or 0]))).data["nodes"]
        found = {
            (group["name"], policy["intervalCount"], policy["interval"].lower(), _percentage(plan["pricingPolicies"]))
            for group in node["sellingPlanGroups"]["nodes"]
            for plan in group["sellingPlans"]["nodes"]
            for policy in [plan["billingPolicy"]]
        }
        own = {
            (group.name, option.frequency, option.unit, option.discount)
            for group in bundle.subscription.groups
            for option in group.options
        }
        assert own <= found


def _percentage(policies: list[Any]) -> Decimal | None:
    assert all(policy["adjustmentType"] == "PERCENTAGE" for policy in policies)
    return Decimal(str(policies[0]["adjustmentValue"]["percentage"])) if policies else None


async def test_translations(call: Caller, demo: ShopFile) -> None:
    found = (await call(WORDS, ids=gids("Product", [1002, 404]))).data
    text = demo.products[1].translations["de"]
    rows = [{"key": "title", "value": text.title}, {"key": "body_html", "value": text.description_html}]
    assert found["nodes"] == [{"translations": rows}, None]
    (resource,) = found["translatableResourcesByIds"]["nodes"]
    assert resource["translations"] == rows
    assert resource["translatableContent"][0] == {"key": "title", "value": "Harbour Blend", "locale": "en"}


def test_connected_file_has_the_same_shop_and_bundles(tmp_path: Path, demo: ShopFile) -> None:
    target = tmp_path / "connected" / "shop.yaml"
    assert write_connected_file(DEMO, target, "demo.myshopify.com") == "demo"
    connected = read_shop_file(target)
    assert (connected.shop.platform.kind, connected.shop.platform.domain) == ("shopify", "demo.myshopify.com")
    assert (connected.shop.settings, connected.products, connected.markets) == (None, (), ())
    assert connected.bundles == demo.bundles
    assert connected.experiments == demo.experiments
