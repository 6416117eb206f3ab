"""Parses requests about revisions: revision numbers, item ids, entity tags, dry runs and idempotency keys."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from aiohttp import hdrs, web

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.manage.revisions.app_keys import REVISION_WRITER, SOURCE
from bundlesvc.api.posts.idempotency import idempotency_key
from bundlesvc.api.requests.parsing import NO_COUNTRY, NO_ID, BodyOrError, body_digest, read_body
from bundlesvc.api.visitors import VISITORS
from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.identifiers import parse_country, parse_id
from bundlesvc.domain.revisions.items import MARKETS, NUMBERED, ItemName
from bundlesvc.domain.revisions.revision import ANY, API, Act, Response, Seen
from bundlesvc.json_body import parse_object
from bundlesvc.services.revisions.requests import WriteRequest, WriteResult

T = TypeVar("T")

MAX_BODY = 5 * 1024 * 1024
LIVE = "live"
NO_NUMBER = "Must be the number of a revision, or live."
NO_DRAFT = "Must be the number of a revision."
NO_FLAG = "Must be true or false."
NO_NAME = "Must be the id of an experiment, of up to 255 characters."
NO_TAGS = 'Must be ETags of the revision, such as "7-2", or *.'

_MAX_NAME = 255
_TAGS = re.compile(r'\s*(?:W/)?"[^"]*"\s*(?:,\s*(?:W/)?"[^"]*"\s*)*\Z')
_TAG = re.compile(r'(W/)?"([^"]*)"')


def revision_number(request: web.Request) -> int | None:
    """Parse the revision number in the path. Returns None for the live revision. Raises InvalidRequest."""
    sent = request.match_info["number"]
    return None if sent == LIVE else _number(sent, "number", NO_NUMBER)


def draft_number(request: web.Request) -> int:
    """Parse the number of the draft that is to be changed, which is part of the path. Raises InvalidRequest."""
    return _number(request.match_info["number"], "number", NO_DRAFT)


def query_number(request: web.Request, name: str) -> int | None:
    """Parse the revision number in a query parameter. Returns None when it is absent or names the live revision. Raises
    InvalidRequest."""
    sent = request.query.get(name, LIVE)
    return None if sent == LIVE else _number(sent, name, NO_NUMBER)


def item_name(kind: str, text: str) -> ItemName:
    """Parse the id of an item of the given kind, as it appears in a path. Raises InvalidRequest."""
    if kind in NUMBERED:
        return ItemName(kind, str(_number(text, "id", NO_ID)))
    if kind == MARKETS:
        country = parse_country(text)
        if country is None:
            raise InvalidRequest([Fault("id", "invalid", NO_COUNTRY)])
        return ItemName(kind, country)
    if not 1 <= len(text) <= _MAX_NAME or "\0" in text:
        raise InvalidRequest([Fault("id", "invalid", NO_NAME)])
    return ItemName(kind, text)


def seen_tags(request: web.Request) -> Seen:
    """Parse the entity tags of `If-Match`. Returns None when the header is absent. Weak tags match nothing, as RFC 9110 requires.
    Raises InvalidRequest."""
    sent = request.headers.get(hdrs.IF_MATCH)
    if sent is None:
        return None
    if sent.strip() == "*":
        return ANY
    if not _TAGS.match(sent):
        raise InvalidRequest([Fault("If-Match", "invalid", NO_TAGS)])
    return frozenset(tag for weak, tag in _TAG.findall(sent) if not weak)


def sent_object(body: BodyOrError) -> dict[str, Any]:
    """Parse the JSON object in a body; an empty body counts as an empty object. Raises InvalidJson, InvalidRequest, or the error
    that occurred when the body was read."""
    if not isinstance(body, bytes):
        raise body
    return parse_object(body) if body else {}


async def write(
    request: web.Request,
    change: Callable[[Act, dict[str, Any]], Awaitable[T]],
    render: Callable[[T], Response],
) -> web.Response:
    """Respond to a request that changes something. `change` receives the context of the change and the object in the body."""
    body = await read_body(request, MAX_BODY)
    dry_run = _flag(request, "dryRun")
    key = idempotency_key(request) if request.method == hdrs.METH_POST else None

    async def changed(act: Act) -> T:
        return await change(act, sent_object(body))

    wanted = WriteRequest(
        request[CALLER],
        request.app[VISITORS].of(request.remote, request.headers),
        request.get(SOURCE, API),
        dry_run,
        None
        if key is None
        else IdempotencyKey(request[CALLER].key.test, request.method, request.path, key, _digest(request, body)),
    )
    return _sent(await request.app[REVISION_WRITER].write(wanted, changed, render))


def tagged(response: Response) -> web.Response:
    """Convert a response to aiohttp's class, with its entity tag and a header that forbids caches to store the response."""
    headers = {hdrs.CACHE_CONTROL: NO_STORE}
    if response.etag is not None:
        headers[hdrs.ETAG] = response.etag
    return web.Response(status=response.status, body=response.body, content_type="application/json", headers=headers)


def _sent(result: WriteResult) -> web.Response:
    response = tagged(result.response)
    if result.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _digest(request: web.Request, body: BodyOrError) -> str:
    """Compute the digest of a request that has an idempotency key, from `If-Match` and the body. A retry must have the same
    digest."""
    said = request.headers.get(hdrs.IF_MATCH, "")
    return body_digest(body if not isinstance(body, bytes) else said.encode() + b"\n" + body)


def _number(text: str, name: str, fault: str) -> int:
    number = parse_id(text)
    if number is None:
        raise InvalidRequest([Fault(name, "invalid", fault)])
    return number


def _flag(request: web.Request, name: str) -> bool:
    sent = request.query.get(name, "false")
    if sent not in ("true", "false"):
        raise InvalidRequest([Fault(name, "invalid", NO_FLAG)])
    return sent == "true"
