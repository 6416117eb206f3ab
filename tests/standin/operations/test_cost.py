"""The costs estimated for operations before they run, checked against the costs that the platform itself reported for the same
documents."""

import pytest

from tests.standin.operations.cost import Part, size_factor
from tests.standin.operations.estimates import requested

VARIANT = """{
  id
  inventoryItem { id measurement { weight { unit value } } }
  selectedOptions { name value }
  media(first: 1) { nodes { preview { image { url } } } }
}"""
PRODUCTS = f"""query Products($ids: [ID!]!, $first: Int!) {{
  nodes(ids: $ids) {{
    ... on Product {{
      id
      featuredMedia {{ preview {{ image {{ url }} }} }}
      options {{ name optionValues {{ name swatch {{ color image {{ image {{ url }} }} }} }} }}
      variants(first: $first) {{ pageInfo {{ hasNextPage }} nodes {VARIANT} }}
    }}
  }}
}}"""
PAGE = f"""query Page($id: ID!, $first: Int!) {{
  product(id: $id) {{ variants(first: $first) {{ pageInfo {{ endCursor }} nodes {VARIANT} }} }}
}}"""
EDGES = """query Edges($id: ID!, $first: Int!) {
  product(id: $id) { variants(first: $first) { edges { cursor node { inventoryItem { id } } } } }
}"""
NODES_AND_EDGES = """query Both($id: ID!, $first: Int!) {
  product(id: $id) { variants(first: $first) { nodes { id } edges { node { id } } } }
}"""
PRICES = """query Prices($ids: [ID!]!, $first: Int!) {
  nodes(ids: $ids) {
    ... on Product {
      variants(first: $first) {
        nodes {
          id
          de: contextualPricing(context: { country: DE }) { price { amount } }
          us: contextualPricing(context: { country: US }) { price { amount } }
        }
      }
    }
  }
}"""
SHOP = """{
  shop { primaryDomain { host } currencyFormats { moneyFormat } plan { shopifyPlus } resourceLimits { maxProductOptions } }
  shopLocales { locale }
  publicApiVersions { handle }
}"""
SELLING_PLANS = """query Plans($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      sellingPlanGroups(first: 20) {
        nodes {
          sellingPlans(first: 31) {
            nodes {
              billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval } }
              deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { interval } }
              pricingPolicies {
                ... on SellingPlanPricingPolicyBase {
                  adjustmentValue { ... on MoneyV2 { amount } ... on SellingPlanPricingPolicyPercentageValue { percentage } }
                }
              }
            }
          }
        }
      }
    }
  }
}"""
MARKETS = """query Markets($first: Int!) {
  markets(first: $first) {
    nodes {
      currencySettings { baseCurrency { currencyCode } }
      conditions {
        regionsCondition { regions(first: 250) { nodes { name ... on MarketRegionCountry { currency { manualRate } } } } }
      }
      catalogs(first: 10) { nodes { priceList { id } publication { id } } }
    }
  }
}"""
TRANSLATIONS = """query Words($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      translations(locale: "de") { value }
      options { translations(locale: "de") { value } optionValues { translations(locale: "de") { value } } }
    }
  }
}"""
CREATE = """mutation Create($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkCreate(productId: $id, variants: $variants) { productVariants { id } userErrors { message } }
}"""
DELETE = """mutation Delete($id: ID!, $ids: [ID!]!) {
  productVariantsBulkDelete(productId: $id, variantsIds: $ids) { product { id } userErrors { field } }
}"""
ONLY_ONE_BRANCH = """query Either($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on ProductVariant { inventoryItem { id } }
    ... on Product { featuredMedia { preview { image { url } } } }
  }
}"""
LEFT_OUT = """query Maybe($id: ID!, $wanted: Boolean!) {
  product(id: $id) { options @include(if: $wanted) { name } }
}"""

PRODUCT = "gid://shopify/Product/1"


@pytest.mark.parametrize(
    ("first", "factor"), [(0, 0), (1, 1), (2, 1), (5, 3), (10, 4), (20, 5), (50, 7), (100, 9), (250, 11)]
)
def test_factor_of_a_page(first: int, factor: int) -> None:
    assert size_factor(first) == factor


@pytest.mark.parametrize(
    ("document", "variables", "cost"),
    [
        (PRODUCTS, {"ids": [PRODUCT], "first": 100}, 83),
        (PRODUCTS, {"ids": [PRODUCT] * 250, "first": 100}, 83),  # a list counts once, whatever its length
        (PAGE, {"id": PRODUCT, "first": 250}, 91),
        (EDGES, {"id": PRODUCT, "first": 250}, 25),
        (NODES_AND_EDGES, {"id": PRODUCT, "first": 10}, 1 + 2 + 4 * 2),
        (PRICES, {"ids": [PRODUCT], "first": 100}, 1 + 2 + 9 * 3),  # nine more for each country
        (SHOP, {}, 7),
        (SELLING_PLANS, {"ids": [PRODUCT]}, 168),
        (MARKETS, {"first": 250}, 475),
        (TRANSLATIONS, {"ids": [PRODUCT]}, 6),
        (CREATE, {"id": PRODUCT, "variants": [{"price": "1"}] * 1499}, 310),
        (DELETE, {"id": PRODUCT, "ids": ["gid://shopify/ProductVariant/1"]}, 10),
        ("{ productsCount { count } }", {}, 10),
        (ONLY_ONE_BRANCH, {"ids": [PRODUCT]}, 1 + 3),  # the most expensive of the fragments that may apply
        (LEFT_OUT, {"id": PRODUCT, "wanted": True}, 2),
        (LEFT_OUT, {"id": PRODUCT, "wanted": False}, 1),
    ],
)
def test_requested_cost(document: str, variables: dict[str, object], cost: int) -> None:
    assert requested(document, **variables) == cost


def test_actual_cost_counts_only_returned_data() -> None:
    page = Part(2, [{"nodes": Part(1, [{"inventoryItem": Part(1)}])}], page=100)
    whole = Part(branches=[{"product": Part(1, [{"variants": page}])}])
    assert whole.requested == 1 + 2 + 9 * 2

    def found(nodes: int) -> dict[str, object]:
        return {"product": {"variants": {"nodes": [{"id": "1", "inventoryItem": {"id": "2"}}] * nodes}}}

    costs = {nodes: whole.actual(found(nodes)) for nodes in (0, 1, 10, 50, 100)}
    assert costs == {0: 3, 1: 4, 10: 5, 50: 12, 100: 21}
    assert whole.actual({"product": None}) == 0
    assert whole.actual(None) == 0


def test_a_list_costs_as_much_as_its_most_costly_item() -> None:
    whole = Part(branches=[{"nodes": Part(1, [{"media": Part(1)}, {"options": Part(1, [{"swatch": Part(1)}])}])}])
    assert whole.actual({"nodes": [None, {"media": {}}, {"options": [{"swatch": None}, {"swatch": {}}]}]}) == 3
