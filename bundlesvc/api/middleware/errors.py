"""Converts every error into a response in the format that all errors share (docs/contract.md#errors). An unexpected error is
logged; the response reveals nothing about it."""

from http import HTTPStatus

import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from aiohttp.web_urldispatcher import SystemRoute

from bundlesvc.api.app_keys import REQUEST_ID
from bundlesvc.api.errors import error_response, free_frames, internal_error, method_not_allowed
from bundlesvc.api.middleware.observation import RECORD, route_of
from bundlesvc.domain.errors import (
    BodyTooLarge,
    BundlesvcError,
    ContentEncodingUnsupported,
    InvalidRequest,
    NotFound,
)

_log = structlog.get_logger("bundlesvc.errors")


@web.middleware
async def render_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware that renders the errors raised by use cases and aiohttp."""
    try:
        if hdrs.CONTENT_ENCODING in request.headers:
            _check_coding(request)
        return await handler(request)
    except (web.HTTPException, BundlesvcError) as error:
        response = _refusal(request, error, request[REQUEST_ID])
        free_frames(error)
        _free_route(request)
    except Exception as error:
        if isinstance(error, ConnectionError) and _has_gone(request):
            raise
        _log.exception("internal error", requestId=request[REQUEST_ID], method=request.method, path=request.path)
        request.app[RECORD].tracing.report(error, route_of(request))
        response = internal_error(request[REQUEST_ID])
        free_frames(error)
    if request.content.exception() is not None or response.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        response.force_close()  # neither the rest of the body nor any later request can be read
    return response


def _check_coding(request: web.Request) -> None:
    """Refuse compressed bodies, because a few bytes may expand to gigabytes. Raises ContentEncodingUnsupported."""
    sent = ",".join(request.headers.getall(hdrs.CONTENT_ENCODING)).split(",")
    if any(coding.strip().lower() not in ("", "identity") for coding in sent):
        raise ContentEncodingUnsupported


def _refusal(request: web.Request, error: web.HTTPException | BundlesvcError, request_id: str) -> web.Response:
    if isinstance(error, BundlesvcError):
        return error_response(error, request_id)
    return _http_error(request, error, request_id)


def _free_route(request: web.Request) -> None:
    """Break the reference cycle in the route that aiohttp creates for an unknown path or method. Otherwise only the garbage
    collector would free it."""
    route = request.match_info.route
    if isinstance(route, SystemRoute):
        vars(route).pop("_handler", None)


def _has_gone(request: web.Request) -> bool:
    """Whether the client has disconnected. In that case, a broken connection is not an error of the service."""
    return request.transport is None or request.transport.is_closing()


def _http_error(request: web.Request, error: web.HTTPException, request_id: str) -> web.Response:
    """Convert an aiohttp error, which would otherwise be sent as plain text, to the API's format. A request to a path that
    accepts only preflights gets a 404, and an invalid preflight to any other path gets a 405."""
    allow = error.headers.get(hdrs.ALLOW, "")
    # aiohttp-cors raises this for an OPTIONS request that is not a valid preflight.
    if isinstance(error, web.HTTPForbidden):
        allow = ",".join(sorted(route.method for route in request.match_info.route.resource or ()))
    if allow and allow != hdrs.METH_OPTIONS:
        return method_not_allowed(allow, request_id)
    if allow or isinstance(error, web.HTTPNotFound):  # no route matched except the one for all preflights
        return error_response(NotFound(), request_id)
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return error_response(BodyTooLarge(), request_id)
    return error_response(InvalidRequest(), request_id)
