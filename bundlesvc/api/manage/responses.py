"""Responses of the management API."""

from typing import Any
from urllib.parse import urlencode

import orjson
from aiohttp import hdrs, web

from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.requests.paging import cursor_of


def json_response(body: Any) -> web.Response:
    """Respond with a JSON body that caches must not store."""
    headers = {hdrs.CACHE_CONTROL: NO_STORE}
    return web.Response(body=orjson.dumps(body), content_type="application/json", headers=headers)


def next_part(request: web.Request, last: str) -> str:
    """Build the `Link` header for the next page of a list: the page that begins after the entry `last`."""
    query = urlencode({**request.query, "cursor": cursor_of(last)})
    return f'<{request.rel_url.raw_path}?{query}>; rel="next"'
