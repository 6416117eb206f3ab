"""Reads a reply from the Admin API: its data, or the kind of failure."""

from collections.abc import Mapping
from typing import Any, NoReturn

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable
from bundlesvc.platforms.calls.call_errors import Denied, Throttled, Transient
from bundlesvc.platforms.calls.graphql_errors import code_of, message_of
from bundlesvc.platforms.calls.http import Json, Reply
from bundlesvc.platforms.calls.notices import Notices

_OK, _BAD_REQUEST, _TOO_MANY, _SERVER_FAULT, _GATEWAY_TIMEOUT = 200, 400, 429, 500, 504
_FORBIDDEN, _INTERNAL, _UNKNOWN = "FORBIDDEN", "INTERNAL_SERVER_ERROR", ""
"""Error codes. An error in the engine's database has no code."""
NO_CHANNEL, NO_SUCH_FIELD = "CHANNEL_NOT_FOUND", "GRAPHQL_VALIDATION_FAILED"
"""Codes of refusals: no channel has this token; the schema lacks a field that the document names."""


class QueryRefused(Exception):
    """The shop refuses a document, and would refuse it again. `code` is the kind of refusal, or empty when the shop reports none.
    The message is the shop's own."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


def data_of(reply: Reply, notices: Notices) -> Json:
    """Return the data of a successful reply. Data that is accompanied by an error is not used. Raises Transient, Throttled,
    Denied, QueryRefused and PlatformFailed."""
    _check_status(reply, notices)
    errors = reply.payload.get("errors")
    if errors:
        _refuse(errors)
    data = reply.payload.get("data")
    if not isinstance(data, Mapping):
        raise Transient(PlatformFailed())
    return data


def _check_status(reply: Reply, notices: Notices) -> None:
    # For a query that violates the schema, the status is 400 and the body states the reason.
    if reply.status in (_OK, _BAD_REQUEST):
        return
    if reply.status == _TOO_MANY:  # sent by a reverse proxy: the platform itself has no rate limits
        raise Throttled(reply.retry_after)
    if reply.status == _GATEWAY_TIMEOUT:
        raise Transient(PlatformTimeout(), retry_after=reply.retry_after)
    if reply.status > _SERVER_FAULT:
        raise Transient(PlatformUnavailable(), retry_after=reply.retry_after)
    if reply.status == _SERVER_FAULT:
        raise Transient(PlatformFailed())
    notices.trouble("an unexpected response (HTTP %s)", reply.status)
    raise PlatformFailed


def _refuse(errors: Any) -> NoReturn:
    """Raise the exception for the most important of these errors."""
    by_code = {
        code_of(error): message_of(error) for error in reversed(errors if isinstance(errors, list) else [errors])
    }
    if _FORBIDDEN in by_code:
        raise Denied
    if _INTERNAL in by_code or _UNKNOWN in by_code:
        raise Transient(PlatformFailed())
    raise QueryRefused(*next(iter(by_code.items())))
