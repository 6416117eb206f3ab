"""Reading products and variants."""

from decimal import Decimal
from typing import Any

import pytest

from tests.standin.calling import Caller
from tests.standin.data.generated import product, products
from tests.standin.data.shop import (
    Market,
    Option,
    OptionValue,
    Product,
    ProductText,
    SellingPlanGroup,
    Variant,
    WebhookSubscription,
)
from tests.standin.server import Standin

NODES = "query Nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }"
VARIANTS = """query Variants(
  $id: ID!, $first: Int, $after: String, $last: Int, $before: String, $reverse: Boolean, $sort: ProductVariantSortKeys
) {
  product(id: $id) {
    variants(first: $first, after: $after, last: $last, before: $before, reverse: $reverse, sortKey: $sort) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id }
    }
  }
}"""
WHOLE = """query Whole($id: ID!, $locale: String!) {
  product(id: $id) {
    handle
    status
    hasOnlyDefaultVariant
    featuredMedia { preview { image { url } } }
    translations(locale: $locale) { key value }
    variantsCount { count precision }
    options {
      name position values
      translations(locale: $locale) { key value }
      optionValues {
        name hasVariants
        swatch { color image { image { url } } }
        translations(locale: $locale) { key value }
      }
    }
    variants(first: 10) {
      nodes {
        title position price compareAtPrice sku inventoryQuantity availableForSale inventoryPolicy
        inventoryItem { id tracked measurement { weight { unit value } } variants(first: 1) { nodes { id } } }
        selectedOptions { name value }
        media(first: 1) { nodes { preview { image { url } } } }
        contextualPricing(context: { country: DE }) { price { amount currencyCode } }
        product { id }
      }
    }
  }
}"""


def gid(number: int) -> str:
    return f"gid://shopify/Product/{number}"


def shirt() -> Product:
    """A product in which every field has a value."""
    colour = Option(
        31,
        "Colour",
        [
            OptionValue(41, "Red", color="#C02020", translations={"de": "Rot"}),
            OptionValue(42, "Dots", image_url="https://cdn.example/dots.png"),
            OptionValue(43, "Unused"),
        ],
        {"de": "Farbe"},
    )
    return Product(
        7,
        "Shirt",
        "shirt",
        [colour],
        [
            Variant(
                71,
                ["Red"],
                Decimal(24),
                compare_at_price=Decimal(30),
                sku="RED",
                tracked=True,
                quantity=-2,
                weight=Decimal("0.5"),
                weight_unit="POUNDS",
                image_url="https://cdn.example/red.png",
            ),
            Variant(72, ["Dots"], Decimal("9.5"), quantity=None),
        ],
        status="UNLISTED",
        image_url="https://cdn.example/shirt.png",
        translations={"de": ProductText("Hemd")},
    )


async def test_nodes_come_in_the_requested_order(call: Caller, standin: Standin) -> None:
    standin.shop.add(*products(2))
    ids = [gid(2), gid(404), gid(1), gid(2), "gid://shopify/ProductVariant/10001", "gid://shopify/Nothing/1"]
    nodes = (await call(NODES, ids=ids)).data["nodes"]
    assert [node and node["id"] for node in nodes] == [gid(2), None, gid(1), gid(2), ids[4], None]
    assert nodes[4]["__typename"] == "ProductVariant"


async def test_product_with_every_field(call: Caller, standin: Standin) -> None:
    standin.shop.add(shirt())
    found = (await call(WHOLE, id=gid(7), locale="de")).data["product"]
    assert (found["status"], found["hasOnlyDefaultVariant"]) == ("UNLISTED", False)
    assert found["featuredMedia"]["preview"]["image"]["url"] == "https://cdn.example/shirt.png"
    assert found["translations"] == [{"key": "title", "value": "Hemd"}]
    assert found["variantsCount"] == {"count": 2, "precision": "EXACT"}

    (option,) = found["options"]
    assert (option["name"], option["position"], option["values"]) == ("Colour", 1, ["Red", "Dots"])
    assert option["translations"] == [{"key": "name", "value": "Farbe"}]
    red, dots, unused = option["optionValues"]
    assert red["swatch"] == {"color": "#C02020", "image": None}
    assert red["translations"] == [{"key": "name", "value": "Rot"}]
    assert dots["swatch"] == {"color": None, "image": {"image": {"url": "https://cdn.example/dots.png"}}}
    assert (unused["hasVariants"], unused["swatch"]) == (False, None)


async def test_variant_with_every_field(call: Caller, standin: Standin) -> None:
    standin.shop.add(shirt())
    first, second = (await call(WHOLE, id=gid(7), locale="fr")).data["product"]["variants"]["nodes"]
    assert first == {
        "title": "Red",
        "position": 1,
        "price": "24.00",
        "compareAtPrice": "30.00",
        "sku": "RED",
        "inventoryQuantity": -2,
        "availableForSale": False,
        "inventoryPolicy": "DENY",
        "inventoryItem": {
            "id": "gid://shopify/InventoryItem/40000000000071",
            "tracked": True,
            "measurement": {"weight": {"unit": "POUNDS", "value": 0.5}},
            "variants": {"nodes": [{"id": "gid://shopify/ProductVariant/71"}]},
        },
        "selectedOptions": [{"name": "Colour", "value": "Red"}],
        "media": {"nodes": [{"preview": {"image": {"url": "https://cdn.example/red.png"}}}]},
        "contextualPricing": {"price": {"amount": "24.0", "currencyCode": "EUR"}},
        "product": {"id": gid(7)},
    }
    assert (second["price"], second["contextualPricing"]["price"]["amount"]) == ("9.50", "9.5")
    assert (second["inventoryQuantity"], second["availableForSale"], second["sku"]) == (None, True, None)
    assert second["inventoryItem"]["measurement"]["weight"] is None
    assert second["media"]["nodes"] == []


async def test_product_by_handle(call: Caller, standin: Standin) -> None:
    standin.shop.add(shirt())
    document = "query H($handle: String!) { productByIdentifier(identifier: { handle: $handle }) { id } }"
    assert (await call(document, handle="shirt")).data == {"productByIdentifier": {"id": gid(7)}}
    assert (await call(document, handle="skirt")).data == {"productByIdentifier": None}
    by_id = "query I($id: ID!) { productByIdentifier(identifier: { id: $id }) { handle } }"
    assert (await call(by_id, id=gid(7))).data == {"productByIdentifier": {"handle": "shirt"}}


async def test_id_of_another_kind(call: Caller, standin: Standin) -> None:
    reply = await call("query P($id: ID!) { product(id: $id) { id } }", id="gid://shopify/ProductVariant/1")
    assert reply.json["data"] == {"product": None}
    assert (reply.codes, reply.error["path"]) == (["RESOURCE_NOT_FOUND"], ["product"])
    assert reply.error["message"] == "Invalid id: gid://shopify/ProductVariant/1"


async def test_largest_product_in_pages(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1, variants=2048))
    found: list[str] = []
    after, pages = None, 0
    while True:
        page = (await call(VARIANTS, id=gid(1), first=250, after=after)).data["product"]["variants"]
        found += [node["id"] for node in page["nodes"]]
        after, pages = page["pageInfo"]["endCursor"], pages + 1
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert pages == 9
    assert found == [f"gid://shopify/ProductVariant/{10_001 + index}" for index in range(2048)]

    whole = (await call(VARIANTS, id=gid(1), first=2048)).data["product"]["variants"]
    assert [node["id"] for node in whole["nodes"]] == found


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"first": 2}, [1, 2]),
        ({"first": 0}, []),
        ({"first": 9}, [1, 2, 3, 4, 5]),
        ({"last": 2}, [4, 5]),
        ({"first": 2, "reverse": True}, [5, 4]),
        ({"first": 2, "sort": "ID"}, [1, 2]),
    ],
)
async def test_pages(call: Caller, standin: Standin, arguments: dict[str, Any], expected: list[int]) -> None:
    standin.shop.add(product(1, variants=5))
    nodes = (await call(VARIANTS, **{"id": gid(1), "sort": "POSITION", "reverse": False, **arguments})).data
    ids = [int(node["id"].rpartition("/")[2]) - 10_000 for node in nodes["product"]["variants"]["nodes"]]
    assert ids == expected


async def test_cursors_work_in_both_directions(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1, variants=5))
    first = (await call(VARIANTS, id=gid(1), first=2)).data["product"]["variants"]["pageInfo"]
    assert (first["hasPreviousPage"], first["hasNextPage"]) == (False, True)
    second = (await call(VARIANTS, id=gid(1), first=2, after=first["endCursor"])).data["product"]["variants"]
    assert [node["id"][-1] for node in second["nodes"]] == ["3", "4"]
    cursor = second["pageInfo"]["startCursor"]
    back = (await call(VARIANTS, id=gid(1), last=1, before=cursor)).data["product"]["variants"]
    assert [node["id"][-1] for node in back["nodes"]] == ["2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "you must provide one of first or last"),
        ({"first": 1, "after": "x"}, "Malformed cursor"),
        ({"first": 1, "after": "eDox"}, "Malformed cursor"),
        ({"first": 2049}, "first must be between 0 and 2048"),
        ({"last": -1}, "last must be between 0 and 2048"),
    ],
)
async def test_invalid_paging_returns_no_data(
    call: Caller, standin: Standin, arguments: dict[str, Any], message: str
) -> None:
    standin.shop.add(product(1, variants=5))
    reply = await call(VARIANTS, id=gid(1), **arguments)
    assert (reply.codes, reply.error["message"], reply.json["data"]) == (["BAD_REQUEST"], message, None)
    assert reply.error["path"] == ["product", "variants"]


async def test_only_a_single_product_has_long_pages(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1))
    document = "query L($ids: [ID!]!) { nodes(ids: $ids) { ... on Product { variants(first: 251) { nodes { id } } } } }"
    assert (await call(document, ids=[gid(1)])).error["message"] == "first must be between 0 and 250"


async def test_nodes_of_every_kind(call: Caller, standin: Standin) -> None:
    variant = shirt().variants[0]
    standin.shop.add(shirt())
    standin.shop.markets.append(Market(52, "Mexico", ("MX",), "MXN"))
    standin.shop.selling_plan_groups.append(SellingPlanGroup(61, "Monthly", []))
    standin.shop.webhook_subscriptions.append(WebhookSubscription(62, "SHOP_UPDATE", "https://shop.example/hook"))
    kinds = ["Market", "MarketCatalog", "PriceList", "Publication"]
    ids = [f"gid://shopify/{kind}/52" for kind in kinds]
    ids += ["gid://shopify/SellingPlanGroup/61", "gid://shopify/WebhookSubscription/62"]
    ids += [f"gid://shopify/InventoryItem/{variant.inventory_item_id}"]
    nodes = (await call(NODES, ids=ids)).data["nodes"]
    assert [(node["__typename"], node["id"]) for node in nodes] == [(found.split("/")[3], found) for found in ids]
    gone = [f"{global_id}0" for global_id in ids]
    assert (await call(NODES, ids=gone)).data["nodes"] == [None] * len(ids)
    assert (await call("query N($id: ID!) { node(id: $id) { id } }", id=ids[0])).data == {"node": {"id": ids[0]}}


async def test_shop_settings(call: Caller) -> None:
    document = """{
      shop {
        enabledPresentmentCurrencies weightUnit unitSystem taxesIncluded
        resourceLimits { maxProductVariants maxProductOptions }
      }
      shopLocales { locale primary published }
      publicApiVersions { handle supported }
    }"""
    found = (await call(document)).data
    assert found["shop"] == {
        "enabledPresentmentCurrencies": ["EUR"],
        "weightUnit": "KILOGRAMS",
        "unitSystem": "METRIC_SYSTEM",
        "taxesIncluded": True,
        "resourceLimits": {"maxProductVariants": 2048, "maxProductOptions": 3},
    }
    assert found["shopLocales"] == [{"locale": "en", "primary": True, "published": True}]
    assert {"handle": "2026-07", "supported": True} in found["publicApiVersions"]


async def test_translations_of_options_and_values(call: Caller, standin: Standin) -> None:
    standin.shop.add(shirt())
    document = """query Words($ids: [ID!]!, $marketId: ID) {
      translatableResourcesByIds(resourceIds: $ids, first: 5) {
        nodes { translatableContent { value } translations(locale: "de", marketId: $marketId) { key value } }
      }
    }"""
    ids = ["gid://shopify/ProductOption/31", "gid://shopify/ProductOptionValue/41", "gid://shopify/ProductOption/404"]
    option, value = (await call(document, ids=ids)).data["translatableResourcesByIds"]["nodes"]
    assert option == {
        "translatableContent": [{"value": "Colour"}],
        "translations": [{"key": "name", "value": "Farbe"}],
    }
    assert value["translations"] == [{"key": "name", "value": "Rot"}]
    of_market = (await call(document, ids=ids, marketId="gid://shopify/Market/1")).data["translatableResourcesByIds"]
    assert [node["translations"] for node in of_market["nodes"]] == [[], []]


async def test_generated_products(call: Caller, standin: Standin) -> None:
    standin.shop.add(*products(200))
    nodes = (await call(NODES, ids=[gid(number) for number in range(1, 201)])).data["nodes"]
    assert None not in nodes
