"""Admission below the base path, in the order of docs/contract.md#order-of-checks: key, rate limits, scope, shop, origin."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware
from multidict import MultiMapping

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.app_keys import CALLER, DEADLINE, LIMIT, OUTCOME
from bundlesvc.api.cors import BasePath, is_preflight
from bundlesvc.api.server.overload import waiting_of
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import EMBED, HEADLESS
from bundlesvc.domain.access.visitor import is_local, visitor_of
from bundlesvc.domain.errors import RateLimited
from bundlesvc.domain.rate_limit import BucketState
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.authentication import Authentication
from bundlesvc.services.rate_limits import RequestLimit

logger = logging.getLogger(__name__)


class Visitors:
    """Finds the client addresses behind trusted proxies. Warns once when a missing setting makes all visitors share one
    address."""

    def __init__(self, trusted_proxies: int) -> None:
        self._trusted_proxies = trusted_proxies
        self._warned = False

    def of(self, remote: str | None, headers: MultiMapping[str]) -> str:
        """The visitor who sent a request with these headers, on a connection from `remote`."""
        forwarded_for = headers.getall(hdrs.X_FORWARDED_FOR, [])
        peer = remote or ""
        if forwarded_for and not self._trusted_proxies and not self._warned and is_local(peer):
            self._warn()
        return visitor_of(peer, forwarded_for, self._trusted_proxies)

    def _warn(self) -> None:
        self._warned = True
        logger.warning(
            "Requests come through a proxy, but BUNDLESVC_TRUSTED_PROXIES is 0: all visitors count as one and share its limits."
        )


VISITORS = web.AppKey("visitors", Visitors)


class Gate:
    """All steps of the admission. A request that passes waits for live platforms for up to `platform_timeout` seconds in all.
    Paths of `embed` need the scope `embed`, those of `either` one of the two, all others `headless`."""

    def __init__(
        self,
        embed: BasePath,
        either: BasePath,
        authentication: Authentication,
        request_limit: RequestLimit,
        visitors: Visitors,
        platform_timeout: float,
    ) -> None:
        self._embed = embed
        self._either = either
        self._authentication = authentication
        self._request_limit = request_limit
        self._visitors = visitors
        self._platform_timeout = platform_timeout

    async def admit(self, request: web.Request) -> None:
        """Note caller, limit and deadline on the request. Raises the error of the first check that fails."""
        headers = request.headers
        authorization = headers.get(hdrs.AUTHORIZATION)
        caller = self._authentication.known(authorization)
        if caller is None:
            caller = await self._authentication.identify(authorization, self._visitors.of(request.remote, headers))
        if caller.key.visitor_limit is not None:
            caller = caller.coming_from(self._visitors.of(request.remote, headers))
        request[CALLER] = caller
        state = request[LIMIT] = await self._request_limit.take(caller)
        if not state.allowed:
            raise RateLimited(state.retry_after, state.kind)
        caller.admit(self._scope(request.path, caller), headers.get(hdrs.ORIGIN))
        request[DEADLINE] = self.deadline(waiting_of(request))

    def open_to_both(self, path: str) -> None:
        """Let keys with one of the scopes `headless` and `embed` pass at this path, and below it."""
        self._either = self._either.and_below(path)

    def deadline(self, waiting: Callable[[], AbstractContextManager[None]]) -> RequestDeadline:
        """The deadline of a request that begins; `waiting` as of `RequestDeadline`."""
        return RequestDeadline(self._platform_timeout, waiting)

    def known_caller(self, message: RawRequestMessage, remote: str | None) -> Caller | None:
        """The caller of a request that passes all checks but that of its limit, if its key is known. Raises the error of a check
        that fails. Nothing is waited for, and nothing changes."""
        headers = message.headers
        caller = self._authentication.known(headers.get(hdrs.AUTHORIZATION))
        if caller is None:
            return None
        if caller.key.visitor_limit is not None:
            caller = caller.coming_from(self._visitors.of(remote, headers))
        caller.admit(self._scope(message.path, caller), headers.get(hdrs.ORIGIN))
        return caller

    def take_now(self, caller: Caller) -> BucketState | None:
        """Take a token, if there is one, without waiting."""
        limit = self._request_limit.take_now(caller)
        return limit if limit is not None and limit.allowed else None

    def give_back_now(self, caller: Caller) -> None:
        """Return the token that `take_now` took."""
        self._request_limit.give_back_now(caller)

    def _scope(self, path: str, caller: Caller) -> str:
        """The scope that a request to this path needs."""
        is_embed = self._embed.covers(path) or (self._either.covers(path) and EMBED in caller.key.scopes)
        return EMBED if is_embed else HEADLESS


def admission(base: BasePath, gate: Gate) -> Middleware:
    """The middleware: one layer for all steps, because each further layer costs a request some microseconds."""

    @web.middleware
    async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
        outcome = request.get(OUTCOME)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, web.StreamResponse):
            return outcome
        if base.covers(request.path) and not is_preflight(request):
            await gate.admit(request)
        return await handler(request)

    return admit
