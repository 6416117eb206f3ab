"""Reads a reply of the Admin API: its data, or the kind of failure."""

from collections.abc import Mapping
from typing import Any, NoReturn

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable
from bundlesvc.platforms.calls.call_errors import Denied, Throttled, Transient
from bundlesvc.platforms.calls.http import Json, Reply
from bundlesvc.platforms.calls.notices import Notices

_LONGEST_QUOTE = 300
_OK, _BAD_REQUEST, _TOO_MANY, _SERVER_FAULT, _GATEWAY_TIMEOUT = 200, 400, 429, 500, 504
_FORBIDDEN, _INTERNAL, _NO_CHANNEL = "FORBIDDEN", "INTERNAL_SERVER_ERROR", "CHANNEL_NOT_FOUND"


def data_of(reply: Reply, notices: Notices) -> Json:
    """The data of a successful reply. Data beside an error is not used. Raises Transient, Throttled, Denied and
    PlatformFailed."""
    _check_status(reply, notices)
    errors = reply.payload.get("errors")
    if errors:
        _refuse(errors, notices)
    data = reply.payload.get("data")
    if not isinstance(data, Mapping):
        raise Transient(PlatformFailed())
    return data


def _check_status(reply: Reply, notices: Notices) -> None:
    if reply.status in (_OK, _BAD_REQUEST):  # a query that the schema does not allow has status 400, and says why
        return
    if reply.status == _TOO_MANY:  # of a proxy in front: the platform itself has no limits
        raise Throttled
    if reply.status == _GATEWAY_TIMEOUT:
        raise Transient(PlatformTimeout())
    if reply.status > _SERVER_FAULT:
        raise Transient(PlatformUnavailable())
    if reply.status == _SERVER_FAULT:
        raise Transient(PlatformFailed())
    notices.trouble("an unexpected response (HTTP %s)", reply.status)
    raise PlatformFailed


def _refuse(errors: Any, notices: Notices) -> NoReturn:
    """Raise what the most important error means."""
    by_code = {_code(error): _message(error) for error in reversed(errors if isinstance(errors, list) else [errors])}
    if _FORBIDDEN in by_code:
        raise Denied
    if _INTERNAL in by_code:
        raise Transient(PlatformFailed())
    code, message = next(iter(by_code.items()))
    if code == _NO_CHANNEL:
        notices.once("there is no channel with the token in the shop file (%s)", message)
    else:
        notices.once("the platform refuses a query of this service: %s %s", code, message)
    raise PlatformFailed


def _code(error: Any) -> str:
    extensions = error.get("extensions") if isinstance(error, Mapping) else None
    return str(extensions.get("code", "")) if isinstance(extensions, Mapping) else ""


def _message(error: Any) -> str:
    words = error.get("message", "") if isinstance(error, Mapping) else error
    return " ".join(str(words).split())[:_LONGEST_QUOTE]
