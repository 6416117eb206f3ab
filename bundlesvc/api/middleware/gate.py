"""Admission of requests below the base path, in the order of docs/contract.md#order-of-checks: key, rate limits, scope, shop,
origin."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware
from multidict import MultiMapping

from bundlesvc.api.app_keys import CALLER, DEADLINE, LIMIT, OUTCOME
from bundlesvc.api.cors import BasePath, is_preflight
from bundlesvc.api.overload import waiting_of
from bundlesvc.api.visitors import Visitors
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import EMBED, HEADLESS
from bundlesvc.domain.errors import RateLimited
from bundlesvc.domain.rate_limit import Bucket, BucketState, decisive
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.authentication import Authentication


@dataclass(slots=True)
class Admission:
    """A request at the gate: the parts that the gate reads, and what the gate has determined so far."""

    path: str
    headers: MultiMapping[str]
    remote: str | None
    origin: str | None
    passed: Caller | None = None
    """The key and shop with which the same request passed the gate earlier."""
    key_holder: Caller | None = None
    """The key and its shop, without a visitor."""
    caller: Caller | None = None
    limit: BucketState | None = None

    def note(self, request: web.BaseRequest) -> None:
        """Record on aiohttp's request what the gate has determined."""
        if self.caller is not None:
            request[CALLER] = self.caller
        if self.limit is not None:
            request[LIMIT] = self.limit


TakeTokens = Callable[[Sequence[Bucket]], Awaitable[Sequence[BucketState]]]
"""Takes a token from each bucket of a request (`Buckets.take`)."""


class Gate:
    """Performs all steps of admitting a request. An admitted request waits for live platforms for at most `platform_timeout`
    seconds in total. Paths under `embed` require the `embed` scope, paths under `either` require `embed` or `headless`, and all
    others require `headless`. If `only` is set, all paths require that scope instead."""

    def __init__(
        self,
        embed: BasePath,
        either: BasePath,
        authentication: Authentication,
        take: TakeTokens,
        visitors: Visitors,
        platform_timeout: float,
        only: str | None = None,
    ) -> None:
        self._embed = embed
        self._either = either
        self._only = only
        self._authentication = authentication
        self._take = take
        self._visitors = visitors
        self._platform_timeout = platform_timeout

    async def admit(self, admission: Admission) -> Caller:
        """Identify the caller, and take a token from each rate-limit bucket of the caller. Raises the error of the first check
        that fails."""
        headers = admission.headers
        authorization = headers.get(hdrs.AUTHORIZATION)
        holder = self._authentication.cached(authorization)
        if holder is None:
            holder = await self._authentication.identify(authorization, self._visitors.of(admission.remote, headers))
        caller = admission.key_holder = holder
        if caller.key.visitor_limit is not None:
            caller = caller.coming_from(self._visitors.of(admission.remote, headers))
        admission.caller = caller
        limit = admission.limit = decisive(await self._take(caller.buckets))
        if not limit.allowed:
            raise RateLimited(limit.retry_after, limit.kind)
        if holder is not admission.passed:  # otherwise the request has passed these checks with the same key and shop
            caller.admit(self._scope(admission.path, caller), admission.origin)
        return caller

    def open_to_both(self, path: str) -> None:
        """Admit keys with either the `headless` or the `embed` scope at this path and below it."""
        self._either = self._either.and_below(path)

    def with_scope(self, scope: str) -> "Gate":
        """Return a gate for another API, all of whose paths need this scope."""
        return Gate(
            self._embed,
            self._either,
            self._authentication,
            self._take,
            self._visitors,
            self._platform_timeout,
            scope,
        )

    def deadline(self, waiting: Callable[[], AbstractContextManager[None]]) -> RequestDeadline:
        """Create the deadline for a request that is just starting. `waiting` is passed to `RequestDeadline`."""
        return RequestDeadline(self._platform_timeout, waiting)

    def _scope(self, path: str, caller: Caller) -> str:
        """Return the scope that a request to this path needs."""
        if self._only is not None:
            return self._only
        scopes = caller.key.scopes
        if HEADLESS in scopes and EMBED in scopes:  # this key passes either check
            return HEADLESS
        is_embed = self._embed.covers(path) or (EMBED in scopes and self._either.covers(path))
        return EMBED if is_embed else HEADLESS


async def admit_request(gate: Gate, request: web.Request) -> None:
    """Admit a request, unless the fast path has admitted it already, and give it a deadline. Records the caller and the rate
    limit on the request. Raises the error of the first check that fails."""
    if CALLER not in request:
        found = Admission(request.path, request.headers, request.remote, request.headers.get(hdrs.ORIGIN))
        try:
            await gate.admit(found)
        finally:
            found.note(request)
    request[DEADLINE] = gate.deadline(waiting_of(request))


def behind_gate(gate: Gate, handler: Handler) -> Handler:
    """Put a gate in front of the handler of a path that is not below the base path."""

    async def handle(request: web.Request) -> web.StreamResponse:
        await admit_request(gate, request)
        return await handler(request)

    return handle


def admission(base: BasePath, gate: Gate) -> Middleware:
    """Create the middleware that admits requests. It is a single layer for all steps, because each additional layer adds a few
    microseconds per request. The fast path may already have admitted the request, and may even have produced its response or
    error."""

    @web.middleware
    async def admit_and_handle(request: web.Request, handler: Handler) -> web.StreamResponse:
        outcome = request.get(OUTCOME)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, web.StreamResponse):
            return outcome
        if base.covers(request.path) and not is_preflight(request):
            await admit_request(gate, request)
        return await handler(request)

    return admit_and_handle
