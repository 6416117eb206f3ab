"""HTTP caching: ETags and how they are compared, how long answers are fresh, what they vary by, encodings (design 14)."""

import gzip
import re
from collections.abc import Mapping, Sequence

import pytest

from bundlesvc.domain.product import Product
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.database import Database
from bundlesvc.storage.revision_cache import RevisionCache
from tests.api.conftest import SHOP_TEXT, Answer, Api, MakeApi
from tests.api.raw import raw_exchange
from tests.api.selection import configure_body
from tests.conftest import LoadShop
from tests.fakes import FakeClock

GETS = ["/bundles", "/bundles/10", "/bundles/10/products", "/bundles/10/products?countryCode=US", "/settings"]
PLAIN = {"Accept-Encoding": "identity"}
_FRESHNESS = re.compile(r"private, max-age=([0-9]+), stale-while-revalidate=([0-9]+)")
_ETAG = re.compile(r'"([^"]+)"')


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api


async def plain(api: Api, path: str, headers: Mapping[str, str] | None = None) -> Answer:
    """The answer without content coding."""
    return await api.get(path, {**PLAIN, **(headers or {})})


def named(answer: Answer) -> str:
    """What stands between the ETag's quotation marks."""
    found = _ETAG.fullmatch(answer.headers["ETag"])
    assert found, answer.headers["ETag"]
    return found[1]


def freshness(answer: Answer) -> tuple[int, int]:
    """max-age and stale-while-revalidate."""
    found = _FRESHNESS.fullmatch(answer.headers["Cache-Control"])
    assert found, answer.headers["Cache-Control"]
    return int(found[1]), int(found[2])


def varies_by(answer: Answer) -> set[str]:
    return {name.strip().lower() for name in answer.headers["Vary"].split(",")}


@pytest.mark.parametrize("path", GETS)
async def test_every_get_names_its_representation(api: Api, path: str) -> None:
    first, again = await plain(api, path), await plain(api, path)

    assert named(first) == named(again)
    assert first.body == again.body
    assert freshness(first)[0] > 0
    assert freshness(first)[1] > 0
    assert varies_by(first) == {"authorization", "origin", "accept-encoding"}


async def test_products_are_fresh_for_a_shorter_time_than_bundles(api: Api) -> None:
    bundle, products = await plain(api, "/bundles/10"), await plain(api, "/bundles/10/products")

    assert freshness(products)[0] < freshness(bundle)[0]


async def test_other_representations_have_other_names(api: Api, other_api: Api) -> None:
    answers = [await plain(api, path) for path in [*GETS, "/bundles/10/products?countryCode=JP", "/bundles/20"]]
    answers.append(await plain(other_api, "/bundles/10"))

    assert len({named(answer) for answer in answers}) == len(answers)


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
async def test_what_is_known_is_not_sent_again(api: Api, if_none_match: str) -> None:
    first = await plain(api, "/bundles/10")

    answer = await plain(api, "/bundles/10", {"If-None-Match": if_none_match.format(tag=named(first))})

    assert answer.held(304).body == b""
    assert answer.headers["ETag"] == first.headers["ETag"]


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
async def test_what_is_not_known_is_sent(api: Api, if_none_match: str) -> None:
    first = await plain(api, "/bundles/10")
    tag = named(first)

    answer = await plain(api, "/bundles/10", {"If-None-Match": if_none_match.format(tag=tag, short=tag[:-1])})

    assert answer.held().body == first.body


@pytest.mark.parametrize("path", GETS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_an_answer_that_nothing_changed_has_the_headers_of_the_whole_one(
    api: Api, path: str, method: str
) -> None:
    """RFC 9110, 15.4.5: Cache-Control, ETag and Vary as in the 200; and nothing of a body."""
    whole = await plain(api, path)

    answer = await api.request(method, path, headers={**PLAIN, "If-None-Match": whole.headers["ETag"]})

    assert answer.held(304).body == b""
    kept = ("ETag", "Cache-Control", "Vary")
    assert [answer.headers[name] for name in kept] == [whole.headers[name] for name in kept]
    assert "Content-Type" not in answer.headers
    assert answer.headers.get("Content-Length", "0") in ("0", whole.headers["Content-Length"])
    assert answer.headers["X-Request-Id"]


async def test_what_is_refused_is_not_taken_for_known(make_api: MakeApi) -> None:
    """`*` matches what is there, and nothing else."""
    api = await make_api()
    any_tag = {"If-None-Match": "*"}

    assert (await api.get("/bundles/98", any_tag)).status == 404
    assert (await api.get("/bundles/0", any_tag)).status == 400
    assert (await api.with_key(None).get("/bundles", any_tag)).status == 403


async def test_another_shops_tag_is_not_known_here(api: Api, other_api: Api) -> None:
    foreign = await plain(other_api, "/bundles/10")

    assert (await plain(api, "/bundles/10", {"If-None-Match": foreign.headers["ETag"]})).held().json["id"] == 10


NEW_PRICE = SHOP_TEXT.replace('title: S, price: "19.99"', 'title: S, price: "29.99"')


async def test_new_data_has_a_new_tag(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    path = "/bundles/10/products"
    before = await plain(api, path)
    await load_shop(NEW_PRICE)
    await api.refresh()

    after = await plain(api, path, {"If-None-Match": before.headers["ETag"]})

    assert after.held().json["products"][0]["variants"][0]["price"] == "29.99"
    assert named(after) != named(before)
    assert (await plain(api, path, {"If-None-Match": after.headers["ETag"]})).status == 304


async def test_what_did_not_change_keeps_its_tag(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    before = await plain(api, "/settings")
    await load_shop(NEW_PRICE)
    await api.refresh()

    assert (await plain(api, "/settings", {"If-None-Match": before.headers["ETag"]})).status == 304


CHANGED = SHOP_TEXT.replace("name: Everything", "name: Everything new").replace("weightUnit: kg", "weightUnit: g")


async def test_a_warm_read_is_the_same_as_a_cold_one(make_api: MakeApi, load_shop: LoadShop) -> None:
    """New data shows in every kept answer, whichever was read before."""
    api = await make_api()
    for path in GETS:
        await plain(api, path)
    await load_shop(CHANGED)
    await api.refresh()
    warm = [await plain(api, path) for path in GETS]

    cold = await make_api(CHANGED)

    assert [answer.body for answer in warm] == [(await plain(cold, path)).body for path in GETS]
    assert warm[0].json[0]["name"] == warm[1].json["name"] == "Everything new"
    assert warm[4].json["weightUnit"] == "g"


class Aged(EmbeddedPlatform):
    """Its answers are two minutes old, and may be kept for ten seconds."""

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


async def test_an_old_answer_of_the_platform_says_how_old_it_is(
    make_api: MakeApi, database: Database, clock: FakeClock
) -> None:
    """The bytes that are kept grow older, and live no longer than the data in them."""
    platform = Aged(database, RevisionCache())
    api = await make_api(platform=platform)

    ages = []
    for seconds in (0, 4, 5, 2):
        clock.move(seconds)
        ages.append(((await plain(api, "/bundles/10/products")).headers["Age"], platform.asked))

    assert ages == [("120", 1), ("124", 1), ("129", 1), ("120", 2)]


async def test_what_is_of_the_moment_has_no_age(api: Api) -> None:
    for path in GETS:
        assert "Age" not in (await plain(api, path)).headers


@pytest.mark.parametrize("path", ["/bundles/20/price", "/bundles/20/configure"])
async def test_answers_to_posts_are_not_to_be_stored(api: Api, path: str) -> None:
    answer = (await api.post(path, configure_body("1001@1"), {"If-None-Match": "*"})).held()

    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/bundles/98"), ("GET", "/bundles/0"), ("POST", "/settings"), ("GET", "/nothing")]
)
async def test_errors_are_not_to_be_stored(api: Api, method: str, path: str) -> None:
    answer = await api.request(method, path)

    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


# Content codings.


async def as_sent(api: Api, path: str, accept: str | None) -> tuple[str | None, str, bytes]:
    """Content-Encoding, ETag and the bytes as they came over the wire."""
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
async def test_who_asks_for_gzip_gets_it(api: Api, path: str, accept: str) -> None:
    whole = await plain(api, path)

    coding, tag, body = await as_sent(api, path, accept)

    assert coding == "gzip"
    assert gzip.decompress(body) == whole.body
    assert len(body) < len(whole.body)
    assert tag == f'"{named(whole)}-gzip"'


@pytest.mark.parametrize("accept", ["br", "br, gzip;q=0.5"])
async def test_who_asks_for_brotli_gets_it(api: Api, accept: str) -> None:
    whole = await plain(api, "/bundles/10")

    coding, tag, body = await as_sent(api, "/bundles/10", accept)

    assert coding == "br"
    assert len(body) < len(whole.body)
    assert tag == f'"{named(whole)}-br"'


@pytest.mark.parametrize(
    "accept", [None, "", "identity", "gzip;q=0", "br;q=0, gzip;q=0", "deflate", "zstd", "x-gzipped"]
)
async def test_who_does_not_ask_gets_the_plain_bytes(api: Api, accept: str | None) -> None:
    whole = await plain(api, "/bundles/10")

    assert await as_sent(api, "/bundles/10", accept) == (None, whole.headers["ETag"], whole.body)


async def test_what_would_not_gain_is_not_coded(api: Api) -> None:
    """The body is {"products":[]}."""
    whole = await plain(api, "/bundles/71/products")

    assert await as_sent(api, "/bundles/71/products", "gzip, br") == (None, whole.headers["ETag"], whole.body)


async def test_a_coded_representation_is_known_by_its_own_tag(api: Api) -> None:
    _, tag, _ = await as_sent(api, "/bundles/10", "gzip")

    answer = await api.get("/bundles/10", {"Accept-Encoding": "gzip", "If-None-Match": tag})

    assert answer.held(304).headers["ETag"] == tag
