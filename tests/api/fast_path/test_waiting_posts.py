"""What happens on the connection of a configure request that waits for the disk in a task of its own, outside aiohttp's task."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest

from bundlesvc.api.app_keys import CONFIGURE_BUNDLE, STATISTICS
from bundlesvc.api.server.connection import Connection
from bundlesvc.api.server.connection_limits import ConnectionLimits
from tests.api.conftest import BASE, Api
from tests.api.fast_path.handled_paths import begun_paths
from tests.api.raw import raw_connection
from tests.api.running_server import server_of
from tests.api.selection import configure_body

CONFIGURE = "/bundles/60/configure"
BODY = configure_body("1002@1")


@dataclass
class Held:
    """The state of configure requests held back by a test: `begun` is set once a request is waiting, and setting `released` lets
    all of them continue."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests that waited in their own task."""
    return begun_paths(monkeypatch, waiting=True)


@pytest.fixture
async def known(api: Api, begun: list[str]) -> Api:
    """The service after it has answered a first configure request."""
    (await api.post(CONFIGURE, BODY)).held()
    assert not begun
    return api


@pytest.fixture
def held(known: Api, monkeypatch: pytest.MonkeyPatch) -> Held:
    """Make every configure request wait from now on, until the test releases it."""
    held = Held()
    use_case = known.client.app[CONFIGURE_BUNDLE]
    configure: Callable[..., Awaitable[Any]] = use_case.configure

    async def waiting(*arguments: Any) -> Any:
        held.begun.set()
        await held.released.wait()
        return await configure(*arguments)

    monkeypatch.setattr(use_case, "configure", waiting)
    return held


def message(api: Api, method: str, path: str, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"{method} {BASE}{path} HTTP/1.1", "Host: x", f"Authorization: Bearer {api.key}", *headers]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


async def response(reader: asyncio.StreamReader) -> tuple[bytes, Any]:
    """Read the next response: its head in lower case, and its parsed content."""
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)).lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return head, orjson.loads(await reader.readexactly(length))


@asynccontextmanager
async def waiting_configure(
    api: Api, held: Held
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, Connection]]:
    """Yield the streams of a client whose configure request is held up in the service, and the service's side of the
    connection."""
    before = set(server_of(api.client)._open)
    async with raw_connection(api.client) as (reader, writer):
        writer.write(message(api, "POST", CONFIGURE, orjson.dumps(BODY)))
        await asyncio.wait_for(held.begun.wait(), 60)
        (connection,) = set(server_of(api.client)._open) - before
        yield reader, writer, connection


async def test_configures_need_no_request_of_aiohttp(known: Api, begun: list[str]) -> None:
    for key in (None, "one"):
        (await known.post(CONFIGURE, BODY, {"Idempotency-Key": key} if key else None)).held()
    assert begun == 2 * [f"{BASE}{CONFIGURE}"]


async def test_refused_configure_does_not_wait(known: Api, begun: list[str]) -> None:
    assert (await known.post(CONFIGURE, configure_body("1001@9"))).code == "selection_invalid"
    assert not begun


async def test_a_request_with_a_trace_goes_to_the_application(known: Api, begun: list[str]) -> None:
    trace = {"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}
    (await known.post(CONFIGURE, BODY, trace)).held()
    assert not begun


async def test_a_pipelined_request_waits_for_the_configure_before_it(known: Api, held: Held) -> None:
    async with waiting_configure(known, held) as (reader, writer, connection):
        writer.write(message(known, "GET", "/bundles/60") + message(known, "POST", CONFIGURE, b"{"))
        async with asyncio.timeout(60):
            while len(connection.messages) < 3:  # noqa: ASYNC110 - nothing else shows when they have arrived
                await asyncio.sleep(0.01)
        held.released.set()
        contents = [(await response(reader))[1] for _ in range(3)]
    assert "configured_bundle_id" in contents[0]
    assert contents[1]["id"] == 60
    assert contents[2]["code"] == "invalid_json"


async def test_a_configure_ends_without_its_client(known: Api, held: Held) -> None:
    before = await _configured(known)
    async with waiting_configure(known, held) as (_, writer, connection):
        writer.transport.abort()
        async with asyncio.timeout(60):
            while connection.transport is not None:  # noqa: ASYNC110 - nothing else shows when the connection is lost
                await asyncio.sleep(0.01)
        assert server_of(known.client).load.under_way == 1
        held.released.set()
        async with asyncio.timeout(60):
            while server_of(known.client).load.under_way:  # noqa: ASYNC110 - nothing else shows when the task has ended
                await asyncio.sleep(0.01)
    assert await _configured(known) == before + 1


async def _configured(api: Api) -> float:
    return sum(value for name, value in (await api.metrics()).items() if "configured_bundles" in name)


async def test_a_configure_takes_a_place_until_its_response_is_sent(known: Api, held: Held) -> None:
    async with waiting_configure(known, held) as (reader, *_):
        assert server_of(known.client).load.under_way == known.client.app[STATISTICS].under_way == 1
        held.released.set()
        await response(reader)
    assert server_of(known.client).load.under_way == known.client.app[STATISTICS].under_way == 0


async def test_its_connection_is_never_closed_as_idle(known: Api, held: Held) -> None:
    async with waiting_configure(known, held) as (reader, _, connection):
        connection.look(0)
        assert connection.overdue(10**9, ConnectionLimits()) is None
        assert connection.rank(10**9) is None
        held.released.set()
        assert (await response(reader))[0].startswith(b"http/1.1 200 ")


async def test_a_response_while_the_service_drains_closes_the_connection(known: Api, held: Held) -> None:
    async with waiting_configure(known, held) as (reader, *_):
        known.client.app[STATISTICS].draining = True
        held.released.set()
        head, content = await response(reader)
        assert b"connection: close" in head
        assert "configured_bundle_id" in content
        assert not await asyncio.wait_for(reader.read(), 60)


async def test_a_shutdown_waits_for_the_response(known: Api, held: Held) -> None:
    async with waiting_configure(known, held) as (reader, _, connection):
        connection.close()  # the runner's first step: no further requests are accepted
        ending = asyncio.create_task(connection.shutdown(60))
        await asyncio.sleep(0)
        held.released.set()
        assert "configured_bundle_id" in (await response(reader))[1]
        await ending
