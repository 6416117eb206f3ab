"""Requests that arrive early: after aiohttp's task has sent a response, but before it waits for the next request."""

import asyncio
from typing import Any

import orjson
import pytest

from bundlesvc.api.server.connection import Connection
from tests.api.conftest import BASE, Api
from tests.api.fast_path.handled_paths import answered_paths
from tests.api.fast_path.test_waiting_posts import message, response
from tests.api.raw import raw_connection
from tests.api.selection import price_body

BUNDLE, PRICE = "/bundles/60", "/bundles/60/price"


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_fast_path_answers_an_early_request(api: Api, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    path, body = (BUNDLE, b"") if method == "GET" else (PRICE, orjson.dumps(price_body("1001@1")))
    request = message(api, method, path, body)
    async with raw_connection(api.client) as (reader, writer):
        for _ in range(3):  # the fast path caches the response
            writer.write(request)
            await response(reader)
        answered = answered_paths(monkeypatch)
        _arriving_early(monkeypatch, request)
        writer.write(message(api, "GET", "/nothing"))
        assert (await response(reader))[0].startswith(b"http/1.1 404 ")
        assert (await response(reader))[0].startswith(b"http/1.1 200 ")
    assert answered == [f"{BASE}{path}"]


def _arriving_early(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Make `data` arrive once, right after the application's next response."""
    finish = Connection.finish_response

    async def finishing(self: Connection, *arguments: Any) -> Any:
        monkeypatch.setattr(Connection, "finish_response", finish)
        finished = await finish(self, *arguments)
        asyncio.get_running_loop().call_soon(self.data_received, data)
        return finished

    monkeypatch.setattr(Connection, "finish_response", finishing)
