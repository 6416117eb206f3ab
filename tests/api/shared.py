"""One service in its own thread and with its own database, shared by many tests that change nothing."""

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvloop
from aiohttp import ClientResponse, ClientSession, web
from yarl import URL

from bundlesvc.api.server.runner import ServiceRunner
from bundlesvc.app import create_app
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.settings.environment import Settings
from tests.api.loaded import Keys, LoadedDatabase
from tests.conftest import SECRET_KEY
from tests.fakes import FakeClock


class PassingMinutes(FakeClock):
    """A clock that advances by a minute whenever it is read, so that no rate limit is ever reached."""

    def monotonic(self) -> float:
        self.move(60)
        return super().monotonic()


@dataclass
class SharedService:
    """The address of the shared service, and its keys."""

    app: web.Application
    host: str
    port: int
    keys: Keys
    stop: asyncio.Event = field(default_factory=asyncio.Event)


class Remote:
    """A client of the shared service with the methods of aiohttp's `TestClient` that tests use."""

    def __init__(self, session: ClientSession, service: SharedService) -> None:
        self._session = session
        self.app, self.host, self.port = service.app, service.host, service.port

    def make_url(self, path: str | URL) -> URL:
        return URL.build(scheme="http", host=self.host, port=self.port).join(URL(path))

    def request(self, method: str, path: str | URL, **options: Any) -> AbstractAsyncContextManager[ClientResponse]:
        return self._session.request(method, self.make_url(path), **options)

    def get(self, path: str | URL, **options: Any) -> AbstractAsyncContextManager[ClientResponse]:
        return self.request("GET", path, **options)

    def post(self, path: str | URL, **options: Any) -> AbstractAsyncContextManager[ClientResponse]:
        return self.request("POST", path, **options)

    def options(self, path: str | URL, **options: Any) -> AbstractAsyncContextManager[ClientResponse]:
        return self.request("OPTIONS", path, **options)


@contextmanager
def shared_service(loaded: LoadedDatabase, folder: Path, *, edge: bool = True) -> Iterator[SharedService]:
    """Run the service on a copy of the database until the context ends."""
    settings = Settings(database=str(folder / "shared.db"), secret_keys=(SECRET_KEY,), edge=edge)
    shutil.copy(loaded.location, settings.database)
    started: Future[tuple[asyncio.AbstractEventLoop, SharedService]] = Future()
    with ThreadPoolExecutor(1, thread_name_prefix="shared service") as thread:
        ended = thread.submit(uvloop.run, _run(settings, loaded.keys, started))
        ended.add_done_callback(lambda _: started.cancel())  # ends the wait below if the service fails to start
        loop, service = started.result(30)
        yield service
        loop.call_soon_threadsafe(service.stop.set)
        ended.result(30)


async def _run(
    settings: Settings, keys: Keys, started: "Future[tuple[asyncio.AbstractEventLoop, SharedService]]"
) -> None:
    app = create_app(settings, clock=FakeClock(), buckets=MemoryBuckets(PassingMinutes()))
    runner = ServiceRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    service = SharedService(app, host, port, keys)
    started.set_result((asyncio.get_running_loop(), service))
    await service.stop.wait()
    await runner.cleanup()
