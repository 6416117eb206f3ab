"""The handlers through which open pages of the studio learn about each other."""

import re
from http import HTTPStatus

import orjson
from aiohttp import hdrs, web
from marshmallow import validate

from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.manage.fields import Pattern
from bundlesvc.api.requests.fields import RequestSchema, WholeNumber
from bundlesvc.api.requests.parsing import load_body, read_body
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import RateLimited
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.rate_limit import Bucket, decisive
from bundlesvc.ports import Buckets
from bundlesvc.ports.studio import OpenPage
from bundlesvc.studio.handlers import SERVICES, with_session
from bundlesvc.studio.own_page import may_write
from bundlesvc.studio.sessions import Session

BODY_BYTES = 1024

NOTES_PER_MINUTE = 600
"""The maximum number of reports about open pages per key and minute. Each page sends six reports a minute."""


class OpenPageSchema(RequestSchema):
    """The id that the page chose for itself, and the bundle that it edits."""

    page = Pattern(re.compile(r"[0-9a-z-]{8,32}\Z"), "Must be 8 to 32 of the characters a-z, 0-9 and -.", required=True)
    bundleId = WholeNumber(allow_none=True, validate=validate.Range(1, MAX_ID, error="Must be from {min} to {max}."))


@with_session(may_write)
async def note_page(request: web.Request, session: Session) -> web.Response:
    """Record that this page is open, and respond with the other open pages of the shop."""
    services, caller = request.app[SERVICES], session.caller
    await _pay(services.buckets, caller)
    sent = load_body(await read_body(request, BODY_BYTES), OpenPageSchema())
    own = OpenPage(sent["page"], caller.key.label, sent.get("bundleId"))
    others = await services.pages.note(caller.tenant, own, int(services.clock.now()))
    body = [{"label": each.label, "bundleId": each.bundle_id} for each in others]
    headers = {hdrs.CACHE_CONTROL: NO_STORE}
    return web.Response(body=orjson.dumps(body), content_type="application/json", headers=headers)


@with_session(may_write)
async def forget_page(request: web.Request, session: Session) -> web.Response:
    """Record that a page is closed."""
    sent = load_body(await read_body(request, BODY_BYTES), OpenPageSchema())
    await request.app[SERVICES].pages.forget(session.caller.tenant, sent["page"])
    return web.Response(status=HTTPStatus.NO_CONTENT, headers={hdrs.CACHE_CONTROL: NO_STORE})


async def _pay(buckets: Buckets, caller: Caller) -> None:
    """Count the request against the key's rate limit. Raises RateLimited."""
    bucket = Bucket("open_page", f"{{key:{caller.key.id}}}:open_page", NOTES_PER_MINUTE)
    state = decisive(await buckets.take([bucket]))
    if not state.allowed:
        raise RateLimited(state.retry_after, state.kind)
