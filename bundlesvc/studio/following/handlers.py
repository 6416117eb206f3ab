"""The handlers for a watched file: one opens a session with the secret in the preview's address; the other streams events to the
page."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import web
from marshmallow import validate

from bundlesvc.api.app_keys import REQUEST_ID
from bundlesvc.api.errors import NO_STORE, OWN_HEADERS, json_error
from bundlesvc.api.requests.fields import RequestSchema, Text
from bundlesvc.api.requests.parsing import load_body, read_body
from bundlesvc.studio.following.followed_file import FileFinding, FileState, FollowedFile
from bundlesvc.studio.following.one_time_secret import OneTimeSecret
from bundlesvc.studio.handlers import LOGIN_BYTES, opened, own_page, with_session
from bundlesvc.studio.own_page import is_own_page, may_write
from bundlesvc.studio.sessions import Session

FOLLOWED = web.AppKey("followed_file", FollowedFile)
SECRET = web.AppKey("one_time_secret", OneTimeSecret)
KEY = web.AppKey("followed_file_key", str)
"""The API key behind sessions that are opened with the secret."""

PATIENCE = 15.0
"""Seconds after which an idle stream sends a comment, its only way to notice that the page has closed."""

_STREAM_HEADERS = {"Content-Type": "text/event-stream", "Cache-Control": NO_STORE} | dict[str, str](OWN_HEADERS)
"""These include the headers that other responses get after their handlers have ended, because a stream has already sent its head
by then."""


class SecretSchema(RequestSchema):
    """The secret in the address that `bundlesvc preview` printed."""

    secret = Text(required=True, validate=validate.Length(1, 255, error="Must have {min} to {max} characters."))


@own_page(may_write)
async def open_file_session(request: web.Request) -> web.Response:
    """Exchange the secret from the preview's address for a session. The secret works only once."""
    secret = load_body(await read_body(request, LOGIN_BYTES), SecretSchema())["secret"]
    if not request.app[SECRET].use(secret):
        sentence = "This address was used before, or it is another preview's. Start the preview again for a new one."
        return json_error(HTTPStatus.FORBIDDEN, "secret_invalid", sentence, request[REQUEST_ID])
    return await opened(request, request.app[KEY])


@with_session(is_own_page)
async def events(request: web.Request, _: Session) -> web.StreamResponse:
    """Stream the current state of the followed file, and its new state after each change."""
    response = web.StreamResponse(headers=_STREAM_HEADERS)
    await response.prepare(request)
    async for state in request.app[FOLLOWED].states(PATIENCE):
        await response.write(b":\n\n" if state is None else b"data: %b\n\n" % orjson.dumps(_body(state)))
    return response


def _body(state: FileState) -> dict[str, Any]:
    return {
        "isCurrent": state.is_current,
        "savedAt": None if state.saved_at is None else datetime.fromtimestamp(state.saved_at, UTC).isoformat(),
        "findings": [*map(_finding, state.findings)],
    }


def _finding(found: FileFinding) -> dict[str, Any]:
    return {"line": found.line, **found.finding._asdict()}
