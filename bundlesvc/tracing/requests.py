"""Continues the distributed traces of incoming requests, and reports errors in the service."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from multidict import MultiMapping

from bundlesvc.tracing.spans import NO_SPAN, PassedOn, Span, current_span, inside
from bundlesvc.tracing.trace_context import TRACEPARENT, Parent, parent_of

CLOSE_SECONDS = 2.0
"""When the service stops, it waits up to this number of seconds until spans and reports are sent."""

OPERATORS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths that probes request every few seconds. They get no spans, because these would be numerous and useless."""

_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"})
_SERVER_FAULT = 500


class Tracer(Protocol):
    """Records spans."""

    def begin(self, parent: Parent | None, started: float | None) -> Span:
        """Begin the span of a request that starts now, or that started when `time.perf_counter()` returned `started`."""

    def close(self, seconds: float) -> None:
        """Send everything that is still queued, within this number of seconds."""


class ErrorReports(Protocol):
    """Reports errors that occur in the service."""

    def report(self, error: BaseException, where: str, trace_id: str | None) -> None: ...

    def close(self, seconds: float) -> None:
        """Send everything that is still queued, within this number of seconds."""


class Tracing:
    """Continues the traces of requests, and reports errors. The tracer and the error reports are created when the application
    starts."""

    def __init__(
        self,
        make_tracer: Callable[[], Tracer] | None = None,
        make_reports: Callable[[], ErrorReports] | None = None,
    ) -> None:
        self._make_tracer = make_tracer
        self._make_reports = make_reports
        self._tracer: Tracer | None = None
        self._reports: ErrorReports | None = None
        self._handler = _Reporting(self.report)

    def concerns(self, headers: MultiMapping[str]) -> bool:
        """Whether a request with these headers may have a trace."""
        return self._tracer is not None or TRACEPARENT in headers

    def request(self, path: str, headers: MultiMapping[str]) -> AbstractContextManager[Span | None]:
        """Return a context manager that records the span of a request handled by the application."""
        if path in OPERATORS or not self.concerns(headers):
            return NO_SPAN
        begun = self._begin(headers, None)
        return NO_SPAN if begun is None else inside(begun)

    def answered(self, headers: MultiMapping[str], method: str, route: str, status: int, started: float) -> str | None:
        """Record how a request was answered, and return the id of its trace, if any. If the request did not reach the
        application, its whole span is recorded at this point."""
        of_application = current_span()
        if of_application is None and (route in OPERATORS or not self.concerns(headers)):
            return None
        request = of_application or self._begin(headers, started)
        if request is None:
            return None
        method = method if method in _METHODS else "_OTHER"
        request.describe(
            f"{method} {route}",
            {"http.request.method": method, "http.route": route, "http.response.status_code": status},
        )
        if status >= _SERVER_FAULT:
            request.fail()
        if of_application is None:
            request.end()
        return request.trace_id

    def report(self, error: BaseException, where: str) -> None:
        """Report an unexpected error."""
        if self._reports is not None:
            now = current_span()
            self._reports.report(error, where, None if now is None else now.trace_id)

    def start(self) -> None:
        if self._make_tracer is not None:
            self._tracer = self._make_tracer()
        if self._make_reports is not None:
            self._reports = self._make_reports()
            logging.getLogger().addHandler(self._handler)

    async def close(self) -> None:
        """Send everything that is still queued, without waiting long for an endpoint that does not respond."""
        logging.getLogger().removeHandler(self._handler)
        closing = [each for each in (self._tracer, self._reports) if each is not None]
        self._tracer = self._reports = None
        await asyncio.gather(*(asyncio.to_thread(each.close, CLOSE_SECONDS) for each in closing))

    def _begin(self, headers: MultiMapping[str], started: float | None) -> Span | None:
        parent = parent_of(headers)
        if self._tracer is not None:
            return self._tracer.begin(parent, started)
        return None if parent is None else PassedOn(parent)


class _Reporting(logging.Handler):
    """Reports errors that background tasks, or the server itself, have logged with a traceback."""

    def __init__(self, report: Callable[[BaseException, str], None]) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not record.name.startswith(("opentelemetry", "sentry_sdk", "urllib3")):
            self._report(error, record.name)
