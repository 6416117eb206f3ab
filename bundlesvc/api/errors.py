"""Error responses: the HTTP status of each domain error, and the body (docs/contract.md#errors)."""

from random import getrandbits
from typing import Any

import orjson
from aiohttp import hdrs, web
from multidict import istr

from bundlesvc.domain import errors

STATUSES: dict[type[errors.BundlesvcError], int] = {
    errors.InvalidJson: 400,
    errors.InvalidRequest: 400,
    errors.SelectionInvalid: 400,
    errors.RulesNotMet: 400,
    errors.SubscriptionInvalid: 400,
    errors.PersonalisationInvalid: 400,
    errors.ConditionsDiscountMismatch: 400,
    errors.PriceChanged: 400,
    errors.IdempotencyKeyInvalid: 400,
    errors.IdempotencyKeyReused: 400,
    errors.ContentEncodingUnsupported: 400,
    errors.BodyTooSlow: 400,
    errors.KeyInvalid: 403,
    errors.KeyScope: 403,
    errors.OriginNotAllowed: 403,
    errors.ShopNotEnabled: 403,
    errors.SignatureInvalid: 403,
    errors.NotFound: 404,
    errors.BodyTooLarge: 413,
    errors.RateLimited: 429,
    errors.PlatformFailed: 502,
    errors.Overloaded: 503,
    errors.ShuttingDown: 503,
    errors.PlatformNotConnected: 503,
    errors.PlatformUnavailable: 503,
    errors.GhostVariantsFull: 503,
    errors.StorageUnavailable: 503,
    errors.PlatformTimeout: 504,
    errors.HttpVersionUnsupported: 505,
}
STATES: dict[type[errors.BundlesvcError], int] = {errors.Refused: 409, errors.Outdated: 412, errors.Unseen: 428}
"""The statuses of errors that only capabilities raise. Each of these errors specifies its own code."""

METHOD_NOT_ALLOWED = "method_not_allowed"
METHOD_SENTENCE = "Method not allowed; see the Allow header."
INTERNAL_ERROR = "internal_error"
INTERNAL_SENTENCE = "Internal error. Quote the request id when you report it."

CODES = (*(error.code for error in STATUSES), METHOD_NOT_ALLOWED, INTERNAL_ERROR)
"""The `code` of every error."""
FAULT_CODES = {error.code: error.fault_codes for error in STATUSES if issubclass(error, errors.InvalidInput)}
"""The codes of the details of each error, by the `code` of the error."""

CODE = web.ResponseKey("code", str)
LIMIT_KIND = web.ResponseKey("limit_kind", str)
"""Annotations of an error response for the metrics: its code, and the kind of the bucket that had no token."""

NO_STORE = "no-store"

OWN_HEADERS = ((hdrs.SERVER, "bundlesvc"), (istr("X-Content-Type-Options"), "nosniff"))
"""Headers of every response. They hide the names of the server's libraries and stop browsers from guessing the content type."""


def error_response(error: errors.BundlesvcError, request_id: str) -> web.Response:
    """Build the response to an error raised by a use case."""
    headers = {}
    if isinstance(error, errors.RateLimited | errors.Unavailable):
        headers["Retry-After"] = str(error.retry_after)
    response = json_error(status_of(type(error)), error.code, str(error), request_id, own_fields(error), headers)
    if isinstance(error, errors.RateLimited):
        response[LIMIT_KIND] = error.kind
    return response


def own_fields(error: errors.BundlesvcError) -> dict[str, Any]:
    """Return the fields of an error body that are specific to this kind of error."""
    own: dict[str, Any] = {}
    if isinstance(error, errors.InvalidInput) and error.faults:
        own["details"] = [fault.as_detail() for fault in error.faults]
    if isinstance(error, errors.NotFound):
        own["detail"] = "Not found."
    if isinstance(error, errors.RateLimited) and error.limit is not None:
        own["limit"] = error.limit
    if isinstance(error, errors.Refused):
        own |= error.fields
    return own


def free_frames(error: BaseException) -> None:
    """Delete the tracebacks of an error and its causes. Call this function once the response is built. Frames in a traceback
    often refer back to the error or its request; only the garbage collector would free such a cycle, and with it the whole
    connection."""
    each: BaseException | None = error
    while each is not None and each.__traceback__ is not None:
        each.__traceback__ = None
        each = each.__cause__ or each.__context__


def status_of(kind: type[errors.BundlesvcError]) -> int:
    """Return the HTTP status of an error class: its own, or that of its nearest base class that has one."""
    statuses = {**STATUSES, **STATES}
    return next(statuses[base] for base in kind.__mro__ if base in statuses)


def server_response(error: errors.BundlesvcError | None) -> web.Response:
    """Build the error response to a request that does not reach the application. If `error` is None, the response reports an
    internal error."""
    request_id = f"{getrandbits(128):032x}"
    response = internal_error(request_id) if error is None else error_response(error, request_id)
    for name, value in (("X-Request-Id", request_id), *OWN_HEADERS):
        response.headers[name] = value
    return response


def method_not_allowed(allow: str, request_id: str) -> web.Response:
    return json_error(405, METHOD_NOT_ALLOWED, METHOD_SENTENCE, request_id, headers={"Allow": allow})


def internal_error(request_id: str) -> web.Response:
    return json_error(500, INTERNAL_ERROR, INTERNAL_SENTENCE, request_id)


def json_error(
    status: int,
    code: str,
    sentence: str,
    request_id: str,
    extra: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> web.Response:
    """Build an error response: `{"error", "code", "requestId"}` and the fields specific to the kind of error."""
    body = {"error": sentence, "code": code, "requestId": request_id, **(extra or {})}
    response = web.Response(
        status=status,
        body=orjson.dumps(body),
        content_type="application/json",
        headers={"Cache-Control": NO_STORE, **(headers or {})},
    )
    response[CODE] = code
    return response
