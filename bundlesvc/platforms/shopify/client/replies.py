"""Reads a reply from the platform: its data, or the kind of failure. `errors` is a string when the HTTP request failed, otherwise
a list."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.platforms.calls.call_errors import Denied, Refused, Throttled, TokenRefused, Transient
from bundlesvc.platforms.calls.graphql_errors import code_of, message_of, quote
from bundlesvc.platforms.calls.http import Json, Reply
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.shopify.client.call_errors import CursorRefused, NoMoreVariants, TooCostly

CLOSED_SHOP_SECONDS = 60
"""Seconds for which no calls are sent to a shop that refuses every call."""
DAILY_LIMIT_SECONDS = 600
"""Seconds between calls that test whether the platform has lifted its daily limit on new variants, which takes hours."""

_OK = 200
_UNAUTHORIZED = 401
_TOO_MANY = 429
_SERVER_FAULT = 500


def _closed() -> Unavailable:
    return PlatformUnavailable(retry_after=CLOSED_SHOP_SECONDS)


_REFUSALS: Mapping[int, tuple[str, Callable[[], Unavailable]]] = {
    402: ("the shop is frozen until its bill is paid (%s)", _closed),
    403: ("access is forbidden: an access scope is missing (%s)", PlatformFailed),
    404: ("there is no shop or no such API version at this address (%s)", PlatformFailed),
    423: ("the shop is locked (%s)", _closed),
    430: ("the platform blocks our requests for security reasons (%s)", _closed),
}
"""HTTP statuses with which a shop refuses every call, each with the message to log (followed by the platform's words) and the
error to raise."""

_SERVER_FAULTS: Mapping[int, Callable[[], Unavailable]] = {500: PlatformFailed, 504: PlatformTimeout}

_HARMLESS = frozenset({"RESOURCE_NOT_FOUND"})
"""Error codes to ignore, because the data contains null for an id that the platform does not know."""


_ARGUMENT_REFUSALS = frozenset({"", "BAD_REQUEST"})
"""Error codes with which the platform may refuse a cursor."""


def data_of(reply: Reply, notices: Notices) -> Json:
    """Return the data of a successful reply. Raises Transient, Throttled, Refused, NoMoreVariants, TooCostly, CursorRefused,
    Denied and PlatformFailed."""
    check_status(reply, notices)
    errors = reply.payload.get("errors") or ()
    if errors:
        _check_errors(errors if isinstance(errors, list) else [{"message": str(errors)}], notices)
    data = reply.payload.get("data")
    if not isinstance(data, Mapping):
        raise Transient(PlatformFailed())
    return data


def check_status(reply: Reply, notices: Notices) -> None:
    """Raise Transient, Throttled, Refused or PlatformFailed unless the HTTP status is 200."""
    if reply.status == _OK:
        return
    if reply.status == _TOO_MANY:
        raise Throttled(reply.retry_after)
    if reply.status >= _SERVER_FAULT:
        error = _SERVER_FAULTS.get(reply.status, PlatformUnavailable)()
        raise Transient(error, retry_after=reply.retry_after)
    words = f"HTTP {reply.status} {quote(reply.payload.get('errors', ''))}".strip()
    if reply.status == _UNAUTHORIZED:
        raise Refused(TokenRefused(words=words))
    if reply.status not in _REFUSALS:
        notices.trouble("an unexpected response (%s)", words)
        raise PlatformFailed
    sentence, error_of = _REFUSALS[reply.status]
    notices.trouble(sentence, words)
    raise Refused(error_of())


def _check_errors(errors: Sequence[Any], notices: Notices) -> None:
    by_code = {code_of(error): error for error in reversed(errors)}
    if "THROTTLED" in by_code:
        raise Throttled
    if "MAX_COST_EXCEEDED" in by_code:
        raise TooCostly
    if "INTERNAL_SERVER_ERROR" in by_code:
        raise Transient(PlatformFailed())
    if "VARIANT_THROTTLE_EXCEEDED" in by_code:
        notices.once("the platform's daily limit of new variants is reached (%s)", "VARIANT_THROTTLE_EXCEEDED")
        raise NoMoreVariants(PlatformUnavailable(retry_after=DAILY_LIMIT_SECONDS))
    for code in by_code.keys() - _HARMLESS:
        _refuse(code, by_code[code], notices)


def _refuse(code: str, error: Any, notices: Notices) -> NoReturn:
    if code == "ACCESS_DENIED":
        notices.once("an access scope is missing: %s", message_of(error))
        raise Denied
    if code in _ARGUMENT_REFUSALS and "cursor" in message_of(error).casefold():
        raise CursorRefused  # the cursor comes from a caller, so nothing is logged
    notices.once("the platform refuses a query of this service: %s %s", code, message_of(error))
    raise PlatformFailed
