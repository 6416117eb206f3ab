"""The handlers that read the shop, revisions, items, differences, findings and the audit log."""

from typing import Any

import orjson
from aiohttp import hdrs, web

from bundlesvc.api.app_keys import CALLER, DEADLINE
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.manage.fields import TIME_FAULT, parse_time
from bundlesvc.api.manage.responses import json_response, next_part
from bundlesvc.api.manage.revisions import rendering
from bundlesvc.api.manage.revisions.app_keys import PRODUCT_CHOICE, REPLAYS, REVISIONS
from bundlesvc.api.manage.revisions.parsing import (
    draft_number,
    item_name,
    query_number,
    revision_number,
    sent_object,
    tagged,
)
from bundlesvc.api.manage.revisions.requests import ReplayRequestSchema
from bundlesvc.api.requests.paging import CURSOR_FAULT, LIMIT_FAULT, parse_limit, text_of
from bundlesvc.api.requests.parsing import QueryReader, load_object, read_body
from bundlesvc.api.responses.rendering import products_of_bundle
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.revisions.audit import AuditFilter
from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS, THE_SHOP, ItemName
from bundlesvc.domain.revisions.revision import MAX_LISTED, STATES, Response, Revision, RevisionFilter
from bundlesvc.services.revisions.replay import MAX_SELECTIONS

STATE_FAULT = f"Must be one or more of {', '.join(STATES)}, separated by commas."
LONGEST_SEARCH = 200
WORDS_FAULT = f"Must have at most {LONGEST_SEARCH} characters."
REPLAY_BYTES = 1024
NDJSON = "application/x-ndjson"


async def read_shop(request: web.Request) -> web.Response:
    revision, shop = await request.app[REVISIONS].item(request[CALLER].tenant, None, THE_SHOP)
    return _body(revision, {**shop, "live": revision.number})


async def list_revisions(request: web.Request) -> web.Response:
    query = QueryReader(request)
    wanted = RevisionFilter(
        query.take("state", _states, STATE_FAULT) or (),
        query.take("cursor", _before, CURSOR_FAULT),
        query.take("limit", parse_limit, LIMIT_FAULT) or MAX_LISTED,
    )
    if query.faults:
        raise InvalidRequest(query.faults)
    found = await request.app[REVISIONS].list(request[CALLER].tenant, wanted)
    response = json_response([*map(rendering.revision_body, found)])
    if len(found) == wanted.limit:
        response.headers[hdrs.LINK] = next_part(request, str(found[-1].number))
    return response


async def read_revision(request: web.Request) -> web.Response:
    found = await request.app[REVISIONS].find(request[CALLER].tenant, revision_number(request))
    return tagged(rendering.revision_response(found))


async def read_content(request: web.Request) -> web.Response:
    number, query = revision_number(request), QueryReader(request)
    at = query.take("at", parse_time, TIME_FAULT)
    if query.faults:
        raise InvalidRequest(query.faults)
    revisions, tenant = request.app[REVISIONS], request[CALLER].tenant
    if at is None:
        return _body(*await revisions.content(tenant, number))
    return _body(*await revisions.content_at(tenant, number, at))


async def read_difference(request: web.Request) -> web.Response:
    number, against = revision_number(request), query_number(request, "against")
    found = await request.app[REVISIONS].difference(request[CALLER].tenant, number, against)
    return json_response(rendering.differences_body(found))


async def read_findings(request: web.Request) -> web.Response:
    found = await request.app[REVISIONS].findings(request[CALLER].tenant, revision_number(request))
    return json_response(rendering.findings_body(found))


async def replay(request: web.Request) -> web.Response:
    number = draft_number(request)
    sent = load_object(sent_object(await read_body(request, REPLAY_BYTES)), ReplayRequestSchema())
    limit = sent.get("limit") or MAX_SELECTIONS
    found = await request.app[REPLAYS].replay(request[CALLER].tenant, number, limit, request[DEADLINE])
    return json_response(rendering.replay_body(found))


async def read_shop_item(request: web.Request) -> web.Response:
    return await _item(request, THE_SHOP)


async def read_bundle(request: web.Request) -> web.Response:
    return await _item(request, item_name(BUNDLES, request.match_info["id"]))


async def read_product(request: web.Request) -> web.Response:
    return await _item(request, item_name(PRODUCTS, request.match_info["id"]))


async def read_market(request: web.Request) -> web.Response:
    return await _item(request, item_name(MARKETS, request.match_info["id"]))


async def read_experiment(request: web.Request) -> web.Response:
    return await _item(request, item_name(EXPERIMENTS, request.match_info["id"]))


async def find_products(request: web.Request) -> web.Response:
    query = QueryReader(request)
    limit = query.take("limit", parse_limit, LIMIT_FAULT) or MAX_LISTED
    after = query.take("cursor", text_of, CURSOR_FAULT)
    text = query.take("search", _words, WORDS_FAULT) or ""
    if query.faults:
        raise InvalidRequest(query.faults)
    page = await request.app[PRODUCT_CHOICE].find(request[CALLER].tenant, text, limit, after, request[DEADLINE])
    response = json_response(products_of_bundle(page.listed))
    if page.next is not None:
        response.headers[hdrs.LINK] = next_part(request, page.next)
    return response


async def list_entries(request: web.Request) -> web.Response:
    query = QueryReader(request)
    wanted = AuditFilter(
        query.take("since", _time, TIME_FAULT),
        query.take("cursor", _before, CURSOR_FAULT),
        query.take("limit", parse_limit, LIMIT_FAULT) or MAX_LISTED,
    )
    if query.faults:
        raise InvalidRequest(query.faults)
    found = await request.app[REVISIONS].entries(request[CALLER].tenant, wanted)
    bodies = [*map(rendering.entry_body, found)]
    response = _lines(bodies) if NDJSON in request.headers.get(hdrs.ACCEPT, "") else json_response(bodies)
    if len(found) == wanted.limit:
        response.headers[hdrs.LINK] = next_part(request, str(found[-1].number))
    return response


async def _item(request: web.Request, item: ItemName) -> web.Response:
    found = await request.app[REVISIONS].item(request[CALLER].tenant, revision_number(request), item)
    return tagged(rendering.item_response(found))


def _body(revision: Revision, body: Any) -> web.Response:
    """Respond with a body and the entity tag of the revision."""
    return tagged(Response(200, rendering.etag(revision), orjson.dumps(body)))


def _lines(bodies: list[dict[str, Any]]) -> web.Response:
    """Respond with bodies as JSON Lines."""
    lines = b"".join(orjson.dumps(body, option=orjson.OPT_APPEND_NEWLINE) for body in bodies)
    return web.Response(body=lines, content_type=NDJSON, headers={hdrs.CACHE_CONTROL: NO_STORE})


def _states(text: str) -> tuple[str, ...] | None:
    states = tuple(text.split(","))
    return states if set(states) <= {*STATES} else None


def _words(text: str) -> str | None:
    """Parse the words to search for. Returns None when the text is too long."""
    return text if len(text) <= LONGEST_SEARCH else None


def _before(cursor: str) -> int | None:
    """Decode a cursor into the revision or entry number below which the page starts. Returns None when the cursor is invalid."""
    return parse_id(text_of(cursor) or "")


def _time(text: str) -> int | None:
    return parse_time(text.replace(" ", "+"))  # an unescaped + in the offset arrives as a space
