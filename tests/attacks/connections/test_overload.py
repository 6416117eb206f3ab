"""Attack: more simultaneous requests than a process can answer in a reasonable time."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest

from bundlesvc.api import overload
from bundlesvc.api.server import connection
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, MakeApi
from tests.api.raw import raw_connection
from tests.api.running_server import server_of
from tests.api.selection import configure_body
from tests.scrape import samples

MOST = 3
CONFIGURE = "/bundles/20/configure"
BODY = configure_body("1001@1")
ORIGIN = "https://shop.example"


@pytest.fixture
async def api(make_api: MakeApi, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Api:
    monkeypatch.setattr(connection, "REST_SECONDS", 0.01)
    return await make_api(settings=replace(settings, max_requests=MOST))


def load_of(api: Api) -> overload.Load:
    return server_of(api.client).load


@asynccontextmanager
async def full(api: Api) -> AsyncIterator[list[overload.Slot]]:
    """A context in which the limit on requests in progress is reached."""
    await api.document()
    slots = [load_of(api).begin() for _ in range(MOST)]
    yield slots
    for slot in slots:
        slot.end()


async def metrics(api: Api) -> str:
    async with api.client.get("/metrics") as response:
        return await response.text()


async def test_requests_beyond_the_limit_are_refused_at_once(api: Api) -> None:
    async with full(api):
        response = await api.post(CONFIGURE, BODY)
        assert (response.status, response.code) == (503, "overloaded")
        assert 1 <= int(response.headers["Retry-After"]) <= overload.MAX_RETRY_AFTER
    assert (await api.post(CONFIGURE, BODY)).status == 200
    assert load_of(api).under_way == 0


async def test_pages_can_read_the_refusal(api: Api) -> None:
    async with full(api):
        headers = (await api.post(CONFIGURE, BODY, {"Origin": ORIGIN})).headers
    assert headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Retry-After" in headers["Access-Control-Expose-Headers"].split(",")


async def test_a_refused_request_takes_no_token(api: Api) -> None:
    before = await api.post(CONFIGURE, BODY)
    async with full(api):
        await api.post(CONFIGURE, BODY)
    after = await api.post(CONFIGURE, BODY)
    assert int(before.headers["X-RateLimit-Remaining"]) - int(after.headers["X-RateLimit-Remaining"]) == 1


async def test_operators_are_never_refused(api: Api) -> None:
    async with full(api):
        for path in ("/healthz", "/readyz", "/metrics"):
            async with api.client.get(path) as response:
                assert response.status == 200


@pytest.mark.parametrize("ending", ["keep-alive", "close"])
async def test_health_is_answered_before_the_application_and_alike(api: Api, ending: str) -> None:
    """A health check gets the same response whether it is answered before it reaches the application or, because it has a query,
    by the application."""
    heads = []
    for path in ("/healthz", "/healthz?x=1"):
        async with api.client.get(path, headers={"X-Request-Id": "same", "Connection": ending}) as response:
            heads.append((response.status, await response.read(), response.headers.copy()))
    (_, _, first), (_, _, second) = heads
    for headers in (first, second):
        headers.popall("Date")
    assert sorted(first.items()) == sorted(second.items())
    assert heads[0][:2] == heads[1][:2] == (200, b'{"status": "ok"}')
    assert samples(await metrics(api))['bundlesvc_requests_total{method="GET",route="/healthz",status="200"}'] == 2


async def test_ready_responses_are_sent_without_a_place(api: Api) -> None:
    for _ in range(3):
        await api.get("/bundles/10")
    async with full(api):
        assert (await api.get("/bundles/10")).status == 200
        assert (await api.get("/bundles/20")).status == 503


async def test_a_client_that_sends_its_body_slowly_takes_no_place(api: Api) -> None:
    half = f"POST {BASE}{CONFIGURE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\nContent-Length: 1000\r\n\r\n{{"
    async with raw_connection(api.client) as (_, first), raw_connection(api.client) as (_, second):
        for writer in (first, second):
            writer.write(half.encode())
        for _ in range(MOST):
            assert (await api.post(CONFIGURE, BODY)).status == 200


class LaterTurn:
    """A budget that defers all work until the test runs it."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def enough(self) -> bool:
        return True

    def put_off(self, work: Callable[[], None]) -> None:
        self.work.append(work)


async def test_requests_without_their_bodies_take_no_place_before_they_begin(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = f"POST {BASE}{CONFIGURE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\nContent-Length: 1000\r\n\r\n{{"
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        writers = [(await stack.enter_async_context(raw_connection(api.client)))[1] for _ in range(MOST + 1)]
        later = LaterTurn()
        with monkeypatch.context() as patched:
            patched.setattr(server_of(api.client), "begins", later)
            for writer in writers:
                writer.write(half.encode())
            while len(later.work) < len(writers):  # noqa: ASYNC110 - nothing else shows what was put off
                await asyncio.sleep(0.001)
        assert load_of(api).under_way == 0
        for begin in later.work:
            begin()
        assert (await api.post(CONFIGURE, BODY)).status == 200


async def test_a_request_that_waits_for_a_platform_takes_no_place(api: Api) -> None:
    """A request that waits for a platform does not count towards the limit, even when it waits for several things at the same
    time."""
    crowd = load_of(api)
    slot, fetched = crowd.begin(), asyncio.get_running_loop().create_future()
    deadline = RequestDeadline(60, slot.waiting)

    async def fetch() -> None:
        await fetched

    waits = [asyncio.create_task(deadline.wait(asyncio.create_task(fetch()))) for _ in range(2)]
    await asyncio.sleep(0)
    assert crowd.under_way == 0
    fetched.set_result(None)
    await asyncio.gather(*waits)
    assert crowd.under_way == 1
    slot.end()
    assert crowd.under_way == 0


async def test_a_long_body_is_refused_too(api: Api) -> None:
    """A request with a long body is refused too; the body is read to its end, so that the connection can be reused."""
    async with full(api):
        response = await api.post(CONFIGURE, b" " * 900_000)
    assert (response.status, response.code) == (503, "overloaded")
    assert (await api.post(CONFIGURE, BODY)).status == 200


async def test_requests_in_one_packet_are_counted_one_by_one(api: Api) -> None:
    request = f"GET {BASE}/bundles/20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\n\r\n".encode()
    async with full(api) as slots, raw_connection(api.client) as (reader, writer):
        slots[0].end()
        writer.write(5 * request)
        for _ in range(5):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            assert head.startswith(b"HTTP/1.1 200 ")
    assert load_of(api).under_way == 0


async def test_a_connection_works_again_after_a_refusal(api: Api) -> None:
    """A connection works again after a refusal. The service stops reading from it for a moment, so a client that ignores
    `Retry-After` costs others no time."""
    request = f"GET {BASE}/bundles/20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\n\r\n".encode()
    async with raw_connection(api.client) as (reader, writer):
        async with full(api):
            writer.write(request)
            assert (await asyncio.wait_for(reader.readuntil(b"}"), 60)).startswith(b"HTTP/1.1 503 ")
        writer.write(request)
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)).startswith(b"HTTP/1.1 200 ")


async def test_clients_that_disconnect_leave_no_place_taken(api: Api) -> None:
    request = f"GET {BASE}/bundles/20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\n\r\n".encode()
    for _ in range(MOST * 3):
        async with raw_connection(api.client) as (_, writer):
            writer.write(request)
            writer.transport.abort()
    async with asyncio.timeout(60):
        while load_of(api).under_way:  # noqa: ASYNC110 - nothing else shows when handlers have ended
            await asyncio.sleep(0.01)
    assert (await api.get("/bundles/20")).status == 200


async def test_an_overload_is_counted_and_logged_once(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with full(api):
        for _ in range(3):
            await api.post(CONFIGURE, BODY)
    found = samples(await metrics(api))
    assert found['bundlesvc_refusals_total{code="overloaded"}'] == 3
    assert found['bundlesvc_requests_total{method="other",route="unread",status="503"}'] == 3
    assert not any("unread" in name for name in found if "duration" in name)
    load_of(api).report(asyncio.get_running_loop().time() + overload.CALM_SECONDS + 1)
    assert [record.getMessage() for record in caplog.records if "request" in record.getMessage()] == [
        "3 requests are in progress, which is the limit (BUNDLESVC_MAX_REQUESTS): further requests are refused.",
        "there is room for requests again; 3 were refused.",
    ]
