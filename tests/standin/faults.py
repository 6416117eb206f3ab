"""What goes wrong between the platform and its callers, to be queued: each fault stands for one answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson
from aiohttp import web

from tests.standin.refusals import internal_error, throttled

TrueAnswer = Callable[[], Awaitable[web.Response]]
"""Does what was asked for, and gives the answer that would be sent."""


class Fault(Protocol):
    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        """What the caller gets; whether anything is done is the fault's choice."""


@dataclass(frozen=True)
class Answered:
    """This answer, and nothing is done. A body that is no bytes goes out as JSON."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        raw = self.body if isinstance(self.body, bytes) else orjson.dumps(self.body)
        return web.Response(status=self.status, body=raw, headers={"Content-Type": "application/json", **self.headers})


@dataclass(frozen=True)
class Delayed:
    """So many seconds later: another fault's answer, or the true one."""

    seconds: float
    then: Fault | None = None

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        await asyncio.sleep(self.seconds)
        return await (self.then.answer(request, true_answer) if self.then else true_answer())


@dataclass(frozen=True)
class Held:
    """Hangs until it is released, then as `Delayed`. The request is done only then."""

    then: Fault | None = None
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        await self.released.wait()
        return await (self.then.answer(request, true_answer) if self.then else true_answer())


class CutBefore:
    """The connection breaks before anything is done."""

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        return _cut(request)


class CutAfter:
    """What was asked for is done, but the connection breaks before the caller hears of it."""

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        await true_answer()
        return _cut(request)


class HalfBody:
    """What was asked for is done, but the connection breaks in the middle of the answer."""

    async def answer(self, request: web.Request, true_answer: TrueAnswer) -> web.StreamResponse:
        whole = await true_answer()
        body = whole.body
        assert isinstance(body, bytes)
        half = web.StreamResponse(status=whole.status, headers=whole.headers)
        half.content_length = len(body)
        await half.prepare(request)
        await half.write(body[: len(body) // 2])
        _cut(request)
        return half


def graphql_errors(*errors: Mapping[str, Any], data: Any = None, status: int = 200) -> Answered:
    """GraphQL errors, with null or some data."""
    return Answered(status, {"errors": list(errors), "data": data})


def server_error(status: int = 500) -> Answered:
    """A 5xx of the platform's edge: no JSON at all."""
    return Answered(status, b"<html><body>Something went wrong</body></html>", {"Content-Type": "text/html"})


def refused(status: int) -> Answered:
    """A refusal whose `errors` is a string."""
    return Answered(status, {"errors": REFUSALS[status]})


def internal_failure() -> Answered:
    """The platform's own failure behind an HTTP 200."""
    return graphql_errors(internal_error("standin").formatted)


def daily_limit_reached() -> Answered:
    """A shop with 50,000 variants or more has made all the new ones it may make today."""
    message = "Daily variant creation limit reached. Please try again later."
    return graphql_errors({"message": message, "extensions": {"code": "VARIANT_THROTTLE_EXCEEDED"}})


def out_of_points(status: int = 200) -> Answered:
    """THROTTLED, whatever is in the bucket, and without telling of it."""
    return Answered(status, {"errors": [throttled().formatted]})


REFUSALS: Mapping[int, str] = {
    401: "[API] Invalid API key or access token (unrecognized login or wrong password)",
    402: "Unavailable Shop",
    403: "[API] This action requires merchant approval for a scope that the app does not have.",
    404: "Not Found",
    423: "Locked",
}
"""What the platform writes where `errors` is a string, by status."""


class FaultQueue:
    """Faults in the order in which they come up; each for so many answers, and for one operation or for any."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Fault, str | None, int | None]] = []
        self._held: list[Held] = []

    def put(self, fault: Fault, operation: str | None, times: int | None) -> None:
        self._waiting.append((fault, operation, times))
        if isinstance(fault, Held):
            self._held.append(fault)

    def take(self, operation: str) -> Fault | None:
        """The fault that the next answer to this operation is replaced by."""
        for place, (fault, wanted, times) in enumerate(self._waiting):
            if wanted in (None, operation):
                left = None if times is None else times - 1
                self._waiting[place : place + 1] = [] if left == 0 else [(fault, wanted, left)]
                return fault
        return None

    def clear(self) -> None:
        """Nothing goes wrong any more, and what hangs goes on."""
        self._waiting.clear()
        for fault in self._held:
            fault.release()
        self._held.clear()


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
