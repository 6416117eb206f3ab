"""Fakes for the adapter's dependencies: a scripted transport, and a sleep that only moves the clock."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.platforms.calls.http import Reply
from tests.fakes import FakeClock

DOMAIN = "standin.myshopify.com"
TOKEN = "shpat_secret"
TENANT = Tenant(
    1, 1, Shop("demo", "Demo", "demo.example", "en", True, (), PlatformLink("shopify", DOMAIN), ("default",), None)
)
CONNECTION = PlatformConnection(DOMAIN, TOKEN)

Step = Reply | Exception | Callable[[], Reply]


class FakeSleep:
    """A fake sleep function, which advances the fake clock and returns immediately."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self.waits: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
        self._clock.move(seconds)
        await asyncio.sleep(0)


class FakeConnections:
    """A credential store with the same connection for every shop, or with none. `stored` contains the connections that replaced
    an earlier one, in order."""

    def __init__(self, connection: PlatformConnection | None = CONNECTION) -> None:
        self.connection = connection
        self.stored: list[PlatformConnection] = []

    async def of(self, tenant: Tenant) -> PlatformConnection | None:
        return self.connection

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        if self.connection != old:
            return False
        self.connection = new
        self.stored.append(new)
        return True


class ScriptedTransport:
    """A transport that replies or raises according to its script, step by step, and records the requests."""

    def __init__(self, *script: Step) -> None:
        self.script: list[Step] = list(script)
        self.requests: list[Mapping[str, Any]] = []
        self.seconds: list[float] = []

    async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
        self.requests.append(orjson.loads(body))
        self.seconds.append(seconds)
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Reply) else step()


def reply(body: Any = None, status: int = 200, **headers: str) -> Reply:
    """Build a reply. A bytes body is sent unchanged; any other body becomes JSON. `Retry_After="2"` sets the `Retry-After`
    header."""
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, raw)


def data(content: Mapping[str, Any], cost: Mapping[str, Any] | None = None) -> Reply:
    return reply({"data": content, "extensions": {"cost": cost}} if cost else {"data": content})


def cost(requested: float, available: float, maximum: float = 2000, restore_rate: float = 100) -> Mapping[str, Any]:
    """Build the `extensions.cost` of a response."""
    return {
        "requestedQueryCost": requested,
        "actualQueryCost": requested,
        "throttleStatus": {
            "maximumAvailable": maximum,
            "currentlyAvailable": available,
            "restoreRate": restore_rate,
        },
    }


def points(requested: float, available: float, maximum: float = 2000, restore_rate: float = 100) -> Mapping[str, Any]:
    """Build the payload of a response with this query cost."""
    return {"extensions": {"cost": cost(requested, available, maximum, restore_rate)}}


def refusal(code: str, message: str = "No.", answer: Any = None, points: Mapping[str, Any] | None = None) -> Reply:
    """Build a reply with HTTP status 200 and a GraphQL error."""
    body: dict[str, Any] = {"errors": [{"message": message, "extensions": {"code": code}}], "data": answer}
    return reply(body | ({"extensions": {"cost": points}} if points else {}))


def codes(*names: str | None) -> Sequence[Mapping[str, Any]]:
    """Build the `userErrors` of a mutation, with one error for each code."""
    return [{"field": ["variants", "0"], "message": "No.", "code": name} for name in names]
