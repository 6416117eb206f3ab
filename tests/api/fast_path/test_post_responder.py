"""The fast path for POST requests sends the same bytes as the application, except for the date, the request id and the rate-limit
headers."""

import asyncio
import random
import re
from dataclasses import replace
from itertools import count
from typing import Any

import orjson
import pytest

from bundlesvc.api.app_keys import CONFIGURE_BUNDLE, STATISTICS
from bundlesvc.api.endpoint import ENDPOINT_OF
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.fast_path.post_responder import MAX_BODY_BYTES
from bundlesvc.api.posts.idempotency import idempotency_key
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, Serve
from tests.api.fast_path.handled_paths import answered_paths, begun_paths
from tests.api.fast_path.test_get_responder import Both, _exchange, _masked
from tests.api.loaded import RATE_LIMIT
from tests.api.running_server import server_of
from tests.api.selection import configure_body, price_body
from tests.conftest import MakeKey
from tests.servers.redis_server import RedisServer

_DRAWN = re.compile(rb"gAAAA[A-Za-z0-9_-]*=*|[0-9a-f]{32}|10000000[0-9]{6}|20000000[0-9]{6}")
"""The random parts of a configure response: tokens and ids."""

PRICE, CONFIGURE = "/bundles/60/price", "/bundles/60/configure"
USUAL = ((PRICE, price_body("1001@1")), (CONFIGURE, configure_body("1002@1")))
SENT: tuple[tuple[str, object], ...] = (
    *USUAL * 3,
    (PRICE, price_body("1001@1*200", countryCode="us")),
    (PRICE, price_body("1001@1*201")),
    (PRICE, price_body("1001@1", "1002@9")),
    (PRICE, {"products": [], "countryCode": 7}),
    (PRICE, {"products": "none"}),
    (f"{PRICE}?a=1", price_body("1001@1")),
    ("/bundles/%360/price", price_body("1001@1")),
    ("/bundles/060/price", price_body("1001@1")),
    ("/bundles/1/price", price_body("1001@1")),
    ("/bundles/10/price", price_body("1001@1*2", "1002@1", countryCode="GB")),
    (CONFIGURE, configure_body("1002@1*2", countryCode="US")),
    (CONFIGURE, configure_body("1001@1", type="single-product")),
    (CONFIGURE, configure_body("1001@7")),
    ("/embed/api/v1/bundle/60/product", configure_body("1002@1")),
    ("/embed/api/v1/content", {"bundles": []}),
    ("/embed/api/v1/content", {"bundles": 1}),
    ("/bundles/60", price_body("1001@1")),
    ("/nothing", {}),
)
BODIES = (b"", b"{", b"[]", b'{"products": [{}]}', b"\xff", b'{"a":' * 40 + b"1" + b"}" * 40)
HEADERS = (
    *((),) * 6,
    ("Origin: https://shop.example",),
    ("Origin: null",),
    ("Origin: ",),
    ("Accept-Encoding: gzip, br",),
    ("X-Request-Id: mine",),
    ("Content-Encoding: gzip",),
    ("Expect: 100-continue",),
    ("Idempotency-Key: one of {process}",),
    ("Idempotency-Key: two of {process}", "Origin: https://shop.example"),
    ("Idempotency-Key: \x7f",),
    ("Authorization: Bearer nonsense",),
)


class _Ids:
    """Sequential ids that have the same number of digits in every process."""

    def __init__(self, start: int) -> None:
        self._numbers = count(start)

    def configured_bundle(self) -> tuple[int, str]:
        return next(self._numbers), self.unique_id()

    def unique_id(self) -> str:
        return f"{next(self._numbers):032x}"

    def key_secret(self) -> str:
        raise NotImplementedError


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests that took the fast path."""
    return answered_paths(monkeypatch)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests that the fast path answered immediately, before aiohttp created a request object."""
    return begun_paths(monkeypatch, waiting=False)


async def _both(serve: Serve, settings: Settings, key: str) -> Both:
    """Start two processes on one database, one with the fast path and one without."""
    with_it = await serve(settings=settings, ids=_Ids(10**13))
    return Both(with_it, await serve(settings=replace(settings, edge=False), ids=_Ids(2 * 10**13)), [key])


@pytest.fixture
async def both(serve: Serve, settings: Settings, make_key: MakeKey, fast: list[str]) -> Both:
    return await _both(serve, settings, await make_key(rate_limit=RATE_LIMIT, scopes=("headless", "embed")))


@pytest.fixture
async def both_with_redis(
    serve: Serve,
    settings: Settings,
    make_key: MakeKey,
    fast: list[str],
    redis: RedisServer,
    long_redis_timeout: None,
) -> Both:
    key = await make_key(rate_limit=RATE_LIMIT, scopes=("headless", "embed"))
    return await _both(serve, replace(settings, redis_url=redis.url), key)


def _post(both: Both, path: str, body: object, *headers: str) -> bytes:
    """Build a POST request. `body` is sent unchanged if it is bytes, and as JSON otherwise."""
    sent = body if isinstance(body, bytes) else orjson.dumps(body)
    return both.request(path, *headers, f"Content-Length: {len(sent)}", method="POST") + sent


async def _responses(both: Both, requests: list[bytes], *, pipelined: bool) -> list[bytes]:
    """Send requests to each process, and return the responses of each, with the random values masked."""
    received = []
    for number, client in enumerate(both.clients):
        own = [request.replace(b"{process}", b"%d" % number) for request in requests]
        received.append(_DRAWN.sub(b"drawn", _masked(await _exchange(client, own, pipelined=pipelined))))
    return received


@pytest.mark.parametrize("seed", range(8))
async def test_random_posts_get_the_same_bytes_on_the_fast_path(seed: int, both: Both, fast: list[str]) -> None:
    await _compare(seed, both)
    assert fast


async def test_random_posts_get_the_same_bytes_on_the_fast_path_with_redis(
    both_with_redis: Both, fast: list[str]
) -> None:
    await _compare(0, both_with_redis)
    assert fast


async def _compare(seed: int, both: Both) -> None:
    dice = random.Random(seed)
    for _ in range(6):
        requests = [_post(both, path, body) for path, body in USUAL]
        for _ in range(dice.randrange(1, 15)):
            path, body = dice.choice(SENT)
            sent = dice.choice(BODIES) if dice.random() < 0.1 else body
            requests.append(_post(both, path, sent, *dice.choice(HEADERS)))
        requests.append(_post(both, PRICE, price_body("1001@1"), "Connection: close"))
        fast_path, application = await _responses(both, requests, pipelined=dice.random() < 0.3)
        assert fast_path == application, requests


async def test_a_path_takes_the_fast_path_once_the_application_has_answered_it(both: Both, fast: list[str]) -> None:
    requests = [_post(both, path, body) for path, body in USUAL * 3]
    last = _post(both, PRICE, price_body("1001@1"), "Connection: close")
    fast_path, application = await _responses(both, [*requests, last], pipelined=False)
    assert fast_path == application
    assert fast == [f"{BASE}{path}" for path, _ in USUAL * 2]


async def test_prices_are_answered_at_once_and_nothing_else_is(both: Both, at_once: list[str]) -> None:
    """Price requests are answered immediately; refusals, requests that need the application, and requests whose data aiohttp may
    have stopped reading are not."""
    price = price_body("1001@1", countryCode="US")
    handoff = [
        _post(both, PRICE, price_body("1001@9")),
        _post(both, PRICE, b"{"),
        _post(both, PRICE, price, "Expect: 100-continue"),
        _post(both, PRICE, orjson.dumps(price) + b" " * MAX_BODY_BYTES),
        _post(both, CONFIGURE, configure_body("1002@1")),
    ]
    known = [_post(both, PRICE, price), _post(both, CONFIGURE, configure_body("1002@1"))]
    requests = [*known, *handoff, _post(both, PRICE, price), _post(both, PRICE, price, "Connection: close")]
    fast_path, application = await _responses(both, requests, pipelined=False)
    assert fast_path == application
    assert at_once == [f"{BASE}{PRICE}"]


@pytest.mark.parametrize("change", [{"limit": 2}, {"visitor_limit": 2}])
async def test_a_price_over_the_limit_is_refused_by_the_application(
    change: dict[str, int], serve: Serve, make_key: MakeKey, at_once: list[str]
) -> None:
    limits = {"rate_limit": change.get("limit", RATE_LIMIT), "visitor_limit": change.get("visitor_limit")}
    api = Api(await serve(), await make_key(**limits))
    responses = [await api.post(PRICE, price_body("1001@1")) for _ in range(4)]
    assert [response.status for response in responses] == [200, 200, 429, 429]
    assert len(at_once) == 1


async def test_an_application_without_edge_has_no_fast_path(both: Both) -> None:
    with_it, without = both.clients
    assert FAST_PATH in with_it.app
    assert FAST_PATH not in without.app


async def test_body_in_pieces_goes_to_the_application(both: Both, fast: list[str]) -> None:
    request = _post(both, PRICE, price_body("1001@1*20"))
    last = _post(both, PRICE, price_body("1001@1*20"), "Connection: close")
    pieces = [request, request[:-100], request[-100:-50], request[-50:], last]
    received = []
    for client in both.clients:
        reader, writer = await asyncio.open_connection(client.host, client.port)
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        received.append(_masked(await asyncio.wait_for(reader.read(), 30)))
        writer.close()
    assert received[0] == received[1]
    assert not fast


async def test_a_refused_post_costs_one_token_and_is_counted_once(serve: Serve, make_key: MakeKey) -> None:
    api = Api(await serve(), await make_key(rate_limit=5))
    bodies = [price_body("1001@1"), price_body("1001@9"), price_body("1001@1"), b"{", price_body("1001@1")]
    remaining = [(await api.post(PRICE, body)).headers["X-RateLimit-Remaining"] for body in bodies]
    assert remaining == ["4", "3", "2", "1", "0"]
    assert (await api.post(PRICE, price_body("1001@1"))).status == 429
    found = (await api.metrics()).items()
    counted = {name[-5:-2]: value for name, value in found if name.startswith('bundlesvc_requests_total{method="POST"')}
    assert counted == {"200": 3, "400": 2, "429": 1}


async def test_a_configure_that_fails_is_tried_once(api: Api, fast: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A configure request that fails is tried only once: the application renders the error without calling the handler again."""
    body = configure_body("1002@1")
    for _ in range(2):
        (await api.post(CONFIGURE, body)).held()
    calls = []
    configure_bundle = api.client.app[CONFIGURE_BUNDLE]

    async def fail(*_: Any) -> None:
        calls.append(1)
        raise StorageUnavailable

    monkeypatch.setattr(configure_bundle, "configure", fail)
    assert (await api.post(CONFIGURE, body)).code == "storage_unavailable"
    assert len(calls) == len(fast) == 1


async def test_an_origin_that_is_no_text_gets_the_same_bytes(both: Both, fast: list[str]) -> None:
    """A request whose Origin header is not valid text gets the same bytes from both processes, and its connection stays open."""
    usual = _post(both, PRICE, price_body("1001@1"), "Origin: https://shop.example")
    odd = usual.replace(b"https://shop.example", b"\xff")
    closing = both.request("/bundles/60", "Connection: close")
    with_it, without = await _responses(both, [usual, usual, odd, odd, closing], pipelined=False)
    assert with_it == without
    assert with_it.count(b"HTTP/1.1 200 ") == 5
    assert fast == [f"{BASE}{PRICE}"]


async def test_what_is_ready_is_answered_in_an_overload(api: Api) -> None:
    """Under overload, price requests and cached GETs are still answered, because they cost little more than a refusal; a
    configure request is refused."""
    for _ in range(3):
        (await api.post(PRICE, price_body("1001@1"))).held()
        (await api.post(CONFIGURE, configure_body("1002@1"))).held()
        (await api.get("/bundles/60")).held()
    load = server_of(api.client).load
    load._most = 0
    (await api.post(PRICE, price_body("1001@1"))).held()
    (await api.get("/bundles/60")).held()
    before = await _configured(api)
    assert (await api.post(CONFIGURE, configure_body("1002@1"))).code == "overloaded"
    assert load.under_way == 0
    load._most = 1
    (await api.post(CONFIGURE, configure_body("1002@1"))).held()
    assert await _configured(api) == before + 1


async def _configured(api: Api) -> float:
    return sum(value for name, value in (await api.metrics()).items() if "configured_bundles" in name)


async def test_nothing_takes_the_fast_path_while_the_service_drains(api: Api, fast: list[str]) -> None:
    await api.post(PRICE, price_body("1001@1"))
    api.client.app[STATISTICS].draining = True
    assert (await api.post(PRICE, price_body("1001@1"))).headers["Connection"] == "close"
    assert not fast


async def test_paths_are_known_only_as_their_routes_write_them(both: Both) -> None:
    api = both.clients[0]
    requests = [
        _post(both, f"{PRICE}?number={number}", price_body("1001@1"), f"Origin: https://{number}.example")
        for number in range(20)
    ]
    requests += [_post(both, "/bundles/%360/price", price_body("1001@1"))]
    requests += [_post(both, PRICE, price_body("1001@1"), "Connection: close")]
    await _exchange(api, requests, pipelined=False)
    assert len(api.app[FAST_PATH]._posts._known) == 0


@pytest.mark.parametrize(("declared", "answered"), [(True, 2), (False, 0)])
async def test_a_price_is_answered_at_once_if_its_route_declares_it(
    declared: bool, answered: int, api: Api, at_once: list[str]
) -> None:
    endpoint_of = api.client.app[ENDPOINT_OF]
    for route, endpoint in tuple(endpoint_of.items()):
        endpoint_of[route] = endpoint if declared else replace(endpoint, respond=None)
    for _ in range(3):
        (await api.post(PRICE, price_body("1001@1"))).held()
    assert len(at_once) == answered


@pytest.mark.parametrize("known", [False, True])
async def test_idempotency_key_of_a_request_is_parsed_once(
    known: bool, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    if known:
        (await api.post(CONFIGURE, configure_body("1001@1"))).held()
    parsed = []

    def counting(request: Any) -> str | None:
        parsed.append(idempotency_key(request))
        return parsed[-1]

    monkeypatch.setattr("bundlesvc.api.posts.configure.idempotency_key", counting)
    (await api.post(CONFIGURE, configure_body("1001@1"), {"Idempotency-Key": "one"})).held()
    assert parsed == ["one"]
