"""Faults between the platform and its callers. Faults are queued, and each replaces one or more responses."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson
from aiohttp import web

from tests.standin.operations.refusals import access_denied, internal_error, throttled, too_costly

RealResponse = Callable[[], Awaitable[web.Response]]
"""A function that executes the request and returns the real response."""


class Fault(Protocol):
    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        """Return the response that the caller receives. The fault decides whether the request is executed first."""


@dataclass(frozen=True)
class Answered:
    """A fixed response, sent without executing the request. A body that is not bytes is sent as JSON."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        raw = self.body if isinstance(self.body, bytes) else orjson.dumps(self.body)
        return web.Response(status=self.status, body=raw, headers={"Content-Type": "application/json", **self.headers})


@dataclass(frozen=True)
class Delayed:
    """A delay in seconds, followed by another fault or by the platform's response."""

    seconds: float
    then: Fault | None = None

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        await asyncio.sleep(self.seconds)
        return await (self.then.respond(request, real_response) if self.then else real_response())


@dataclass(frozen=True)
class Held:
    """A response that hangs until it is released. Afterwards, either the request is executed, or the fault `then` determines the
    response."""

    then: Fault | None = None
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        await self.released.wait()
        return await (self.then.respond(request, real_response) if self.then else real_response())


class CutBefore:
    """A connection that breaks before the request is executed."""

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        return _cut(request)


class CutAfter:
    """A connection that breaks after the request is executed and before the response arrives."""

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        await real_response()
        return _cut(request)


class HalfBody:
    """A connection that breaks in the middle of the response, after the request has been executed."""

    async def respond(self, request: web.Request, real_response: RealResponse) -> web.StreamResponse:
        whole = await real_response()
        body = whole.body
        assert isinstance(body, bytes)
        half = web.StreamResponse(status=whole.status, headers=whole.headers)
        half.content_length = len(body)
        await half.prepare(request)
        await half.write(body[: len(body) // 2])
        _cut(request)
        return half


def graphql_errors(*errors: Mapping[str, Any], data: Any = None, status: int = 200) -> Answered:
    """Build a response with GraphQL errors. Its `data` is null unless `data` is given."""
    return Answered(status, {"errors": list(errors), "data": data})


def server_error(status: int = 500) -> Answered:
    """Build a 5xx response as the platform's edge servers send it: with a body that is not JSON."""
    return Answered(status, b"<html><body>Something went wrong</body></html>", {"Content-Type": "text/html"})


def refused(status: int) -> Answered:
    """Build a refusal with this status. In its body, `errors` is a string."""
    return Answered(status, {"errors": REFUSALS[status]})


def internal_failure() -> Answered:
    """Build the response with HTTP status 200 that the platform sends after an internal error."""
    return graphql_errors(internal_error("standin").formatted)


def scope_missing() -> Answered:
    """Build the response to a request whose access token lacks the scope for reading products."""
    return graphql_errors(access_denied("products", "read_products").formatted)


def too_expensive() -> Answered:
    """Build the response to a query that costs more than the platform allows."""
    return graphql_errors(too_costly(1001, 1000).formatted)


def daily_limit_reached() -> Answered:
    """Build the response for a shop with at least 50,000 variants that has reached its daily limit for creating variants."""
    message = "Daily variant creation limit reached. Please try again later."
    return graphql_errors({"message": message, "extensions": {"code": "VARIANT_THROTTLE_EXCEEDED"}})


def out_of_points(status: int = 200) -> Answered:
    """Build a THROTTLED response, which does not depend on the bucket of query-cost points and does not contain the bucket's
    status."""
    return Answered(status, {"errors": [throttled().formatted]})


REFUSALS: Mapping[int, str] = {
    401: "[API] Invalid API key or access token (unrecognized login or wrong password)",
    402: "Unavailable Shop",
    403: "[API] This action requires merchant approval for a scope that the app does not have.",
    404: "Not Found",
    423: "Locked",
}
"""The platform's messages where `errors` is a string, by status."""


class FaultQueue:
    """A queue of faults. Each fault applies to a given number of responses or to all responses, and to one operation or to any
    operation."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Fault, str | None, int | None]] = []
        self._held: list[Held] = []

    def put(self, fault: Fault, operation: str | None, times: int | None) -> None:
        self._waiting.append((fault, operation, times))
        if isinstance(fault, Held):
            self._held.append(fault)

    def take(self, operation: str) -> Fault | None:
        """Take the next fault for this operation from the queue. Returns None if there is none."""
        for index, (fault, wanted, times) in enumerate(self._waiting):
            if wanted in (None, operation):
                left = None if times is None else times - 1
                self._waiting[index : index + 1] = [] if left == 0 else [(fault, wanted, left)]
                return fault
        return None

    def clear(self) -> None:
        """Remove all faults, and let hanging requests finish."""
        self._waiting.clear()
        for fault in self._held:
            fault.release()
        self._held.clear()


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
