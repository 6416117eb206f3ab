"""Who may pass below the base path: the key is known, its buckets have a token, its scope, shop and origin fit."""

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from bundlesvc.api.app_keys import CALLER, DEADLINE, LIMIT
from bundlesvc.api.cors import BasePath, is_preflight
from bundlesvc.api.visitors import Visitors
from bundlesvc.domain.errors import RateLimited
from bundlesvc.domain.key import EMBED, HEADLESS
from bundlesvc.domain.rate_limit import decisive
from bundlesvc.ports import Buckets
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.authentication import Authentication


def gate(
    base: BasePath,
    embed: BasePath,
    authentication: Authentication,
    buckets: Buckets,
    trusted_proxies: int,
    platform_timeout: float,
) -> Middleware:
    """The middleware. One layer that reads as its steps: each layer more costs a request some microseconds. A request
    waits for live platforms for `platform_timeout` seconds in all."""

    visitors = Visitors(trusted_proxies)

    @web.middleware
    async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
        path = request.path
        if not base.covers(path) or is_preflight(request):
            return await handler(request)
        headers = request.headers
        authorization = headers.get(hdrs.AUTHORIZATION)
        caller = authentication.known(authorization)
        if caller is None:
            caller = await authentication.identify(authorization, visitors.of(request))
        if caller.key.visitor_limit is not None:
            caller = caller.coming_from(visitors.of(request))
        request[CALLER] = caller
        state = request[LIMIT] = decisive(await buckets.take(caller.buckets))
        if not state.allowed:
            raise RateLimited(state.retry_after)
        caller.admit(EMBED if embed.covers(path) else HEADLESS, headers.get(hdrs.ORIGIN))
        request[DEADLINE] = RequestDeadline(platform_timeout)
        return await handler(request)

    return admit
