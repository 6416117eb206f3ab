"""The studio's handlers: the session, calls to the management API on behalf of the session, and drafts for the component."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import orjson
from aiohttp import hdrs, web
from marshmallow import validate
from yarl import URL

from bundlesvc.api.app_keys import CALLER, DEADLINE, OWN_ADDRESSES, REQUEST_ID
from bundlesvc.api.errors import NO_STORE, json_error
from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.revisions.app_keys import SOURCE
from bundlesvc.api.manage.revisions.rendering import time_text
from bundlesvc.api.overload import waiting_of
from bundlesvc.api.requests.fields import RequestSchema, Text
from bundlesvc.api.requests.parsing import load_body, read_body
from bundlesvc.api.visitors import VISITORS
from bundlesvc.domain.errors import NotFound
from bundlesvc.ports import Buckets, Clock
from bundlesvc.ports.studio import OpenPages
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.studio.drafts.draft_api import BASE_PATH as DRAFT_PATH
from bundlesvc.studio.drafts.draft_previews import DraftPreviews, ShownDraft, seconds_of
from bundlesvc.studio.inner_calls import call
from bundlesvc.studio.own_page import is_own_page, may_write
from bundlesvc.studio.session_cookie import forget_token, store_token, token_of
from bundlesvc.studio.sessions import Session, Sessions

STUDIO_PATH = "/studio"
LOGIN_BYTES = 4096

_READS = (hdrs.METH_GET, hdrs.METH_HEAD)
_OWN = {hdrs.COOKIE, hdrs.ORIGIN, hdrs.AUTHORIZATION, hdrs.REFERER}
"""Headers for the studio alone, which are not passed on to the management API."""


@dataclass(frozen=True, slots=True)
class StudioServices:
    """The services that the handlers use. A request waits up to `platform_timeout` seconds for live platforms."""

    sessions: Sessions
    previews: DraftPreviews
    pages: OpenPages
    buckets: Buckets
    clock: Clock
    platform_timeout: float


SERVICES = web.AppKey("studio_services", StudioServices)
DEMO_KEY = web.AppKey("studio_demo_key", str)
"""The demo's key, with which anybody may open a session."""
FILE = web.AppKey("studio_file", str)
"""The name of the shop file that the studio follows. Absent when the studio does not follow a file."""


Check = Callable[[web.Request], bool]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
SessionHandler = Callable[[web.Request, Session], Awaitable[web.StreamResponse]]


def own_page(check: Check) -> Callable[[Handler], Handler]:
    """Decorate a handler so that it refuses requests that fail a check from `own_page.py`."""

    def guarding(handler: Handler) -> Handler:
        @wraps(handler)
        async def guarded(request: web.Request) -> web.StreamResponse:
            return await handler(request) if check(request) else _foreign(request)

        return guarded

    return guarding


def with_session(check: Check) -> Callable[[SessionHandler], Handler]:
    """Decorate a handler as `own_page` does, and also refuse requests without a session. The handler receives the session."""

    def guarding(handler: SessionHandler) -> Handler:
        @own_page(check)
        @wraps(handler)
        async def guarded(request: web.Request) -> web.StreamResponse:
            session = await session_of(request)
            return _no_session(request) if session is None else await handler(request, session)

        return guarded

    return guarding


def _may_manage(request: web.Request) -> bool:
    return is_own_page(request) if request.method in _READS else may_write(request)


class LoginSchema(RequestSchema):
    """The key for which a session is opened."""

    key = Text(required=True, validate=validate.Length(1, 255, error="Must have {min} to {max} characters."))


async def read_session(request: web.Request) -> web.Response:
    """Respond with the label, the scopes and the shop of the session's key (null without a session), whether a demo session can
    be opened, and the name of the followed file."""
    return _json(_session_body(request, await session_of(request)))


@own_page(may_write)
async def open_session(request: web.Request) -> web.Response:
    """Exchange a key for a session."""
    key = load_body(await read_body(request, LOGIN_BYTES), LoginSchema())["key"]
    return await opened(request, key.strip())


@own_page(may_write)
async def open_demo_session(request: web.Request) -> web.Response:
    """Open a session with the demo's key."""
    return await opened(request, request.app[DEMO_KEY])


@own_page(may_write)
async def close_session(request: web.Request) -> web.Response:
    """Close the session by making the browser delete the session's token."""
    response = web.Response(status=HTTPStatus.NO_CONTENT, headers={hdrs.CACHE_CONTROL: NO_STORE})
    forget_token(request, response, STUDIO_PATH)
    return response


@with_session(_may_manage)
async def manage(request: web.Request, session: Session) -> web.StreamResponse:
    """Call the management API with the key of the session."""
    rest = request.rel_url.raw_path.removeprefix(f"{STUDIO_PATH}/api")
    return await _managed(request, session, rest, request.rel_url.raw_query_string)


@with_session(is_own_page)
async def preview(request: web.Request, session: Session) -> web.StreamResponse:
    """Respond to the component's request with the content of a draft."""
    services, named = request.app[SERVICES], request.match_info
    request[CALLER] = session.caller  # for the log and the key's usage counts

    async def content() -> Mapping[str, Any]:
        rest = f"/revisions/{int(named['number'])}/content"
        at = seconds_of(named["time"], session.caller.tenant.shop.timezone)
        query = "" if at is None else urlencode({"at": time_text(at)})
        read_only = request.clone(method=hdrs.METH_GET)  # whichever method the component uses
        response = await _managed(read_only, session, rest, query, headers={})
        body = getattr(response, "body", None)
        if response.status != HTTPStatus.OK or not isinstance(body, bytes):
            raise NotFound
        read: Mapping[str, Any] = orjson.loads(body)
        return read

    shown = ShownDraft(session.caller.tenant.id, named["number"], named["tag"], named["time"])
    draft = await services.previews.find(shown, session.caller.tenant, content)
    rest = request.rel_url.raw_path.split("/", 6)[6]
    address = _address(f"{DRAFT_PATH}/{rest}", request.rel_url.raw_query_string)
    inner = request.clone()
    inner[CALLER], inner[DEADLINE] = draft.caller, RequestDeadline(services.platform_timeout, waiting_of(request))
    response = await call(inner, draft.app, address, request.headers)
    response.headers[hdrs.CACHE_CONTROL] = NO_STORE
    return response


async def session_of(request: web.Request) -> Session | None:
    """Return the session of a request, or None if it has no valid one. Raises RateLimited and StorageUnavailable."""
    token = token_of(request)
    if not token:
        return None
    return await request.app[SERVICES].sessions.find(token, request.host, _visitor(request))


async def opened(request: web.Request, key: str) -> web.Response:
    """Open a session with a key, and return the response that stores the session's token in the browser. Raises KeyInvalid,
    KeyScope, RateLimited and StorageUnavailable."""
    session, token = await request.app[SERVICES].sessions.open(key, request.host, _visitor(request))
    response = _json(_session_body(request, session))
    is_secure = request.app[OWN_ADDRESSES].of(request).startswith("https:")
    store_token(request, response, token, STUDIO_PATH, secure=is_secure)
    return response


async def _managed(
    request: web.Request, session: Session, rest: str, query: str = "", headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Call the management API with the session's key, and return its response. Sends `headers`, or the request's own headers
    if `headers` is None."""
    sent = request.headers if headers is None else headers
    own = {name: value for name, value in sent.items() if name not in _OWN} | {
        hdrs.AUTHORIZATION: session.authorization
    }
    address = _address(f"{MANAGE_PATH}{rest}", query)
    request[SOURCE] = "studio"
    try:
        return await call(request, request.app, address, own)
    finally:
        request[CALLER] = session.caller  # for the log and the key's usage counts


def _address(path: str, query: str) -> URL:
    return URL(f"{path}?{query}" if query else path, encoded=True)


def _visitor(request: web.Request) -> str:
    return request.app[VISITORS].of(request.remote, request.headers)


def _session_body(request: web.Request, session: Session | None) -> dict[str, Any]:
    about = {"demoLogin": DEMO_KEY in request.app, "file": request.app.get(FILE)}
    if session is None:
        return {"session": None, **about}
    key, shop = session.caller.key, session.caller.tenant.shop
    return {"session": {"label": key.label, "scopes": list(key.scopes), "shop": shop.handle}, **about}


def _no_session(request: web.Request) -> web.Response:
    """Build the response to a request without a session."""
    sentence = "There is no session, or it has ended. Log in with a management key."
    return json_error(HTTPStatus.UNAUTHORIZED, "session_ended", sentence, request[REQUEST_ID])


def _foreign(request: web.Request) -> web.Response:
    """Build the response to a request that does not come from the studio's own page."""
    sentence = "This request does not come from the studio's own page. Open the studio and try again there."
    return json_error(HTTPStatus.FORBIDDEN, "foreign_page", sentence, request[REQUEST_ID])


def _json(body: dict[str, Any]) -> web.Response:
    headers = {hdrs.CACHE_CONTROL: NO_STORE}
    return web.Response(body=orjson.dumps(body), content_type="application/json", headers=headers)
