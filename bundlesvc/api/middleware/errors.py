"""Every error becomes an answer of one shape; what is our own fault is logged, and says nothing to the outside."""

import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from bundlesvc.api.errors import error_response, internal_error, method_not_allowed
from bundlesvc.api.keys import REQUEST_ID
from bundlesvc.domain.errors import BodyTooLarge, BundlesvcError, InvalidRequest, NotFound

_log = structlog.get_logger("bundlesvc.errors")


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer what use cases and aiohttp raise as design 4 has it."""
    request_id = request[REQUEST_ID]
    try:
        return await handler(request)
    except BundlesvcError as error:
        return error_response(error, request_id)
    except web.HTTPException as error:
        return _http_error(error, request_id)
    except ConnectionError:
        raise
    except Exception:  # noqa: BLE001 - the last net: nobody is answered with a traceback
        _log.exception("internal error", requestId=request_id, method=request.method, path=request.path)
        return internal_error(request_id)


def _http_error(error: web.HTTPException, request_id: str) -> web.Response:
    """aiohttp's own errors: their bodies are plain text, and its 405 knows no better than its route table."""
    allow = error.headers.get(hdrs.ALLOW, "")
    if isinstance(error, web.HTTPForbidden):  # aiohttp-cors: an OPTIONS that is no preflight of a method we have
        return method_not_allowed("GET,HEAD,POST", request_id)
    if isinstance(error, web.HTTPMethodNotAllowed) and allow != hdrs.METH_OPTIONS:
        return method_not_allowed(allow, request_id)
    if isinstance(error, web.HTTPNotFound | web.HTTPMethodNotAllowed):  # only the preflights' catch-all knew the path
        return error_response(NotFound(), request_id)
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return error_response(BodyTooLarge(), request_id)
    return error_response(InvalidRequest(), request_id)
