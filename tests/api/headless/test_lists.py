"""GET /bundles with query parameters (docs/contract.md#lists)."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.headless.lists import cursor_after
from bundlesvc.api.response_cache.own_address import IDLE_SECONDS, MAX_ADDRESSES, OwnAddresses, absolute
from tests.api.conftest import BASE, Api, MakeApi, Response
from tests.conftest import LoadShop

PLAIN = {"Accept-Encoding": "identity"}
_NEXT = re.compile(r'<([^>]+)>; rel="next"')

SHOP = """
shop: {handle: demo, currency: EUR, moneyFormat: "{{amount_with_comma_separator}} €", headlessEnabled: true, locale: en,
       activeFeatures: [translations, conditions]}
products:
  - {id: "1", title: Tea, handle: tea,
     variants: [{id: "11", price: "%(tea)s", inventoryTracked: true, inventoryQuantity: "%(stock)s"}]}
  - {id: "2", title: Jam, handle: jam, variants: [{id: "21", price: "6.00"}]}
  - {id: "9", title: Box, handle: box, variants: [{id: "91", price: "0.00"}]}
bundles:
  - id: 1
    name: Box
    imageUrl: /images/box.svg
    platformProductId: "9"
    parentVariantId: "91"
    type: native
    sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "1"}, {bundleItemId: 2, platformProductId: "2"}]}]
    limitRules: [{type: total-number-of-products, operation: gte, value: "3"}]
    discount: {type: percentage, value: "10.00", flatOrTiered: flat}
    translations: {de: {name: Kiste}}
  - id: 2
    name: Cheapest unknown
    imageUrl: //img.example/2.svg
    platformProductId: "9"
    parentVariantId: "91"
    type: native
    sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "1"}]}]
    conditions: [{id: a, kind: action, type: discount, discount: {type: fixed, value: "1.00"}}]
  - {id: 3, name: Without a product, imageUrl: "https://img.example/3.svg", type: native}
"""


def shop(tea: str = "4.00", stock: str = "100") -> str:
    return SHOP % {"tea": tea, "stock": stock}


@pytest.fixture
async def small(make_api: MakeApi) -> Api:
    return await make_api(shop())


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


async def listed(api: Api, query: str, **headers: str) -> Response:
    return (await api.get(f"/bundles?{query}", {**PLAIN, **headers})).held()


def next_query(response: Response) -> str | None:
    """The query string of the link to the next page, or None on the last page."""
    found = _NEXT.fullmatch(response.headers.get("Link", ""))
    if found is None:
        return None
    address = urlsplit(found[1])
    assert address.path == f"{BASE}/bundles"
    return address.query


async def test_other_parameters_leave_the_list_as_it_is(api: Api) -> None:
    without = (await api.get("/bundles", PLAIN)).held()
    with_others = await listed(api, "page=2&id=1")
    assert with_others.body == without.body
    assert "Link" not in with_others.headers
    assert "Content-Language" not in with_others.headers


async def test_offers_are_in_the_language_with_absolute_images(small: Api) -> None:
    response = await listed(small, "include=offer&lang=de-AT", Host="bundles.example")
    common = {"description": "", "type": "native", "bundlingOption": "bundles", "published": True}
    assert response.json == [
        {
            **common,
            "id": 1,
            "name": "Kiste",
            "imageUrl": "http://bundles.example/images/box.svg",
            "handle": "box",
            "fromPrice": "10.80",
            "discountSummary": "10 % Rabatt",
        },
        {
            **common,
            "id": 2,
            "name": "Cheapest unknown",
            "imageUrl": "http://img.example/2.svg",
            "handle": "box",
            "fromPrice": None,
            "discountSummary": None,
        },
        {
            **common,
            "id": 3,
            "name": "Without a product",
            "imageUrl": "https://img.example/3.svg",
            "handle": "",
            "fromPrice": None,
            "discountSummary": None,
        },
    ]
    assert response.headers["Content-Language"] == "de"


async def test_without_a_language_texts_are_in_the_shops(small: Api) -> None:
    response = await listed(small, "limit=1", **{"Accept-Language": "de"})
    assert response.json[0]["name"] == "Box"
    assert response.headers["Content-Language"] == "en"


async def test_links_lead_through_all_bundles(api: Api) -> None:
    whole = [bundle["id"] for bundle in (await api.get("/bundles")).held().json]
    query: str | None = "limit=7&lang=de"
    parts = []
    while query is not None:
        response = await listed(api, query)
        assert ("lang", "de") in parse_qsl(query)
        parts.append([bundle["id"] for bundle in response.json])
        query = next_query(response)
    assert [len(part) for part in parts] == [7, 7, len(whole) - 14]
    assert [bundle_id for part in parts for bundle_id in part] == whole


async def test_parts_reach_beyond_a_hundred_bundles(make_api: MakeApi) -> None:
    bundles = "".join(f"\n  - {{id: {number}, name: B, type: native}}" for number in range(1, 131))
    api = await make_api(f"shop: {{handle: demo, currency: EUR, headlessEnabled: true}}\nbundles:{bundles}")
    first = await listed(api, "limit=100")
    query = next_query(first)
    assert query is not None
    second = await listed(api, query)
    assert [bundle["id"] for bundle in (*first.json, *second.json)] == list(range(1, 131))
    assert next_query(second) is None


async def test_handle_lists_the_bundles_of_its_product(api: Api) -> None:
    found = (await listed(api, "handle=set&include=offer")).json
    assert [(bundle["id"], bundle["handle"]) for bundle in found] == [(30, "set"), (31, "set"), (61, "set")]
    assert (await listed(api, "handle=unknown")).json == []
    assert (await listed(api, "handle=lamp")).json == []


async def test_every_faulty_parameter_is_named(api: Api) -> None:
    query = "limit=0&cursor=YWZ0ZXI6MQ==&include=offers&lang=d%20e&handle="
    response = (await api.get(f"/bundles?{query}")).held(400)
    assert response.code == "invalid_request"
    assert sorted(response.paths) == ["cursor", "handle", "include", "lang", "limit"]


FAULTY = [
    *(f"limit={text}" for text in ("", "101", "-1", "1.0", "01", "%D9%A1", "1e1")),
    *(f"cursor={text}" for text in ("", "1", "%C3%A4", "YWZ0ZXI6MA", "YWZ0ZXI6LTE", "Zm9vOjE", cursor_after(2**53), "a" * 999)),
    *(f"lang={text}" for text in ("", "*", "d", "de_DE", "de%00", "x" * 50)),
    *(f"handle={text}" for text in ("", "a%00b", "%E2%80%AEab", "x" * 256)),
    *(f"include={text}" for text in ("", "Offer", "offer,offer", "products")),
]  # fmt: skip


@pytest.mark.parametrize("query", FAULTY)
async def test_faulty_parameter_is_refused(api: Api, query: str) -> None:
    response = (await api.get(f"/bundles?{query}")).held(400)
    assert response.paths == [query.partition("=")[0]]


async def test_from_price_follows_prices_and_stock(small: Api, load_shop: LoadShop, tmp_path: Path) -> None:
    async def price(text: str) -> object:
        await load_shop(text)
        await small.refresh()
        return (await listed(small, "include=offer")).json[0]["fromPrice"]

    assert await price(shop(tea="4.10")) == "11.07"
    assert await price(shop(stock="2")) == "12.60"
    assert await price(shop()) == "10.80"


async def test_list_is_validated_by_its_etag(small: Api) -> None:
    whole = await listed(small, "include=offer&limit=1")
    for _ in range(3):  # from the application, then the fast path
        again = await small.get("/bundles?include=offer&limit=1", {**PLAIN, "If-None-Match": whole.headers["ETag"]})
        assert again.status == 304
        assert again.headers["Link"] == whole.headers["Link"]
        assert (await listed(small, "include=offer&limit=1")).body == whole.body


async def test_edge_answers_lists(small: Api) -> None:
    table = small.client.app[FAST_PATH]._gets._table
    for _ in range(3):
        await listed(small, "include=offer&lang=de")
    assert any("Kiste" in found.raw.body.decode() for found in table._responses.values())


def test_new_origin_takes_the_place_of_one_that_is_not_used() -> None:
    addresses = OwnAddresses()
    assert all(addresses.is_cached(f"https://{number}.example", 0) for number in range(MAX_ADDRESSES))
    assert not addresses.is_cached("https://new.example", IDLE_SECONDS - 1)
    assert addresses.is_cached("https://0.example", IDLE_SECONDS)
    assert addresses.is_cached("https://new.example", IDLE_SECONDS)
    assert len(addresses._used_at) == MAX_ADDRESSES


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/a.svg", "https://shop.example/a.svg"),
        ("//img.example/a.svg", "https://img.example/a.svg"),
        ("http://img.example/a.svg", "http://img.example/a.svg"),
        ("a.svg", "a.svg"),
        ("", ""),
    ],
)
def test_absolute_address(address: str, found: str) -> None:
    assert absolute(address, "https://shop.example") == found
    assert absolute(address, "") == address
