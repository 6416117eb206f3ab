"""One visitor sends requests in a loop with the key from a page's source. Bundles must still work for everybody else."""

from dataclasses import replace

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi, Serve
from tests.api.selection import configure_body
from tests.attacks.visitors import EMBED_API, Visitor, page_key
from tests.conftest import MakeKey
from tests.servers.redis_server import RedisServer


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, trusted_proxies=1)


async def test_others_are_served_while_one_visitor_is_refused(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await page_key(make_key))
    attacker = Visitor(api, "203.0.113.7")

    statuses = [(await attacker.get()).status for _ in range(300)]
    others = [(await Visitor(api, f"198.51.100.{number}").get()).status for number in range(1, 101)]

    assert statuses == [200] * 100 + [429] * 200
    assert others == [200] * 100


async def test_refused_requests_of_a_visitor_cost_the_key_nothing(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await page_key(make_key, rate_limit=4, visitor_limit=2))
    attacker, other = Visitor(api, "203.0.113.7"), Visitor(api, "198.51.100.1")
    for _ in range(20):
        await attacker.get()

    statuses = [(await other.get()).status for _ in range(3)]

    assert statuses == [200, 200, 429]


async def test_headers_describe_the_bucket_with_fewer_tokens(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await page_key(make_key, rate_limit=3, visitor_limit=2))
    first, second, third = (Visitor(api, f"198.51.100.{number}") for number in (1, 2, 3))

    responses = [await visitor.get() for visitor in (first, first, first, second, third)]

    assert [response.status for response in responses] == [200, 200, 429, 200, 429]
    assert [response.headers["RateLimit"] for response in responses] == [
        '"visitor";r=1;t=30',
        '"visitor";r=0;t=60',
        '"visitor";r=0;t=60',
        '"key";r=0;t=60',
        '"key";r=0;t=60',
    ]
    assert [response.headers["X-RateLimit-Limit"] for response in responses] == ["2", "2", "2", "3", "3"]
    assert [response.headers.get("Retry-After") for response in responses] == [None, None, "30", None, "20"]
    assert {response.headers["RateLimit-Policy"] for response in responses} == {'"key";q=3;w=60, "visitor";q=2;w=60'}


async def test_changing_the_server_does_not_help(
    serve: Serve, make_key: MakeKey, settings: Settings, redis: RedisServer, long_redis_timeout: None
) -> None:
    """Switching servers does not help, because the servers share all buckets through Redis, including the buckets for new
    configured bundles."""
    shared = replace(settings, redis_url=redis.url, visitor_configured_bundles=2)
    key = await page_key(make_key, visitor_limit=6)  # the next token is added after ten seconds
    servers = [Visitor(Api(await serve(settings=shared), key), "203.0.113.7") for _ in range(2)]
    other = Visitor(servers[0].api, "198.51.100.1")

    configured = [
        (await server.post(f"{EMBED_API}/bundle/20/product", configure_body("7001@3"))).status
        for server in (*servers, *servers)
    ]
    read = [(await server.get()).status for _ in range(5) for server in servers]

    assert configured == [200, 200, 429, 429]
    assert read == [200] * 2 + [429] * 8
    assert (await other.get()).status == 200
