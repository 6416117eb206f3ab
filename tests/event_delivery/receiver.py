"""A server that receives events: it responds as the test configures, and records what it received."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson
from aiohttp import web
from aiohttp.test_utils import TestServer

from bundlesvc.domain.events.signature import signature


class Receiver:
    """An endpoint for events. It checks the signature of each request with `secret`, and responds with `status`. With `hangs` it
    never responds."""

    def __init__(self) -> None:
        self.secret = ""
        self.status = 200
        self.hangs = False
        self.got: list[tuple[str, dict[str, object]]] = []
        """The id and the event of each request that was answered with a 2xx status."""
        self.attempts = 0
        self.url = ""

    async def receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        id_, timestamp = request.headers["webhook-id"], int(request.headers["webhook-timestamp"])
        assert request.headers["webhook-signature"] == signature(self.secret, id_, timestamp, body)
        assert request.headers["Content-Type"] == "application/json"
        self.attempts += 1
        if self.hangs:
            await asyncio.sleep(60)
        if self.status // 100 == 2:
            self.got.append((id_, orjson.loads(body)))
        headers = {"Location": "/elsewhere"} if self.status // 100 == 3 else {}
        return web.Response(status=self.status, headers=headers)

    @property
    def types(self) -> list[object]:
        return [event["type"] for _, event in self.got]


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """Run a receiver on a free port of this machine."""
    receiver = Receiver()
    app = web.Application()
    app.router.add_post("/hooks", receiver.receive)
    async with TestServer(app) as server:
        receiver.url = str(server.make_url("/hooks"))
        yield receiver
