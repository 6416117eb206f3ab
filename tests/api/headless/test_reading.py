"""The GETs of the main API: list, bundle, products, settings (docs/contract.md#resources)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import shops
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.stored import rows
from tests.conftest import LoadShop, MakeKey

Json = dict[str, Any]

EVERYTHING = {
    "id": 10,
    "name": "Everything",
    "description": "Shirts, mugs and a card",
    "imageUrl": "https://img.example/everything.png",
    "type": "native",
    "bundlingOption": "bundles",
    "published": True,
}
NODES = [
    {"id": "c1", "kind": "condition", "type": "total-products", "operation": "gte", "value": "3.00", "sectionId": None},
    {
        "id": "c2",
        "kind": "condition",
        "type": "variant-selected",
        "variantId": "1002",
        "operation": "gte",
        "value": "1",
        "sectionId": 1,
    },
    {"id": "g1", "kind": "group", "mode": "any", "children": ["c1", "c2"]},
    {
        "id": "a1",
        "kind": "action",
        "type": "discount",
        "when": "g1",
        "discount": {"type": "percentage", "value": "15.00"},
    },
    {"id": "a5", "kind": "action", "type": "message", "when": "c1", "text": "Three"},
]
"""The conditions of bundle 10 without those that cannot run headless (x1, c3 and a4) and those that depend on them (g2, a2 and
a3)."""

SECTIONS = [
    {
        "id": 1,
        "name": "Shirts",
        "description": "Choose a shirt",
        "imageUrl": "https://img.example/shirts.png",
        "order": 0,
        "autoNextSection": True,
        "products": [{"bundleItemId": 11, "platformProductId": "100", "variantIds": []}],
    },
    {
        "id": 2,
        "name": "Mugs",
        "description": "",
        "imageUrl": "",
        "order": 1,
        "autoNextSection": False,
        "products": [{"bundleItemId": 21, "platformProductId": "200", "variantIds": ["2001"]}],
    },
    {
        "id": 3,
        "name": "Extras",
        "description": "",
        "imageUrl": "",
        "order": 2,
        "autoNextSection": False,
        "products": [
            {"bundleItemId": 31, "platformProductId": "700", "variantIds": []},
            {"bundleItemId": 32, "platformProductId": "200", "variantIds": []},
            {"bundleItemId": 33, "platformProductId": "300", "variantIds": []},
            {"bundleItemId": 34, "platformProductId": "400", "variantIds": []},
            {"bundleItemId": 35, "platformProductId": "500", "variantIds": []},
            {"bundleItemId": 36, "platformProductId": "100", "variantIds": ["1001", "1002"]},
        ],
    },
]


def plan(cadence: str, saving: str, group: tuple[int, str], frequency: int, unit: str) -> Json:
    return {
        "sellingPlanId": "",
        "name": group[1],
        "cadenceLabel": cadence,
        "savingPercent": saving,
        "groupId": group[0],
        "frequency": frequency,
        "unit": unit,
        "required": False,
    }


WHOLE = {
    **EVERYTHING,
    "layout": "multiple-sections",
    "discount": {
        "type": "percentage",
        "value": "10.00",
        "flatOrTiered": "tiered",
        "minimum": "20.00",
        "operator": "max",
        "tiers": [
            {
                "type": "total_products",
                "value": "3",
                "operation": "gte",
                "discount": "5.00",
                "customText": "Three and more",
            },
            {"type": "total_price", "value": "60.0", "operation": "gt", "discount": "12.50", "customText": None},
        ],
    },
    "sections": SECTIONS,
    "requiredProducts": [{"platformProductId": "600", "variantIds": ["6001"], "quantity": 1}],
    "limitRules": [
        {"type": "total-number-of-products", "operation": "gte", "value": "2", "sectionId": None},
        {"type": "amount-of-weight", "operation": "lte", "value": "0.90", "sectionId": 1},
    ],
    "weightUnit": "kg",
    "conditionsEngineEnabled": True,
    "conditionsEngineNodes": NODES,
    "conditionsPartial": True,
    "sellingPlans": [
        plan("Every month", "0.00", (7, "On time"), 1, "month"),
        plan("Every 2 weeks", "5.00", (7, "On time"), 2, "week"),
        plan("Every year", "20.00", (8, "Once a year"), 1, "year"),
    ],
    "personalisation": {
        "100": [
            {
                "id": "f1",
                "key": "engraving",
                "label": "Engraving",
                "type": "text",
                "required": False,
                "placeholder": "Your name",
                "characterLimit": 5,
                "options": [],
                "optionLabels": {},
                "helpText": "Five letters",
                "fee": {"variantId": "6002", "amount": "3.50", "currencyCode": "EUR"},
            }
        ],
        "300": [
            {
                "id": "f2",
                "key": "thread",
                "label": "Thread",
                "type": "dropdown",
                "required": True,
                "placeholder": "",
                "characterLimit": None,
                "options": ["Red", "Blue"],
                "optionLabels": {"Red": "Red", "Blue": "Blue"},
                "helpText": "",
                "fee": None,
            }
        ],
    },
}

WALL = {
    "id": 10,
    "name": "Wall",
    "description": "",
    "imageUrl": "",
    "type": "native",
    "bundlingOption": "bundles",
    "published": True,
}
"""The basic fields of the other shop's bundle 10."""

WHOLE_WALL = {
    **WALL,
    "layout": "single-page",
    "discount": {
        "type": "percentage",
        "value": "25.00",
        "flatOrTiered": "flat",
        "minimum": None,
        "operator": None,
        "tiers": [],
    },
    "sections": [
        {
            "id": 1,
            "name": "Posters",
            "description": "",
            "imageUrl": "",
            "order": 0,
            "autoNextSection": False,
            "products": [{"bundleItemId": 11, "platformProductId": "100", "variantIds": []}],
        }
    ],
    "requiredProducts": [],
    "limitRules": [],
    "weightUnit": "g",
    "conditionsEngineEnabled": False,
    "conditionsPartial": False,
}
"""All fields of the other shop's bundle 10. That shop has no features, so the bundle has no nodes, selling plans or
personalisation, even if the shop file defines them."""


def product(product_id: int, title: str, status: str, options: list[Json], variants: list[Json], **more: Any) -> Json:
    return {
        "platformProductId": str(product_id),
        "platformProductGid": f"gid://platform/Product/{product_id}",
        "title": title,
        "handle": title.lower(),
        "imageUrl": "",
        "status": status,
        "tags": [],
        "descriptionHtml": "",
        "options": options,
        "variants": variants,
        **more,
    }


def option(name: str, position: int, *values: str, **swatches: Json) -> Json:
    return {"name": name, "position": position, "values": list(values), "swatches": swatches}


def variant(variant_id: int, title: str, price: str, grams: int, *values: str, **more: Any) -> Json:
    return {
        "platformVariantId": str(variant_id),
        "platformVariantGid": f"gid://platform/ProductVariant/{variant_id}",
        "title": title,
        "price": price,
        "compareAtPrice": None,
        "sku": "",
        "available": True,
        "inventoryQuantity": 0,
        "grams": grams,
        "optionValues": list(values),
        **more,
    }


ONLY = "Default Title"
PRODUCTS = [
    product(
        100,
        "Shirt",
        "ACTIVE",
        [
            option(
                "Size",
                1,
                "S",
                "M",
                "L",
                "XL",
                S={"color": "#C02020", "imageUrl": ""},
                M={"color": "", "imageUrl": "https://img.example/m.png"},
            )
        ],
        [
            variant(1001, "S", "19.99", 200, "S", sku="SH-S", inventoryQuantity=5, image="https://img.example/s.png"),
            variant(1002, "M", "19.99", 210, "M", sku="SH-M", compareAtPrice="25.00"),
            variant(1003, "L", "21.50", 220, "L", sku="SH-L", inventoryQuantity=-2),
            variant(1004, "XL", "21.50", 230, "XL", sku="SH-XL", available=False),
        ],
        imageUrl="https://img.example/shirt.png",
        tags=["linen", "summer"],
        descriptionHtml="<p>Linen</p>",
    ),
    product(
        200,
        "Mug",
        "ACTIVE",
        [option("Colour", 1, "White", "Black"), option("Handle", 2, "Left", "Right")],
        [
            variant(2001, "White / Left", "8.00", 350, "White", "Left", sku="MUG-W"),
            variant(2002, "Black / Right", "9.50", 350, "Black", "Right", sku="MUG-B", inventoryQuantity=3),
        ],
    ),
    product(700, "Tea", "ACTIVE", [], [variant(7001, ONLY, "0.05", 5)]),
    product(300, "Scarf", "ARCHIVED", [], [variant(3001, ONLY, "15.00", 120)]),
    product(400, "Sock", "DRAFT", [], [variant(4001, ONLY, "5.00", 40)]),
    product(500, "Lamp", "ACTIVE", [], [variant(5001, ONLY, "30.00", 900, available=False, inventoryQuantity=-2)]),
    product(
        600,
        "Card",
        "ACTIVE",
        [option("Motif", 1, "Sun", "Moon")],
        [variant(6001, "Sun", "3.00", 10, "Sun"), variant(6002, "Moon", "3.50", 10, "Moon")],
    ),
]
"""The products of bundle 10 in order of first use: those of its sections from first to last, then the required ones."""


def in_market(
    currency: str, prices: dict[int, tuple[str, str]], unsold: tuple[int, ...] = (), rate: str | None = None
) -> list[Json]:
    """Return PRODUCTS with the fields of a market. `prices` maps each variant id to the variant's price in the market's currency
    and in the shop's."""

    def fields(variant_id: int) -> Json:
        presentment, in_shop_currency = prices[variant_id]
        return {
            "presentmentPrice": presentment,
            "presentmentCurrency": currency,
            "priceInShopCurrency": in_shop_currency,
            "availableForSale": variant_id not in unsold,
            **({"exchangeRate": rate} if rate else {}),
        }

    return [
        {**each, "variants": [one | fields(int(one["platformVariantId"])) for one in each["variants"]]}
        for each in PRODUCTS
    ]


# Price * 1.05 * 1.10, rounded to the cent; then this amount ÷ 1.10, in the shop's currency. 1002 has a fixed price of 21.00 USD.
UNITED_STATES = in_market(
    "USD",
    {
        1001: ("23.09", "20.99"),
        1002: ("21.00", "19.09"),
        1003: ("24.83", "22.57"),
        1004: ("24.83", "22.57"),
        2001: ("9.24", "8.40"),
        2002: ("10.97", "9.97"),
        7001: ("0.06", "0.05"),
        3001: ("17.33", "15.75"),
        4001: ("5.78", "5.25"),
        5001: ("34.65", "31.50"),
        6001: ("3.47", "3.15"),
        6002: ("4.04", "3.67"),
    },
    unsold=(2002,),
    rate="1.1",
)

# Price * 0.90 * 160, rounded to the yen; then this amount ÷ 160, in the shop's currency.
JAPAN = in_market(
    "JPY",
    {
        1001: ("2879.00", "17.99"),
        1002: ("2879.00", "17.99"),
        1003: ("3096.00", "19.35"),
        1004: ("3096.00", "19.35"),
        2001: ("1152.00", "7.20"),
        2002: ("1368.00", "8.55"),
        7001: ("7.00", "0.04"),
        3001: ("2160.00", "13.50"),
        4001: ("720.00", "4.50"),
        5001: ("4320.00", "27.00"),
        6001: ("432.00", "2.70"),
        6002: ("504.00", "3.15"),
    },
    rate="160",
)

WITHOUT_MARKET = in_market(
    "EUR",
    {int(one["platformVariantId"]): (one["price"], one["price"]) for each in PRODUCTS for one in each["variants"]},
)

UNKNOWN = {"error": "This resource does not exist.", "code": "not_found", "detail": "Not found."}


def without_request_id(body: Json) -> Json:
    assert body["requestId"]
    return {name: value for name, value in body.items() if name != "requestId"}


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def api_with_test_key(shared_api_with_test_key: Api) -> Api:
    return shared_api_with_test_key


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api


async def test_list_has_the_published_bundles(api: Api) -> None:
    response = (await api.get("/bundles")).held()

    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json[0] == EVERYTHING
    assert [bundle["id"] for bundle in response.json] == [
        10,
        *range(20, 28),
        30,
        31,
        40,
        41,
        50,
        51,
        60,
        61,
        62,
        71,
        80,
    ]
    assert response.json[-2] == {
        "id": 71,
        "name": "Legacy",
        "description": "",
        "imageUrl": "",
        "type": "single-product",
        "bundlingOption": "upsells",
        "published": True,
    }


async def test_test_key_lists_what_a_live_key_lists(api: Api, api_with_test_key: Api) -> None:
    assert (await api_with_test_key.get("/bundles")).json == (await api.get("/bundles")).json


async def test_list_has_the_bundles_of_the_keys_shop(other_api: Api) -> None:
    listed = (await other_api.get("/bundles")).held().json

    assert [(bundle["id"], bundle["name"]) for bundle in listed] == [
        (10, "Wall"),
        (30, "Gallery"),
        (70, "Published here"),
        (99, "Only here"),
    ]


SHOP_LINE = "shop: {handle: demo, currency: EUR, headlessEnabled: true}\n"


def many_bundles(*ids: int, unpublished: tuple[int, ...] = ()) -> str:
    lines = [
        f"  - {{id: {id_}, name: Bundle {id_}, type: native, published: {str(id_ not in unpublished).lower()}}}"
        for id_ in ids
    ]
    return "\n".join([f"{SHOP_LINE}bundles:", *lines])


async def test_list_has_up_to_a_hundred_bundles_by_id(make_api: MakeApi) -> None:
    api = await make_api(many_bundles(*range(130, 0, -1), unpublished=(2, 3, 50)))

    listed = (await api.get("/bundles")).held().json

    assert [bundle["id"] for bundle in listed] == [id_ for id_ in range(1, 104) if id_ not in (2, 3, 50)]
    assert len(listed) == 100


async def test_shop_without_bundles_has_an_empty_list(make_api: MakeApi) -> None:
    api = await make_api(SHOP_LINE)

    assert (await api.get("/bundles")).held().body == b"[]"


async def test_whole_bundle(api: Api) -> None:
    assert (await api.get("/bundles/10")).held().json == WHOLE


async def test_key_decides_whose_bundle_an_id_names(api: Api, other_api: Api) -> None:
    assert (await other_api.get("/bundles/10")).held().json == WHOLE_WALL
    assert (await api.get("/bundles/10")).held().json == WHOLE


async def test_shops_of_one_revision_are_not_mixed_up(make_api: MakeApi, make_key: MakeKey, database: Database) -> None:
    """Two shops at the same revision are not mixed up, because the shop is part of the cache key of rendered responses."""
    demo = await make_api()
    other = demo.with_key(await make_key("other"))
    await demo.refresh()
    assert [shop["revision"] for shop in await rows(database, shops)] == [3, 3]

    for _ in range(2):
        assert (await demo.get("/bundles/10")).held().json == WHOLE
        assert (await other.get("/bundles/10")).held().json == WHOLE_WALL
        for path in ("/bundles", "/bundles/10/products", "/bundles/10/products?countryCode=US", "/settings"):
            assert (await demo.get(path)).held().body != (await other.get(path)).held().body
            assert (await demo.get(path)).headers["ETag"] != (await other.get(path)).headers["ETag"]


@pytest.mark.parametrize(
    ("bundle", "fields"),
    [
        pytest.param(
            27,
            {
                "discount": None,
                "requiredProducts": [],
                "limitRules": [],
                "conditionsEngineNodes": [],
                "conditionsEngineEnabled": False,
                "conditionsPartial": False,
            },
            id="nothing set",
        ),
        pytest.param(
            21,
            {
                "discount": {
                    "type": "fixed",
                    "value": "15.00",
                    "flatOrTiered": "flat",
                    "minimum": "19.99",
                    "operator": None,
                    "tiers": [],
                }
            },
            id="fixed with minimum",
        ),
        pytest.param(
            22,
            {
                "discount": {
                    "type": "price",
                    "value": "30.00",
                    "flatOrTiered": "flat",
                    "minimum": None,
                    "operator": None,
                    "tiers": [],
                }
            },
            id="price",
        ),
        pytest.param(60, {"conditionsEngineEnabled": True, "conditionsPartial": False}, id="conditions that all run"),
        pytest.param(71, {"sections": [], "bundlingOption": "upsells", "layout": "single-page"}, id="bare"),
    ],
)
async def test_fields_of_other_bundles(api: Api, bundle: int, fields: Json) -> None:
    whole = (await api.get(f"/bundles/{bundle}")).held().json

    assert {name: whole[name] for name in fields} == fields


async def test_selling_plans_appear_when_the_bundle_can_be_subscribed_to(api: Api) -> None:
    optional = (await api.get("/bundles/10")).json["sellingPlans"]
    required = (await api.get("/bundles/50")).json["sellingPlans"]

    assert required == [{**each, "required": True} for each in optional]
    assert "sellingPlans" not in (await api.get("/bundles/51")).json
    assert "sellingPlans" not in (await api.get("/bundles/20")).json


FEATURES = "activeFeatures: [conditions, subscriptions, personalisation, translations]"
CONDITIONAL = {"conditionsEngineNodes", "sellingPlans", "personalisation"}


@pytest.mark.parametrize(
    ("features", "there"),
    [
        pytest.param("", set(), id="none"),
        pytest.param("conditions", {"conditionsEngineNodes"}, id="conditions"),
        pytest.param("subscriptions", {"sellingPlans"}, id="subscriptions"),
        pytest.param("personalisation", {"personalisation"}, id="personalisation"),
        pytest.param("ab-testing, translations, stock-reminders", set(), id="features of the embed API"),
    ],
)
async def test_conditional_fields_follow_the_shops_features(make_api: MakeApi, features: str, there: set[str]) -> None:
    api = await make_api(SHOP_TEXT.replace(FEATURES, f"activeFeatures: [{features}]"))

    whole = (await api.get("/bundles/10")).held().json

    assert whole.keys() & CONDITIONAL == there
    assert whole == {
        **{name: value for name, value in WHOLE.items() if name not in CONDITIONAL - there},
        "conditionsEngineEnabled": "conditionsEngineNodes" in there,
        "conditionsPartial": "conditionsEngineNodes" in there,
    }


async def test_products_whatever_their_status_in_order_of_first_use(api: Api) -> None:
    assert (await api.get("/bundles/10/products")).held().json == {"products": PRODUCTS}


async def test_key_decides_whose_product_an_id_names(other_api: Api) -> None:
    assert (await other_api.get("/bundles/10/products")).held().json == {
        "products": [
            product(
                100,
                "Poster",
                "ACTIVE",
                [option("Size", 1, "A3")],
                [variant(1001, "A3", "1985.00", 80, "A3", sku="PO-3")],
            )
        ]
    }


async def test_bundle_without_products_has_an_empty_list(api: Api) -> None:
    assert (await api.get("/bundles/71/products")).held().json == {"products": []}


@pytest.mark.parametrize(
    ("query", "products"),
    [
        pytest.param("countryCode=US", UNITED_STATES, id="US"),
        pytest.param("countryCode=us", UNITED_STATES, id="lower case"),
        pytest.param("countryCode=uS&lang=de&unknown=1", UNITED_STATES, id="unknown parameters are ignored"),
        pytest.param("countryCode=JP", JAPAN, id="JPY"),
        pytest.param("countryCode=GB", WITHOUT_MARKET, id="no market"),
        pytest.param("countryCode=XK", WITHOUT_MARKET, id="Kosovo"),
        pytest.param("", PRODUCTS, id="empty query"),
    ],
)
async def test_products_in_a_country(api: Api, query: str, products: list[Json]) -> None:
    assert (await api.get(f"/bundles/10/products?{query}")).held().json == {"products": products}


async def test_products_in_a_country_of_another_shop(other_api: Api) -> None:
    response = await other_api.get("/bundles/10/products?countryCode=US")

    # 1985 * 1.20 * 0.0065 = 15.483; 15.48 ÷ 0.0065 = 2381.54
    sold = response.held().json["products"][0]["variants"][0]
    assert (sold["price"], sold["presentmentPrice"], sold["presentmentCurrency"], sold["priceInShopCurrency"]) == (
        "1985.00",
        "15.48",
        "USD",
        "2382.00",
    )
    assert sold["exchangeRate"] == "0.0065"


@pytest.mark.parametrize(
    "country",
    ["", "%20", "ZZ", "USA", "U", "U%53A", "UK", "EU", "%C3%9F", "12", "US%00", "US%20", "%F0%9F%87%BA%F0%9F%87%B8"],
)
async def test_unknown_country_is_refused(api: Api, country: str) -> None:
    response = (await api.get(f"/bundles/10/products?countryCode={country}")).held(400)

    assert response.code == "invalid_request"
    assert response.paths == ["countryCode"]


async def test_only_products_read_country_code(api: Api) -> None:
    assert (await api.get("/bundles/10?countryCode=ZZ")).held().json == WHOLE
    assert (await api.get("/settings?countryCode=ZZ")).status == 200


class Forgetful(EmbeddedPlatform):
    """A platform on which the tea and the cards have been deleted."""

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        known = [product_id for product_id in product_ids if product_id not in (700, 600)]
        return await super().products(tenant, known, max_age)


async def test_product_deleted_on_the_platform_is_left_out(make_api: MakeApi, database: Database) -> None:
    api = await make_api(platform=Forgetful(database, RevisionCache()))

    response = await api.get("/bundles/10/products")

    kept = [each for each in PRODUCTS if each["platformProductId"] not in ("700", "600")]
    assert response.held().json == {"products": kept}


@pytest.mark.parametrize("key", ["live", "test"])
@pytest.mark.parametrize("path", ["", "/products"])
async def test_unpublished_bundles_are_for_test_keys(api: Api, api_with_test_key: Api, key: str, path: str) -> None:
    if key == "live":
        response = (await api.get(f"/bundles/70{path}")).held(404)
        assert without_request_id(response.json) == UNKNOWN
    else:
        response = (await api_with_test_key.get(f"/bundles/70{path}")).held()
        assert response.json["products"] if path else response.json["published"] is False


@pytest.mark.parametrize("order", ["live first", "test first"])
async def test_unpublished_bundles_do_not_leak_to_live_keys(api: Api, api_with_test_key: Api, order: str) -> None:
    """Unpublished bundles do not leak to live keys, even through the cache of rendered responses."""
    keys = [api, api_with_test_key] if order == "live first" else [api_with_test_key, api]
    seen = {each.key: [(await each.get(f"/bundles/70{path}")).status for path in ("", "/products")] for each in keys}

    assert seen == {api.key: [404, 404], api_with_test_key.key: [200, 200]}


@pytest.mark.parametrize("path", ["", "/products"])
async def test_unknown_unpublished_and_foreign_bundles_have_the_same_404(api: Api, path: str) -> None:
    """The response is the same 404 for all bundles that a key cannot see: bundle 70 is unpublished, bundle 99 exists only in the
    other shop, and bundle 98 exists in neither shop."""
    responses = [(await api.get(f"/bundles/{bundle}{path}")).held(404) for bundle in (70, 99, 98, 2**53 - 1)]

    assert [without_request_id(response.json) for response in responses] == [UNKNOWN] * 4
    headers = [
        {name: value for name, value in response.headers.items() if "ratelimit" not in name.lower()}
        for response in responses
    ]
    own = {"X-Request-ID", "X-Request-Id", "Date"}
    assert len({tuple(sorted((k, v) for k, v in each.items() if k not in own)) for each in headers}) == 1


async def test_settings(api: Api, other_api: Api) -> None:
    assert (await api.get("/settings")).held().json == {
        "activeFeatures": ["conditions", "subscriptions", "personalisation", "translations"],
        "currency": "EUR",
        "moneyFormat": "€{{amount}}",
        "weightUnit": "kg",
    }
    assert (await other_api.get("/settings")).held().json == {
        "activeFeatures": [],
        "currency": "JPY",
        "moneyFormat": "¥{{amount}}",
        "weightUnit": "g",
    }


GETS = ["/bundles", "/bundles/10", "/bundles/10/products", "/bundles/10/products?countryCode=US", "/settings"]
VOLATILE = {"date", "x-request-id", "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset"}


@pytest.mark.parametrize("path", [*GETS, "/bundles/98", "/bundles/0", "/nothing"])
async def test_head_is_get_without_the_body(api: Api, path: str) -> None:
    asked = {"Accept-Encoding": "identity"}
    got, headed = await api.get(path, asked), await api.request("HEAD", path, headers=asked)

    assert (headed.status, headed.body) == (got.status, b"")
    assert [
        {name.lower(): value for name, value in response.headers.items() if name.lower() not in VOLATILE}
        for response in (got, headed)
    ] == [{name.lower(): value for name, value in got.headers.items() if name.lower() not in VOLATILE}] * 2


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "//bundles",
        "/bundles/",
        "/bundles//",
        "/bundles//10",
        "/bundles/10/",
        "/bundles/10//products",
        "/bundles/10/products/",
        "/bundles/10/nothing",
        "/settings/",
        "/Settings",
        "/nothing",
        "/embed/api/v1/nothing",
    ],
)
async def test_unknown_paths_are_not_found(api: Api, path: str) -> None:
    response = (await api.get(path)).held(404)

    assert without_request_id(response.json) == UNKNOWN
    assert "Location" not in response.headers


NO_IDS = [
    "0",
    "00042",
    "010",
    "+10",
    "-10",
    "%2B10",
    "10.0",
    "1e1",
    "0x0a",
    "ten",
    "9007199254740992",
    "1" + "0" * 30,
    "%2010",
    "10%20",
    "10%0A",
    "10%00",
    "10%2F",
    "10%2Fproducts",
    "%D9%A1%D9%A0",
    "%EF%BC%91%EF%BC%90",
    "%C2%B2",
    "%FF",
    "%25",
    "gid:%2F%2Fplatform%2FProduct%2F10",
]


@pytest.mark.parametrize("id_", NO_IDS)
async def test_invalid_ids_are_refused(api: Api, id_: str) -> None:
    """An invalid id is reported before any other fault in the request."""
    bundle = f"/bundles/{id_}"
    bad_key = {"Idempotency-Key": ""}

    responses = [await api.get(bundle), await api.get(f"{bundle}/products?countryCode=ZZ")]
    responses += [await api.post(f"{bundle}/{action}", b"{", bad_key) for action in ("price", "configure")]

    assert [response.held(400).code for response in responses] == ["invalid_request"] * 4
    assert [response.paths for response in responses] == [["id"]] * 4


@pytest.mark.parametrize("id_", ["1", "9007199254740991", "99"])
async def test_unknown_ids_are_not_found(api: Api, id_: str) -> None:
    assert (await api.get(f"/bundles/{id_}")).status == 404


async def test_bundles_missing_from_a_newer_file_are_gone(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    assert (await api.get("/bundles/71")).status == 200

    await load_shop(
        SHOP_TEXT.replace("  - {id: 71, name: Legacy, type: single-product, bundlingOption: upsells}\n", "")
    )
    await api.refresh()

    assert (await api.get("/bundles/71")).status == 404
    assert 71 not in [bundle["id"] for bundle in (await api.get("/bundles")).json]
