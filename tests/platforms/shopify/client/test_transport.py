"""HTTP to a shop over a real socket: what is sent, and which error each failure raises."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from unittest.mock import patch

import pytest
from aiohttp import web
from yarl import URL

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls import http as http_module
from bundlesvc.platforms.calls.call_errors import Transient
from bundlesvc.platforms.calls.http import MAX_CONNECTIONS, Reply
from bundlesvc.platforms.shopify.client.transport import HttpTransport, admin_endpoint, endpoint_at
from tests.platforms.shopify.fakes import CONNECTION, TOKEN

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[HttpTransport]:
    """Start a server with one handler for all requests, and yield a transport to it."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        transport = HttpTransport(lambda domain: URL(f"http://127.0.0.1:{port}/{domain}"))
        async with transport.opened():
            yield transport
    finally:
        await runner.cleanup()


async def post(transport: HttpTransport, seconds: float = 5) -> Reply:
    return await transport.post(CONNECTION, b'{"query": "{ shop { id } }"}', seconds)


async def fault_of(transport: HttpTransport, seconds: float = 5) -> tuple[type[Unavailable], bool]:
    """Return the error that a failed POST request raises, and whether the shop may have received the request."""
    with pytest.raises(Transient) as fault:
        await post(transport, seconds)
    return type(fault.value.error), fault.value.sent


async def ok(_: web.Request) -> web.StreamResponse:
    return web.json_response({"data": {}})


async def test_hanging_shop_takes_no_connection_from_another() -> None:
    answering = asyncio.Event()

    async def hang(request: web.Request) -> web.StreamResponse:
        if request.host.startswith("127.0.0.1"):
            await answering.wait()
        return await ok(request)

    async with serving(hang) as transport:
        port = transport._endpoint("").port
        transport._endpoint = lambda domain: URL(f"http://{domain}:{port}/")
        hanging = [
            asyncio.create_task(transport.post(PlatformConnection("127.0.0.1", TOKEN), b"{}", 30))
            for _ in range(3 * MAX_CONNECTIONS)
        ]
        await asyncio.sleep(0)
        assert (await transport.post(PlatformConnection("localhost", TOKEN), b"{}", 5)).status == 200
        assert not any(each.done() for each in hanging)
        answering.set()
        assert {(await each).status for each in hanging} == {200}


def test_address_of_a_shop() -> None:
    assert str(admin_endpoint("demo.myshopify.com")) == "https://demo.myshopify.com/admin/api/2026-07/graphql.json"


def test_address_of_a_stand_in() -> None:
    assert endpoint_at(None) is admin_endpoint
    at = endpoint_at("http://127.0.0.1:9000")
    assert str(at("demo.myshopify.com")) == "http://127.0.0.1:9000/admin/api/2026-07/graphql.json"


@pytest.mark.parametrize(
    "domain",
    [
        "evil.example",
        "evil.example/x?",
        "a b",
        "user@evil.example",
        "evil.example#",
        "demo.myshopify.com.evil.example",
        "evil.example/.myshopify.com",
        "demo.myshopify.com:8443",
        "127.0.0.1",
        ".myshopify.com",
        "demo.myshopify.com\n",
    ],
)
def test_domain_outside_the_platform_is_refused(domain: str) -> None:
    with pytest.raises(ValueError, match=re.escape(domain)):
        admin_endpoint(domain)


async def test_request() -> None:
    seen: list[tuple[str, str, dict[str, str], bytes]] = []

    async def keep(request: web.Request) -> web.StreamResponse:
        seen.append((request.method, request.path, dict(request.headers), await request.read()))
        return web.json_response({"data": {}}, headers={"X-Request-Id": "r-1", "Set-Cookie": "a=b"})

    async with serving(keep) as transport:
        for _ in range(2):
            reply = await post(transport)
    method, path, headers, body = seen[1]
    assert (method, path, body) == ("POST", "/standin.myshopify.com", b'{"query": "{ shop { id } }"}')
    assert headers["X-Shopify-Access-Token"] == TOKEN
    assert headers["Content-Type"] == "application/json"
    assert "Cookie" not in headers
    assert (reply.status, reply.headers["x-request-id"], reply.body) == (200, "r-1", b'{"data": {}}')


async def test_form_is_sent_to_the_token_endpoint() -> None:
    seen: list[tuple[str, str, bytes]] = []

    async def keep(request: web.Request) -> web.StreamResponse:
        assert "X-Shopify-Access-Token" not in request.headers
        seen.append((request.path, request.headers["Accept"], await request.read()))
        return web.Response(status=400)

    async with serving(keep) as transport:
        assert (await transport.post_form("demo.myshopify.com", {"client_secret": "a&b=c"}, 5)).status == 400
    assert seen == [("/admin/oauth/access_token", "application/json", b"client_secret=a%26b%3Dc")]
    assert str(admin_endpoint("demo.myshopify.com").with_path("/x")) == "https://demo.myshopify.com/x"


async def test_no_secret_is_sent_to_another_domain() -> None:
    transport = HttpTransport()
    async with transport.opened():
        with pytest.raises(PlatformNotConnected):
            await transport.post_form("evil.example", {"client_secret": "secret"}, 5)


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_every_status_is_a_reply(status: int) -> None:
    async def refuse(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=b"No.")

    async with serving(refuse) as transport:
        assert await post(transport) == Reply(status, (await post(transport)).headers, b"No.")


async def test_redirects_are_not_followed() -> None:
    async def elsewhere(_: web.Request) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": "http://elsewhere.example/"})

    async with serving(elsewhere) as transport:
        assert (await post(transport)).status == 307


async def test_hanging_shop_times_out() -> None:
    hanging = asyncio.Event()

    async def hang(request: web.Request) -> web.StreamResponse:
        await hanging.wait()
        return web.Response()

    async with serving(hang) as transport:
        assert await fault_of(transport, seconds=0.05) == (PlatformTimeout, True)
        hanging.set()


async def test_endless_response_times_out() -> None:
    hanging = asyncio.Event()

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b'{"data"')
        await hanging.wait()
        return response

    async with serving(drip) as transport:
        assert await fault_of(transport, seconds=0.05) == (PlatformTimeout, True)
        hanging.set()


async def test_refused_connection_was_not_sent() -> None:
    async with serving(ok) as transport:
        await post(transport)
        closed = HttpTransport(lambda _: URL("http://127.0.0.1:1/"))
        async with closed.opened():
            assert await fault_of(closed) == (PlatformUnavailable, False)


async def test_broken_connection() -> None:
    async def cut(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async with serving(cut) as transport:
        assert await fault_of(transport) == (PlatformUnavailable, True)


async def test_incomplete_response() -> None:
    async def half(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        response.content_length = 1000
        await response.prepare(request)
        await response.write(b'{"data"')
        assert request.transport is not None
        request.transport.close()
        return response

    async with serving(half) as transport:
        assert await fault_of(transport) == (PlatformFailed, True)


async def test_too_long_response_fails() -> None:
    async def much(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b" " * 5000)

    async with serving(much) as transport:
        with patch.object(http_module, "MAX_REPLY_BYTES", 4999), pytest.raises(PlatformFailed):
            await post(transport)
        with patch.object(http_module, "MAX_REPLY_BYTES", 5000):
            assert len((await post(transport)).body) == 5000


async def test_connection_with_an_invalid_domain_is_not_connected() -> None:
    transport = HttpTransport()
    async with transport.opened():
        with pytest.raises(PlatformNotConnected):
            await transport.post(PlatformConnection("demo.myshopify.com/", TOKEN), b"{}", 5)


async def test_nothing_is_sent_before_opening_or_after_closing() -> None:
    transport = HttpTransport()
    assert await fault_of(transport) == (PlatformUnavailable, False)
    async with transport.opened():
        pass
    assert await fault_of(transport) == (PlatformUnavailable, False)


def test_repr_of_a_reply_has_no_body() -> None:
    assert "secret" not in repr(Reply(200, {}, b"secret"))
