"""Sends the requests of hundreds of clients concurrently."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson

from tests.process.serving import BASE, Server


@dataclass(frozen=True)
class Call:
    """A request to a path relative to the base path: a POST if it has a body, otherwise a GET."""

    path: str
    body: Any = None


@dataclass(frozen=True)
class Received:
    status: int
    body: bytes


def call_at_once(servers: Sequence[Server], key: str, calls: Sequence[Call]) -> list[Received]:
    """Send all calls concurrently, distributed over the servers in turn. Returns the responses in the order of the calls."""
    return asyncio.run(_call(servers, key, calls))


async def _call(servers: Sequence[Server], key: str, calls: Sequence[Call]) -> list[Received]:
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": "gzip"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:

        async def call(number: int) -> Received:
            server, one = servers[number % len(servers)], calls[number]
            method, data = ("GET", None) if one.body is None else ("POST", orjson.dumps(one.body))
            async with session.request(method, f"{server.address}{BASE}{one.path}", data=data) as response:
                return Received(response.status, await response.read())

        return await asyncio.gather(*map(call, range(len(calls))))
