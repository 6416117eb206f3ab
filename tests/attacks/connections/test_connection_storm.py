"""Attack: clients open connections in rapid succession. Accepting them must not hold up the responses to other clients."""

import asyncio
import errno
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from bundlesvc.api.server import accept_loop, connection
from bundlesvc.api.server.accept_loop import AcceptingSite
from bundlesvc.api.server.runner import ServiceRunner
from bundlesvc.app import create_app
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database

MOST = 4
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
PAGE = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nOrigin: https://shop.example\r\n\r\n"


@pytest.fixture
async def listening(settings: Settings, database: Database) -> AsyncIterator[socket.socket]:
    """The listening socket of a service with a low connection limit."""
    runner = ServiceRunner(create_app(replace(settings, max_connections=MOST)))
    await runner.setup()
    with socket.create_server(("127.0.0.1", 0)) as opened:
        await AcceptingSite(runner, opened).start()
        yield opened
        await runner.cleanup()


async def answer(listening: socket.socket, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    writer.write(request)
    async with asyncio.timeout(60):
        response = await reader.read()
    writer.close()
    return response


async def test_connections_are_accepted_for_a_moment_at_a_time(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each turn of the event loop, connections are accepted for only a short time, here one at a time. Every client still gets
    a response."""
    monkeypatch.setattr(accept_loop, "MAX_SECONDS", 1e-9)
    for response in await asyncio.gather(*(answer(listening, HEALTH) for _ in range(3 * MOST))):
        assert response.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 "))
    assert (await answer(listening, HEALTH)).startswith(b"HTTP/1.1 200 ")


@pytest.fixture
def two_in_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the accept loop accept up to two connections per turn of the event loop when connections have had to wait, however
    fast the machine is."""
    monkeypatch.setattr(accept_loop, "ACCEPT_SHARE", 1e12)
    monkeypatch.setattr(accept_loop, "MAX_SECONDS", 60)
    monkeypatch.setattr(accept_loop, "OPENING_SECONDS", 30)


@pytest.fixture
def taken(two_in_each_turn: None, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of connections accepted in each turn of the event loop."""
    numbers: list[int] = []
    accept, take = AcceptingSite._accept, AcceptingSite._take

    def accepting_some(site: AcceptingSite) -> None:
        numbers.append(0)
        accept(site)

    def taking(site: AcceptingSite, connection: socket.socket) -> bool:
        numbers[-1] += 1
        return take(site, connection)

    monkeypatch.setattr(AcceptingSite, "_accept", accepting_some)
    monkeypatch.setattr(AcceptingSite, "_take", taking)
    return numbers


async def test_only_some_connections_are_opened_in_one_turn(taken: list[int], listening: socket.socket) -> None:
    """Only some connections are accepted in each turn of the event loop, because accepting them is quick but opening them takes
    up the next turn."""
    opened = [socket.create_connection(listening.getsockname()) for _ in range(3 * MOST)]
    assert (await answer(listening, HEALTH)).startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 "))
    assert max(taken) == 2
    for each in opened:
        each.close()


@pytest.mark.usefixtures("two_in_each_turn")
async def test_processes_share_a_burst_of_connections(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes listen on one socket. Neither of them accepts all connections in a burst."""
    taken: Counter[AcceptingSite] = Counter()
    all_taken, clients = asyncio.Event(), 32
    take = AcceptingSite._take

    def counting(site: AcceptingSite, connection: socket.socket) -> bool:
        taken[site] += 1
        if taken.total() == clients:
            all_taken.set()
        return take(site, connection)

    monkeypatch.setattr(AcceptingSite, "_take", counting)
    runners = [ServiceRunner(create_app(settings)) for _ in range(2)]
    with socket.create_server(("127.0.0.1", 0)) as one, one.dup() as other:
        for runner, listening in zip(runners, (one, other), strict=True):
            await runner.setup()
            await AcceptingSite(runner, listening).start()
        opened = [socket.create_connection(one.getsockname()) for _ in range(clients)]
        await asyncio.wait_for(all_taken.wait(), 60)
        for each in opened:
            each.close()
        for runner in runners:
            await runner.cleanup()
    assert len(taken) == len(runners)
    assert max(taken.values()) - min(taken.values()) <= 2


async def test_connections_beyond_the_limit_get_a_reason(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections beyond the limit get an error response that web pages can read, whether the request arrives before or after the
    connection is accepted."""
    monkeypatch.setattr(connection, "IDLE_SECONDS", 600)
    others = [await asyncio.open_connection(*listening.getsockname()) for _ in range(MOST)]
    responses = await asyncio.gather(*(answer(listening, PAGE) for _ in range(MOST)))
    late = socket.create_connection(listening.getsockname())
    late.setblocking(False)
    await answer(listening, HEALTH)
    reader, writer = await asyncio.open_connection(sock=late)
    for part in (PAGE[:20], PAGE[20:]):
        writer.write(part)
        await writer.drain()
        await answer(listening, HEALTH)
    responses.append(await asyncio.wait_for(reader.read(), 60))
    for response in responses:
        head = response.partition(b"\r\n\r\n")[0]
        assert head.startswith(b"HTTP/1.1 503 ")
        for line in (b"Retry-After: ", b"Connection: close", b"Access-Control-Allow-Origin: https://shop.example"):
            assert b"\r\n" + line in head
    assert (await answer(listening, HEALTH)).startswith(b"HTTP/1.1 200 ")
    for _, other in (*others, (reader, writer)):
        other.close()


async def test_accepting_goes_on_when_there_are_descriptors_again(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accept_loop, "EXHAUSTED_SECONDS", 0.01)
    failures = [errno.EMFILE, errno.ECONNABORTED, errno.ENFILE]
    accept = cast("Callable[[socket.socket], Any]", socket.socket.accept)

    def failing(self: socket.socket) -> Any:
        if self is listening and failures:
            raise OSError(failures.pop(), "no")
        return accept(self)

    monkeypatch.setattr(socket.socket, "accept", failing)
    assert (await answer(listening, HEALTH)).startswith(b"HTTP/1.1 200 ")
    assert failures == []
