"""Passes requests from the studio on to the handler of another path, within this process and without a connection."""

from collections.abc import Mapping

from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from bundlesvc.api.aiohttp_internals import with_match_info


async def call(
    request: web.Request, app: web.Application, address: URL, headers: Mapping[str, str]
) -> web.StreamResponse:
    """Have an application handle this request at another address, and return the response. Raises any error raised by the handler
    at that address."""
    inner = request.clone(rel_url=address, headers=CIMultiDict(headers))
    match = await app.router.resolve(inner)
    match.add_app(app)
    return await match.handler(with_match_info(inner, match))
