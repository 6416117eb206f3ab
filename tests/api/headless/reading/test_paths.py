"""Paths and ids for which there is no bundle, and HEAD requests (docs/contract.md#resources)."""

import pytest

from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.selection import Json
from tests.conftest import LoadShop

UNKNOWN = {"error": "This resource does not exist.", "code": "not_found", "detail": "Not found."}


def without_request_id(body: Json) -> Json:
    assert body["requestId"]
    return {name: value for name, value in body.items() if name != "requestId"}


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
