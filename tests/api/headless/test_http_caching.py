"""HTTP caching: ETags, freshness, Vary, compression (docs/contract.md#http-caching)."""

import gzip
import re
from collections.abc import Mapping, Sequence

import pytest

from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import SHOP_TEXT, Api, MakeApi, Response
from tests.api.raw import raw_exchange
from tests.api.selection import configure_body
from tests.conftest import LoadShop
from tests.fakes import FakeClock

GETS = [
    "/bundles",
    "/bundles?include=offer",
    "/bundles?limit=2",
    "/bundles/10",
    "/bundles/10/products",
    "/bundles/10/products?countryCode=US",
    "/settings",
]
PLAIN = {"Accept-Encoding": "identity"}
_FRESHNESS = re.compile(r"private, max-age=([0-9]+), stale-while-revalidate=([0-9]+)")
_ETAG = re.compile(r'"([^"]+)"')


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api


async def plain(api: Api, path: str, headers: Mapping[str, str] | None = None) -> Response:
    """Fetch a resource without compression."""
    return await api.get(path, {**PLAIN, **(headers or {})})


def named(response: Response) -> str:
    """The ETag without its quotation marks."""
    found = _ETAG.fullmatch(response.headers["ETag"])
    assert found, response.headers["ETag"]
    return found[1]


def freshness(response: Response) -> tuple[int, int]:
    """The max-age and stale-while-revalidate of a response."""
    found = _FRESHNESS.fullmatch(response.headers["Cache-Control"])
    assert found, response.headers["Cache-Control"]
    return int(found[1]), int(found[2])


def varies_by(response: Response) -> set[str]:
    return {name.strip().lower() for name in response.headers["Vary"].split(",")}


@pytest.mark.parametrize("path", GETS)
async def test_every_get_has_an_etag(api: Api, path: str) -> None:
    first, again = await plain(api, path), await plain(api, path)

    assert named(first) == named(again)
    assert first.body == again.body
    assert freshness(first)[0] > 0
    assert freshness(first)[1] > 0
    assert varies_by(first) == {"authorization", "origin", "accept-encoding"}


async def test_products_are_fresh_for_a_shorter_time_than_bundles(api: Api) -> None:
    bundle, products = await plain(api, "/bundles/10"), await plain(api, "/bundles/10/products")

    assert freshness(products)[0] < freshness(bundle)[0]


async def test_different_representations_have_different_etags(api: Api, other_api: Api) -> None:
    responses = [await plain(api, path) for path in [*GETS, "/bundles/10/products?countryCode=JP", "/bundles/20"]]
    responses.append(await plain(other_api, "/bundles/10"))

    assert len({named(response) for response in responses}) == len(responses)


SAME = [
    pytest.param('"{tag}"', id="the tag"),
    pytest.param('W/"{tag}"', id="weak"),
    pytest.param("*", id="any"),
    pytest.param('"{tag}-gzip"', id="of the gzip representation"),
    pytest.param('"{tag}-br"', id="of the Brotli representation"),
    pytest.param('W/"{tag}-gzip"', id="weak, of the gzip representation"),
    pytest.param('"other", "{tag}"', id="in a list"),
    pytest.param('"other",W/"{tag}-br","more"', id="in a dense list"),
    pytest.param(' "{tag}" ', id="white space"),
]


@pytest.mark.parametrize("if_none_match", SAME)
async def test_known_etag_is_a_304(api: Api, if_none_match: str) -> None:
    first = await plain(api, "/bundles/10")

    response = await plain(api, "/bundles/10", {"If-None-Match": if_none_match.format(tag=named(first))})

    assert response.held(304).body == b""
    assert response.headers["ETag"] == first.headers["ETag"]


OTHER = [
    pytest.param('"other"', id="another tag"),
    pytest.param("", id="nothing"),
    pytest.param("{tag}", id="without quotation marks"),
    pytest.param('"{tag}x"', id="a longer tag"),
    pytest.param('"x{tag}"', id="with a beginning"),
    pytest.param('"{short}"', id="a shorter tag"),
    pytest.param('"{tag}-deflate"', id="of a representation that there is not"),
    pytest.param('"*"', id="a star in quotation marks"),
    pytest.param('"{tag}', id="an open quotation mark"),
]


@pytest.mark.parametrize("if_none_match", OTHER)
async def test_unknown_etag_gets_the_body(api: Api, if_none_match: str) -> None:
    first = await plain(api, "/bundles/10")
    tag = named(first)

    response = await plain(api, "/bundles/10", {"If-None-Match": if_none_match.format(tag=tag, short=tag[:-1])})

    assert response.held().body == first.body


@pytest.mark.parametrize("path", GETS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_304_has_the_headers_of_the_200(api: Api, path: str, method: str) -> None:
    """A 304 response has the same Cache-Control, ETag and Vary headers as the 200 response, and no body (RFC 9110, 15.4.5)."""
    whole = await plain(api, path)

    response = await api.request(method, path, headers={**PLAIN, "If-None-Match": whole.headers["ETag"]})

    assert response.held(304).body == b""
    kept = ("ETag", "Cache-Control", "Vary")
    assert [response.headers[name] for name in kept] == [whole.headers[name] for name in kept]
    assert "Content-Type" not in response.headers
    assert response.headers.get("Content-Length", "0") in ("0", whole.headers["Content-Length"])
    assert response.headers["X-Request-Id"]


async def test_errors_are_never_304(make_api: MakeApi) -> None:
    """An error response never becomes a 304, because `If-None-Match: *` matches only what exists."""
    api = await make_api()
    any_tag = {"If-None-Match": "*"}

    assert (await api.get("/bundles/98", any_tag)).status == 404
    assert (await api.get("/bundles/0", any_tag)).status == 400
    assert (await api.with_key(None).get("/bundles", any_tag)).status == 403


async def test_etag_of_another_shop_is_unknown(api: Api, other_api: Api) -> None:
    foreign = await plain(other_api, "/bundles/10")

    assert (await plain(api, "/bundles/10", {"If-None-Match": foreign.headers["ETag"]})).held().json["id"] == 10


NEW_PRICE = SHOP_TEXT.replace('title: S, price: "19.99"', 'title: S, price: "29.99"')


async def test_new_data_has_a_new_etag(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    path = "/bundles/10/products"
    before = await plain(api, path)
    await load_shop(NEW_PRICE)
    await api.refresh()

    after = await plain(api, path, {"If-None-Match": before.headers["ETag"]})

    assert after.held().json["products"][0]["variants"][0]["price"] == "29.99"
    assert named(after) != named(before)
    assert (await plain(api, path, {"If-None-Match": after.headers["ETag"]})).status == 304


async def test_unchanged_data_keeps_its_etag(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    before = await plain(api, "/settings")
    await load_shop(NEW_PRICE)
    await api.refresh()

    assert (await plain(api, "/settings", {"If-None-Match": before.headers["ETag"]})).status == 304


CHANGED = SHOP_TEXT.replace("name: Everything", "name: Everything new").replace("weightUnit: kg", "weightUnit: g")


async def test_warm_read_is_the_same_as_a_cold_one(make_api: MakeApi, load_shop: LoadShop) -> None:
    """After a change, a read from the cache equals an uncached read, because new data also replaces cached responses."""
    api = await make_api()
    for path in GETS:
        await plain(api, path)
    await load_shop(CHANGED)
    await api.refresh()
    warm = {path: await plain(api, path) for path in GETS}

    cold = await make_api(CHANGED)

    assert [response.body for response in warm.values()] == [(await plain(cold, path)).body for path in GETS]
    assert warm["/bundles"].json[0]["name"] == warm["/bundles/10"].json["name"] == "Everything new"
    assert warm["/settings"].json["weightUnit"] == "g"


class Aged(EmbeddedPlatform):
    """A platform whose data is two minutes old and may be cached for ten seconds. `asked` counts its reads."""

    asked = 0

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        self.asked += 1
        fresh = await super().products(tenant, product_ids, max_age)
        return Reading(fresh.value, age=120, lifetime=10)


async def test_stale_platform_data_has_an_age(make_api: MakeApi, database: Database, clock: FakeClock) -> None:
    """A response with stale platform data has an `Age`, which grows while the response is cached; the cached response expires
    with the data."""
    platform = Aged(database, RevisionCache())
    api = await make_api(platform=platform)

    ages = []
    for seconds in (0, 4, 5, 2):
        clock.move(seconds)
        ages.append(((await plain(api, "/bundles/10/products")).headers["Age"], platform.asked))

    assert ages == [("120", 1), ("124", 1), ("129", 1), ("120", 2)]


async def test_fresh_data_has_no_age(api: Api) -> None:
    for path in GETS:
        assert "Age" not in (await plain(api, path)).headers


@pytest.mark.parametrize("path", ["/bundles/20/price", "/bundles/20/configure"])
async def test_responses_to_posts_must_not_be_stored(api: Api, path: str) -> None:
    response = (await api.post(path, configure_body("1001@1"), {"If-None-Match": "*"})).held()

    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/bundles/98"), ("GET", "/bundles/0"), ("POST", "/settings"), ("GET", "/nothing")]
)
async def test_errors_must_not_be_stored(api: Api, method: str, path: str) -> None:
    response = await api.request(method, path)

    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers


# Content codings.


async def as_sent(api: Api, path: str, accept: str | None) -> tuple[str | None, str, bytes]:
    """Fetch a resource, and return its Content-Encoding, its ETag and its bytes as sent over the wire."""
    accepting = "" if accept is None else f"Accept-Encoding: {accept}\r\n"
    status, headers, body = await raw_exchange(
        api.client,
        f"GET /api/headless/v1{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\n{accepting}"
        "Connection: close\r\n\r\n",
    )
    assert status == 200
    assert "accept-encoding" in headers["vary"].lower()
    return headers.get("content-encoding"), headers["etag"], body


@pytest.mark.parametrize("path", ["/bundles/10", "/bundles/10/products"])
@pytest.mark.parametrize("accept", ["gzip", "GZIP", "deflate, gzip;q=0.8", "gzip;q=1.0, identity;q=0.5"])
async def test_gzip_is_sent_when_accepted(api: Api, path: str, accept: str) -> None:
    whole = await plain(api, path)

    coding, tag, body = await as_sent(api, path, accept)

    assert coding == "gzip"
    assert gzip.decompress(body) == whole.body
    assert len(body) < len(whole.body)
    assert tag == f'"{named(whole)}-gzip"'


@pytest.mark.parametrize("accept", ["br", "br, gzip;q=0.5"])
async def test_brotli_is_sent_when_accepted(api: Api, accept: str) -> None:
    whole = await plain(api, "/bundles/10")

    coding, tag, body = await as_sent(api, "/bundles/10", accept)

    assert coding == "br"
    assert len(body) < len(whole.body)
    assert tag == f'"{named(whole)}-br"'


@pytest.mark.parametrize(
    "accept", [None, "", "identity", "gzip;q=0", "br;q=0, gzip;q=0", "deflate", "zstd", "x-gzipped"]
)
async def test_plain_bytes_are_sent_by_default(api: Api, accept: str | None) -> None:
    whole = await plain(api, "/bundles/10")

    assert await as_sent(api, "/bundles/10", accept) == (None, whole.headers["ETag"], whole.body)


async def test_small_bodies_are_not_compressed(api: Api) -> None:
    """Small bodies are not compressed; the body here is {"products":[]}."""
    whole = await plain(api, "/bundles/71/products")

    assert await as_sent(api, "/bundles/71/products", "gzip, br") == (None, whole.headers["ETag"], whole.body)


async def test_compressed_representation_has_its_own_etag(api: Api) -> None:
    _, tag, _ = await as_sent(api, "/bundles/10", "gzip")

    response = await api.get("/bundles/10", {"Accept-Encoding": "gzip", "If-None-Match": tag})

    assert response.held(304).headers["ETag"] == tag
