"""GET /bundles with parameters: lists of bundles to show on web pages (docs/contract.md#lists)."""

import re
from typing import Any
from urllib.parse import urlencode

from aiohttp import hdrs, web

from bundlesvc.api.app_keys import CALLER, DEADLINE, LISTINGS, OWN_ADDRESSES, RESPONSE_CACHE
from bundlesvc.api.requests.paging import CURSOR_FAULT, LIMIT_FAULT, cursor_of, parse_limit, text_of
from bundlesvc.api.requests.parsing import QueryReader
from bundlesvc.api.response_cache.entry import SOURCE, RenderKey
from bundlesvc.api.response_cache.freshness import BUNDLE_FRESHNESS, PRODUCTS_FRESHNESS
from bundlesvc.api.response_cache.own_address import absolute
from bundlesvc.api.responses import rendering
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import EMBEDDED
from bundlesvc.domain.texts.characters import hidden_in_line
from bundlesvc.services.bundles import MAX_LISTED
from bundlesvc.services.listings import ListedBundle, ListRequest, listed

PARAMETERS = frozenset(("lang", "handle", "include", "limit", "cursor"))
MAX_HANDLE = 255
OFFER = "offer"
LANGUAGE_PATTERN = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$"
_LANGUAGE = re.compile(LANGUAGE_PATTERN.replace("$", r"\Z"), re.ASCII)


def list_request(request: web.Request) -> ListRequest:
    """Parse the query parameters of a list. Raises InvalidRequest with every fault."""
    query = QueryReader(request)
    wanted = ListRequest(
        language=query.take("lang", _language, 'Must be a language tag, as in "de" or "de-CH".'),
        handle=query.take("handle", _handle, f"Must be the handle of a product, of 1 to {MAX_HANDLE} characters."),
        limit=query.take("limit", parse_limit, LIMIT_FAULT) or MAX_LISTED,
        after=query.take("cursor", read_cursor, CURSOR_FAULT) or 0,
        with_offers=query.take("include", _include, f"Must be {OFFER}.") or False,
    )
    if query.faults:
        raise InvalidRequest(query.faults)
    return wanted


def _language(text: str) -> str | None:
    return text if _LANGUAGE.match(text) else None


def _handle(text: str) -> str | None:
    return text if 1 <= len(text) <= MAX_HANDLE and not hidden_in_line(text) else None


def _include(text: str) -> bool | None:
    return True if text == OFFER else None


def cursor_after(bundle_id: int) -> str:
    """Encode the cursor for the page that begins after a bundle."""
    return cursor_of(f"after:{bundle_id}")


def read_cursor(cursor: str) -> int | None:
    """Decode a cursor: the id of the last bundle already listed. Returns None when the cursor is invalid."""
    bundle_id = parse_id((text_of(cursor) or "").removeprefix("after:"))
    return bundle_id if bundle_id is not None and cursor_after(bundle_id) == cursor else None


async def list_part(request: web.Request) -> web.Response:
    """Respond with the page of the list that the query requests."""
    caller, listings, rendered = request[CALLER], request.app[LISTINGS], request.app[RESPONSE_CACHE]
    wanted = list_request(request)
    part = await listings.find(caller, wanted, request[DEADLINE])
    origin = request.app[OWN_ADDRESSES].of(request)

    async def render() -> Reading[object]:
        if not wanted.with_offers:
            return Reading([_listed(each, origin) for each in listed(part)])
        view = await listings.view(caller, part, request[DEADLINE])
        return Reading([_listed(each, origin) for each in view.value], view.age, view.lifetime)

    freshness = PRODUCTS_FRESHNESS if wanted.with_offers else BUNDLE_FRESHNESS
    if request.app[OWN_ADDRESSES].is_cached(origin):
        key = RenderKey(
            "offers" if wanted.with_offers else "list",
            language=f"{part.language} {part.sentences}",
            listed=tuple(bundle.id for bundle in part.bundles),
            origin=origin,
        )
        response = await rendered.respond(request, caller.tenant, key, freshness, render)
    else:
        response = rendered.respond_uncached(request, caller.tenant, (await render()).value, freshness)
    if wanted.handle is not None and caller.tenant.shop.platform.kind != EMBEDDED:
        request.pop(SOURCE, None)  # handles on a live platform change without a new revision of the shop
    response.headers[hdrs.CONTENT_LANGUAGE] = part.language
    if part.next_after is not None:
        response.headers[hdrs.LINK] = _next(request, wanted, part.next_after)
    return response


def _listed(listed_bundle: ListedBundle, origin: str) -> dict[str, Any]:
    body = rendering.bundle_summary(listed_bundle.bundle)
    body["imageUrl"] = absolute(body["imageUrl"], origin)
    return body if listed_bundle.offer is None else body | rendering.offer(listed_bundle.offer)


def _next(request: web.Request, wanted: ListRequest, after: int) -> str:
    query = {
        "lang": wanted.language,
        "handle": wanted.handle,
        "include": OFFER if wanted.with_offers else None,
        "limit": wanted.limit,
        "cursor": cursor_after(after),
    }
    given = urlencode({name: value for name, value in query.items() if value is not None})
    return f'<{request.rel_url.raw_path}?{given}>; rel="next"'
