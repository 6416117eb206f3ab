"""The HTTP server around the application: what never reaches the application is answered in our own shape too."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from random import getrandbits
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from bundlesvc.api.errors import OWN_HEADERS, error_response, internal_error
from bundlesvc.api.keys import STATISTICS
from bundlesvc.domain.errors import InvalidRequest

STOP_SECONDS = 25
"""How long requests under way may take once the process is told to stop: hosts kill after thirty seconds."""

LINGER_SECONDS = 2
"""How long a client may go on sending a body after its response, so that it can read the response before the end."""

_POLL_SECONDS = 0.02


class ServiceRunner(web.AppRunner):
    """Runs the application, without aiohttp's access log: the application writes a line of its own, cheaper."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(app, access_log=None, shutdown_timeout=1)

    async def drain(self) -> None:
        """Take no new connections, and let the requests under way finish, those too whose body is still on its way: aiohttp's
        own shutdown would stop reading it."""
        for site in list(self.sites):
            await site.stop()
        traffic = self.app[STATISTICS]
        traffic.draining = True
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while traffic.under_way:  # noqa: ASYNC110 - asked seldom, so that requests need not tell
                    await asyncio.sleep(_POLL_SECONDS)

    async def _make_server(self) -> web.Server:
        plain = await super()._make_server()
        return _Server(
            plain.request_handler,
            request_factory=plain.request_factory,
            access_log=None,
            lingering_time=LINGER_SECONDS,
            auto_decompress=False,  # a few bytes may stand for gigabytes, and aiohttp unpacks on every path
        )


class _Server(web.Server):
    def __call__(self) -> RequestHandler:
        return _Connection(self, loop=self._loop, **self._kwargs)


class _Connection(RequestHandler):
    """A client's bytes that are no HTTP are its own fault: 400, and no traceback in our log."""

    __slots__ = ()

    def log_exception(self, *args: Any, **kw: Any) -> None:
        if isinstance(kw.get("exc_info"), HttpProcessingError | web.RequestPayloadError):
            self.log_debug(*args, **kw)
        else:
            super().log_exception(*args, **kw)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        super().handle_error(request, status, exc, message)  # logs it, and breaks off a half-sent answer
        answer = _answer(exc)
        answer.force_close()
        return answer

    def finish_response(
        self, request: web.BaseRequest, resp: Any, start_time: float | None
    ) -> Coroutine[Any, Any, tuple[web.StreamResponse, bool]]:
        if isinstance(resp, web.HTTPException):  # an Expect header that asks for what nobody has
            resp = _answer(HttpProcessingError(code=resp.status))
        return super().finish_response(request, resp, start_time)


def _answer(error: BaseException | None) -> web.Response:
    request_id = f"{getrandbits(128):032x}"
    if isinstance(error, HttpProcessingError):
        answer = error_response(InvalidRequest(), request_id)
    else:
        answer = internal_error(request_id)
    for name, value in (("X-Request-Id", request_id), *OWN_HEADERS):
        answer.headers[name] = value
    return answer
