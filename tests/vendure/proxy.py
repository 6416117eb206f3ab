"""A proxy in front of the commerce engine. It counts calls, and can be told to fail in ways that a real engine never does."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import ClientSession, web

from tests.standin.faults import Fault, Held

PASSED_ON = ("Authorization", "Content-Type", "vendure-api-key", "vendure-token")
"""The headers that are forwarded, because the engine needs them."""


class EngineProxy:
    """Forwards requests to an engine. `calls` counts them by operation. While a `fault` is set, the fault responds in place of
    the engine."""

    def __init__(self, engine: str) -> None:
        self.calls: Counter[str] = Counter()
        self.fault: Fault | None = None
        self.url = ""
        self._engine = engine

    @asynccontextmanager
    async def serve(self) -> AsyncIterator["EngineProxy"]:
        """Listen at `url` until the context exits."""
        app = web.Application(client_max_size=0)
        app.router.add_post("/admin-api", self._respond)
        runner = web.AppRunner(app, shutdown_timeout=0)
        async with ClientSession() as self._session:
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            try:
                yield self
            finally:
                self.heal()
                await runner.cleanup()

    def heal(self) -> None:
        """Forward requests to the engine again, including those held until now."""
        if isinstance(self.fault, Held):
            self.fault.release()
        self.fault = None

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.calls[(await request.json())["operationName"]] += 1

        async def real_response() -> web.Response:
            headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
            async with self._session.post(f"{self._engine}/admin-api", data=body, headers=headers) as sent:
                return web.Response(status=sent.status, body=await sent.read(), content_type="application/json")

        return await (self.fault.respond(request, real_response) if self.fault else real_response())
