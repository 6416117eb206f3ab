"""Runs the stand-in platform in a thread. The platform can fail for individual shops, and can be stopped and restarted."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, TypeVar

from aiohttp import web

from tests.servers.free_port import free_port
from tests.standin.data.shop import Shop
from tests.standin.faults import Fault, Held, RealResponse
from tests.standin.server import Standin

T = TypeVar("T")

TIMEOUT = 30.0
TOKEN_HEADER = "X-Shopify-Access-Token"


class FaultByToken:
    """Faults by access token, so that each shop can fail differently. Shops without a fault get real responses."""

    def __init__(self) -> None:
        self.faults: dict[str, Fault] = {}

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        fault = self.faults.get(request.headers.get(TOKEN_HEADER, ""))
        return await (fault.respond(request, real_response) if fault else real_response())

    def heal(self) -> None:
        for fault in self.faults.values():
            if isinstance(fault, Held):
                fault.release()
        self.faults.clear()


class Platform:
    """One stand-in for many shops, which all have the same products. It always listens on the same port."""

    def __init__(self, shop: Shop, tokens: set[str]) -> None:
        self.standin = Standin(shop, tokens=tokens)
        self._faults = FaultByToken()
        self.standin.fail_next(self._faults, times=None)
        self._port = free_port()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="platform")
        self._listening: AsyncExitStack | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def calls(self) -> dict[str, int]:
        """The number of calls of each operation since the last `forget`."""
        return dict(self.standin.calls)

    def forget(self) -> None:
        self._do(self.standin.calls.clear)
        self._do(self.standin.requests.clear)

    def start(self) -> None:
        if not self._thread.is_alive():
            self._thread.start()

        async def listen() -> AsyncExitStack:
            stack = AsyncExitStack()
            await stack.enter_async_context(self.standin.serve(self._port))
            return stack

        self._listening = self._await(listen())

    def stop(self) -> None:
        """Stop listening, and close open connections."""
        if self._listening is not None:
            self._await(self._listening.aclose())
            self._listening = None
            self.standin.fail_next(self._faults, times=None)  # set again: the stand-in drops its faults when it stops

    def close(self) -> None:
        """Stop the platform and its thread. Raises the errors that occurred in the stand-in itself."""
        try:
            self.stop()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(TIMEOUT)
            self._loop.close()

    def fail(self, faults: dict[str, Fault]) -> None:
        """Make each shop whose access token is in `faults` respond with that fault."""
        self._do(lambda: self._faults.faults.update(faults))

    def heal(self) -> None:
        """Remove all faults, and let hanging requests finish."""
        self._do(self._faults.heal)

    def change(self, work: Callable[[], T]) -> T:
        """Run a function that changes the shop's data, at a moment when no response is being built."""
        return self._do(work)

    def _do(self, work: Callable[[], T]) -> T:
        async def done() -> T:
            return work()

        return self._await(done())

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT)


@contextmanager
def platform_of(shop: Shop, tokens: set[str]) -> Iterator[Platform]:
    platform = Platform(shop, tokens)
    platform.start()
    try:
        yield platform
    finally:
        platform.close()
