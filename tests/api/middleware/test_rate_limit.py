"""The token bucket of a key: exact counts, headers on every authenticated response, and which requests cost a token."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import BASE, Api, Response, Serve
from tests.api.selection import configure_body
from tests.conftest import MakeKey
from tests.fakes import FakeClock
from tests.running.properties import examples

Limited = Callable[[int], Awaitable[Api]]


@pytest.fixture
def limited(api: Api, make_key: MakeKey) -> Limited:
    """A function that returns the service with a new key that allows a given number of requests per minute."""

    async def make(rate_limit: int) -> Api:
        return api.with_key(await make_key(rate_limit=rate_limit))

    return make


def limits(response: Response) -> dict[str, str]:
    """The rate-limit headers of a response."""
    return {
        name.lower(): value
        for name, value in response.headers.items()
        if "ratelimit" in name.lower() or name.lower() == "retry-after"
    }


def said(capacity: int, remaining: int, until_full: int, retry_after: int | None = None) -> dict[str, str]:
    """The rate-limit headers that a response must have."""
    after = {} if retry_after is None else {"retry-after": str(retry_after)}
    return {
        "ratelimit-policy": f'"key";q={capacity};w=60',
        "ratelimit": f'"key";r={remaining};t={until_full}',
        "x-ratelimit-limit": str(capacity),
        "x-ratelimit-remaining": str(remaining),
        "x-ratelimit-reset": str(until_full),
        **after,
    }


async def test_key_can_send_its_whole_limit_at_once(limited: Limited) -> None:
    api = await limited(100)

    responses = [await api.get("/settings") for _ in range(101)]

    assert [response.status for response in responses] == [200] * 100 + [429]
    # A token is added every 0.6 s, so after n requests the bucket is full again in 0.6 n seconds.
    assert [limits(response) for response in responses[:3]] == [said(100, 99, 1), said(100, 98, 2), said(100, 97, 2)]
    assert limits(responses[99]) == said(100, 0, 60)
    assert limits(responses[100]) == said(100, 0, 60, retry_after=1)


async def test_default_limit_is_a_hundred(api: Api, make_key: MakeKey) -> None:
    assert limits(await api.with_key(await make_key()).get("/settings")) == said(100, 99, 1)


async def test_headers_and_body_of_a_429(limited: Limited) -> None:
    api = await limited(1)
    await api.get("/settings")

    refused = (await api.get("/settings")).held(429)

    assert refused.code == "rate_limited"
    assert refused.json.keys() == {"error", "code", "requestId"}
    assert refused.headers["Cache-Control"] == "no-store"
    assert limits(refused) == said(1, 0, 60, retry_after=60)


@pytest.mark.parametrize(
    ("capacity", "seconds", "back"),
    [
        pytest.param(60, 0.9, 0, id="not yet one"),
        pytest.param(60, 1.0, 1, id="one"),
        pytest.param(60, 10.5, 10, id="ten and a half"),
        pytest.param(60, 60, 60, id="all"),
        pytest.param(60, 3600, 60, id="no more than all"),
        pytest.param(1, 59.9, 0, id="one a minute: not yet"),
        pytest.param(1, 60, 1, id="one a minute"),
    ],
)
async def test_bucket_refills_evenly(
    limited: Limited, clock: FakeClock, capacity: int, seconds: float, back: int
) -> None:
    api = await limited(capacity)
    for _ in range(capacity):
        assert (await api.get("/settings")).status == 200

    clock.move(seconds)

    statuses = [(await api.get("/settings")).status for _ in range(back + 1)]
    assert statuses == [200] * back + [429]


async def test_waiting_for_retry_after_is_enough(limited: Limited, clock: FakeClock) -> None:
    api = await limited(7)
    for _ in range(7):
        await api.get("/settings")

    for _ in range(5):
        refused = (await api.get("/settings")).held(429)
        clock.move(int(refused.headers["Retry-After"]))
        assert (await api.get("/settings")).status == 200


async def test_refused_requests_cost_no_token(limited: Limited, clock: FakeClock) -> None:
    api = await limited(60)
    for _ in range(60):
        await api.get("/settings")
    for _ in range(100):
        assert (await api.get("/settings")).status == 429

    clock.move(1)

    assert (await api.get("/settings")).status == 200


REQUESTS = [
    pytest.param("GET", "/settings", None, 200, id="200"),
    pytest.param("HEAD", "/settings", None, 200, id="HEAD"),
    pytest.param("POST", "/bundles/20/price", configure_body("1001@1"), 200, id="price"),
    pytest.param("POST", "/bundles/20/configure", configure_body("1001@1"), 200, id="configure"),
    pytest.param("GET", "/bundles/0", None, 400, id="400"),
    pytest.param("POST", "/bundles/20/configure", b"{", 400, id="400 of a body"),
    pytest.param("GET", "/bundles/98", None, 404, id="404"),
    pytest.param("GET", "/nothing", None, 404, id="404 of a path"),
    pytest.param("GET", "/bundles/", None, 404, id="404 of a slash"),
    pytest.param("DELETE", "/bundles/20", None, 405, id="405"),
    pytest.param("POST", "/bundles/20/price", b" " * (1024 * 1024 + 1), 413, id="413"),
    pytest.param("GET", "/embed/api/v1/nothing", None, 404, id="the embed API"),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), REQUESTS)
async def test_every_authenticated_request_costs_a_token(
    limited: Limited, method: str, path: str, body: object, status: int
) -> None:
    api = await limited(100)

    response = (await api.request(method, path, body)).held(status)

    assert limits(response) == said(100, 99, 1)
    assert limits(await api.get("/settings")) == said(100, 98, 2)


async def test_304_costs_a_token(limited: Limited) -> None:
    api = await limited(100)
    tag = (await api.get("/settings")).headers["ETag"]

    response = (await api.get("/settings", {"If-None-Match": tag})).held(304)

    assert limits(response) == said(100, 98, 2)


@pytest.mark.parametrize("reason", ["scope", "origin"])
async def test_token_is_spent_also_when_the_key_does_not_fit(api: Api, make_key: MakeKey, reason: str) -> None:
    request = {"scope": {"scopes": ("embed",)}, "origin": {"origins": ("https://shop.example",)}}[reason]
    refused = api.with_key(await make_key(rate_limit=2, **request))
    from_elsewhere = {"Origin": "https://evil.example"}

    responses = [await refused.get("/settings", from_elsewhere) for _ in range(3)]

    assert [response.status for response in responses] == [403, 403, 429]
    assert [limits(response) for response in responses] == [
        said(2, 1, 30),
        said(2, 0, 60),
        said(2, 0, 60, retry_after=30),
    ]


async def test_limit_is_checked_before_scope_path_and_method(api: Api, make_key: MakeKey) -> None:
    """The limit is checked first: 429 takes precedence over 403 for a missing scope, 400 for an invalid id, 404 and 405."""
    spent = api.with_key(await make_key(rate_limit=1, scopes=("embed",)))
    assert (await spent.get("/settings")).status == 403

    for method, path in (("GET", "/settings"), ("GET", "/bundles/0"), ("GET", "/nothing"), ("DELETE", "/settings")):
        assert (await spent.request(method, path)).status == 429


async def test_response_without_a_valid_key_has_no_limit_headers(api: Api) -> None:
    assert limits(await api.with_key(None).get("/settings")) == {}


async def test_preflights_are_free(limited: Limited) -> None:
    api = await limited(2)
    asked = {"Origin": "https://shop.example", "Access-Control-Request-Method": "GET"}

    for _ in range(10):
        async with api.client.options(f"{BASE}/settings", headers=asked) as preflight:
            assert preflight.status == 200
            assert "RateLimit" not in preflight.headers

    assert limits(await api.get("/settings")) == said(2, 1, 30)


async def test_requests_outside_the_base_are_free(limited: Limited) -> None:
    api = await limited(2)
    for path in ("/healthz", "/openapi.json", "/nothing"):
        async with api.client.get(path, headers={"Authorization": f"Bearer {api.key}"}):
            pass

    assert limits(await api.get("/settings")) == said(2, 1, 30)


async def test_each_key_has_a_bucket_of_its_own(limited: Limited) -> None:
    one, other = await limited(1), await limited(1)

    assert [(await api.get("/settings")).status for api in (one, other, one, other)] == [200, 200, 429, 429]


async def test_every_spelling_of_a_key_shares_its_bucket(limited: Limited) -> None:
    api = await limited(2)

    written = [f"{scheme} {api.key}" for scheme in ("Bearer", "bearer", "BEARER")]
    statuses = [(await api.with_key(None).get("/settings", {"Authorization": each})).status for each in written]

    assert statuses == [200, 200, 429]


async def test_bucket_outlives_changes_of_the_shop(limited: Limited, make_key: MakeKey) -> None:
    api = await limited(1)
    assert (await api.get("/settings")).status == 200

    await make_key()  # bumps the shop's revision
    await api.refresh()

    assert (await api.get("/settings")).status == 429


async def test_changed_limit_applies_from_the_next_refresh(limited: Limited, database: Database) -> None:
    api = await limited(100)
    assert api.key is not None
    assert limits(await api.get("/settings")) == said(100, 99, 1)

    await SqlKeyStore(database).set_limits(api.key[:16], {"rate_limit": 6000, "visitor_limit": 10})
    await api.refresh()

    changed = limits(await api.get("/settings"))
    assert changed["ratelimit-policy"] == '"key";q=6000;w=60, "visitor";q=10;w=60'
    assert changed["ratelimit"] == '"visitor";r=9;t=6'


async def test_simultaneous_requests_never_exceed_the_bucket(limited: Limited) -> None:
    api = await limited(30)
    await api.refresh()

    responses = await asyncio.gather(*(api.get("/settings") for _ in range(100)))

    assert sorted(response.status for response in responses) == [200] * 30 + [429] * 70
    remaining = sorted(
        int(limits(response)["x-ratelimit-remaining"]) for response in responses if response.status == 200
    )
    assert remaining == list(range(30))


async def test_processes_without_redis_have_separate_buckets(limited: Limited, serve: Serve) -> None:
    api = await limited(1)
    neighbour = Api(await serve(), api.key)

    assert [(await each.get("/settings")).status for each in (api, neighbour, api, neighbour)] == [200, 200, 429, 429]


@examples(60, database=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    capacity=st.integers(1, 20),
    pauses=st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0, 7.5, 30.0, 61.0]), max_size=60),
)
async def test_no_schedule_of_requests_exceeds_the_limit(capacity: int, pauses: list[float]) -> None:
    """However requests are timed, no more of them are allowed in any period than the bucket's capacity plus its refill in that
    period."""
    clock = FakeClock(0.0)
    buckets = MemoryBuckets(clock)
    passed: list[float] = []
    for pause in pauses:
        clock.move(pause)
        (state,) = await buckets.take([Bucket("key", "key", capacity)])
        if state.allowed:
            passed.append(clock.monotonic())
        assert 0 <= state.remaining < capacity
        assert state.allowed is (state.retry_after == 0)

    for first, start in enumerate(passed):
        for last in range(first, len(passed)):
            assert last - first + 1 <= capacity + (passed[last] - start) * capacity / 60 + 1e-6
