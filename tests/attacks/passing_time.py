"""A clock for the connections of a service, controlled by the test: seconds pass instantly, and a slow machine causes no early
timeouts."""

import asyncio
from collections.abc import Callable

import pytest

from bundlesvc.api.server import connections
from bundlesvc.api.server.connection import Connection
from tests.api.conftest import Client
from tests.api.running_server import server_of

TIMEOUT = 60
"""Seconds after which a test that hangs fails."""


@pytest.fixture
def no_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the service from checking its connections every second. The test checks them instead (`PassingTime`)."""
    monkeypatch.setattr(connections, "SWEEP_SECONDS", 3600)


@pytest.fixture
def quick_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service check its connections ten times a second instead of once."""
    monkeypatch.setattr(connections, "SWEEP_SECONDS", 0.1)


class PassingTime:
    """The clock of a service's connections. It starts at the current time, and advances only when `seconds` is called. Needs the
    `no_sweeps` fixture."""

    def __init__(self, client: Client) -> None:
        self._server = server_of(client)
        self._now = asyncio.get_running_loop().time()

    @property
    def closed(self) -> dict[str, int]:
        """The number of closed connections, by the kind of timeout."""
        return {name: count for name, count in self._server._statistics.closed.items() if count}

    def seconds(self, count: float) -> None:
        self._now += count
        self._look()

    async def until(self, state: Callable[[Connection], bool]) -> None:
        """Wait until a connection is in this state, which shows that the client's data has arrived; then check all connections
        for timeouts."""
        async with asyncio.timeout(TIMEOUT):
            while not any(map(state, self._server._open)):  # noqa: ASYNC110 - nothing else shows what has arrived
                await asyncio.sleep(0.001)
        self._look()

    def _look(self) -> None:
        for connection in list(self._server._open):
            self._server._look(connection, self._now)


def has_body_of(size: int) -> Callable[[Connection], bool]:
    """Return a predicate that is true when a connection has a request in progress and at least `size` bytes of the request's body
    have arrived."""

    def state(connection: Connection) -> bool:
        request = connection._current_request
        return request is not None and request.content.total_bytes >= size

    return state
