"""A client sends requests with invented hosts and schemes, so that image URLs in the responses to others point to those hosts, or
the caches fill with one copy of each list per host."""

from itertools import product

import pytest
from yarl import URL

from bundlesvc.api.app_keys import OWN_ADDRESSES, RESPONSE_CACHE
from bundlesvc.api.response_cache.own_address import MAX_ADDRESSES
from tests.api.conftest import BASE, Api, MakeApi

SHOP = """
shop: {handle: demo, currency: EUR, headlessEnabled: true}
bundles: [{id: 1, name: Box, type: native, imageUrl: /images/box.svg}]
"""


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    return await make_api(SHOP)


async def image(api: Api, path: str, host: str, scheme: str = "http") -> str:
    """The address of the first bundle's image in the response of a list endpoint."""
    headers = {"Host": host, "X-Forwarded-Proto": scheme, "Authorization": f"Bearer {api.key}"}
    async with api.client.get(URL(f"{BASE}{path}", encoded=True), headers=headers) as response:
        listed = await response.json()
    return str(listed[0]["imageUrl"])


@pytest.mark.parametrize("path", ["/bundles?limit=1", "/%62undles?limit=1", "/bundles?include=offer"])
async def test_images_never_lead_to_the_host_of_another_request(api: Api, path: str) -> None:
    hosts = ("shop.example", "evil.example", "shop.example", "evil.example:8080", "evil.example")
    for host, scheme in product(hosts * 2, ("https", "http")):
        assert await image(api, path, host, scheme) == f"{scheme}://{host}/images/box.svg"


async def test_list_without_parameters_names_no_host(api: Api) -> None:
    assert await image(api, "/bundles", "evil.example") == "/images/box.svg"


async def test_invented_hosts_do_not_fill_the_cache(api: Api) -> None:
    for number in range(3 * MAX_ADDRESSES):
        host = f"{number}.example"
        assert await image(api, "/bundles?limit=1", host) == f"http://{host}/images/box.svg"
    assert len(api.client.app[OWN_ADDRESSES]._used_at) == MAX_ADDRESSES
    assert len(api.client.app[RESPONSE_CACHE]._entries) == MAX_ADDRESSES


@pytest.mark.parametrize("host", ["a b", "a/b", "user@a.example", "<script>", "a" * 300, "a.example:123456"])
async def test_host_that_cannot_be_is_in_no_address(api: Api, host: str) -> None:
    response = await api.get("/bundles?limit=1", {"Host": host})
    assert response.status == 400 or response.json[0]["imageUrl"] == "/images/box.svg"
