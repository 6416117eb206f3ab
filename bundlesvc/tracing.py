"""Traces and error reports (docs/operations.md#tracing-and-errors).

A request with a W3C `traceparent` passes it on to the platforms that it calls, and its log lines have the id of its trace.
Spans are recorded only with a `Tracer`, and errors reported only with `ErrorReports`; each has one adapter, imported when its
setting is there. Neither gets anything of a request but its method, its route, its status and the code of its error.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import NamedTuple, Protocol

from multidict import MultiMapping, istr

TRACEPARENT, TRACESTATE = istr("traceparent"), istr("tracestate")
CLOSE_SECONDS = 2.0
"""How long a stop waits for what is still to be sent."""

_PARENT = re.compile(
    r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII
)
_STATE = re.compile(r"[\x20-\x7e]{1,512}", re.ASCII)
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"})
_SERVER_FAULT = 500

Attributes = Mapping[str, str | int | float]


class Parent(NamedTuple):
    """What a request says of its trace."""

    trace_id: str
    span_id: str
    flags: str
    state: str

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that pass it on."""
        passed = {"traceparent": f"00-{self.trace_id}-{self.span_id}-{self.flags}"}
        return {**passed, "tracestate": self.state} if self.state else passed


def parent_of(headers: MultiMapping[str]) -> Parent | None:
    """The trace in the headers of a request; None without a valid one, which is ignored as the standard asks."""
    sent = headers.getall(TRACEPARENT, ())
    found = _PARENT.fullmatch(sent[0]) if len(sent) == 1 else None
    if found is None or (found[1] == "00" and found[5]):
        return None
    state = ",".join(headers.getall(TRACESTATE, ()))
    return Parent(found[2], found[3], found[4], state if _STATE.fullmatch(state) else "")


class Span(Protocol):
    """A part of a trace."""

    @property
    def trace_id(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """What a call to another service carries, so that it belongs to the same trace."""

    def child(self, name: str, attributes: Attributes) -> "Span":
        """A span that begins now, inside this one."""

    def describe(self, name: str, attributes: Attributes) -> None: ...

    def set(self, attributes: Attributes) -> None: ...

    def fail(self) -> None:
        """Mark it as failed."""

    def end(self) -> None: ...


class Tracer(Protocol):
    """Records spans."""

    def begin(self, parent: Parent | None, started: float | None) -> Span:
        """The span of a request, which began now, or at a time of `time.perf_counter`."""

    def close(self, seconds: float) -> None:
        """Send what is waiting, within this time."""


class ErrorReports(Protocol):
    """Reports errors of the service."""

    def report(self, error: BaseException, where: str, trace_id: str | None) -> None: ...

    def close(self, seconds: float) -> None:
        """Send what is waiting, within this time."""


class _PassedOn:
    """Records nothing: the trace goes on unchanged."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self.trace_id = parent.trace_id

    @property
    def headers(self) -> Mapping[str, str]:
        return self._parent.headers

    def child(self, name: str, attributes: Attributes) -> Span:
        return self

    def describe(self, name: str, attributes: Attributes) -> None: ...

    def set(self, attributes: Attributes) -> None: ...

    def fail(self) -> None: ...

    def end(self) -> None: ...


_current: ContextVar[Span | None] = ContextVar("span", default=None)
_NOTHING: AbstractContextManager[None] = nullcontext()


def current_span() -> Span | None:
    """The span that what runs now belongs to. A task belongs to that of its maker."""
    return _current.get()


def span(name: str, attributes: Attributes) -> AbstractContextManager[Span | None]:
    """A span around a part of a request that has a trace; elsewhere nothing. One that raises is marked as failed."""
    parent = _current.get()
    return _NOTHING if parent is None else _inside(parent.child(name, attributes))


def outgoing_headers() -> Mapping[str, str]:
    """The headers of a call to another service, on behalf of the request under way."""
    now = _current.get()
    return {} if now is None else now.headers


@contextmanager
def _inside(begun: Span) -> Iterator[Span]:
    token = _current.set(begun)
    try:
        yield begun
    except Exception as error:
        begun.set({"error.type": type(getattr(error, "error", error)).__name__})  # a failure may wrap its error
        begun.fail()
        raise
    finally:
        _current.reset(token)
        begun.end()


class Tracing:
    """Takes up the traces of requests. The makers of adapters are called at the start of the application."""

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
        """Whether a request may have a trace."""
        return self._tracer is not None or TRACEPARENT in headers

    def request(self, headers: MultiMapping[str]) -> AbstractContextManager[Span | None]:
        """Around a request that the application handles."""
        if not self.concerns(headers):
            return _NOTHING
        begun = self._begin(headers, None)
        return _NOTHING if begun is None else _inside(begun)

    def answered(self, headers: MultiMapping[str], method: str, route: str, status: int, started: float) -> str | None:
        """Note how a request was answered, and return the id of its trace, if it has one. A request that was answered at once
        has its whole span here."""
        of_application = _current.get()
        if of_application is None and not self.concerns(headers):
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
        """Report an error that nobody expected."""
        if self._reports is not None:
            now = _current.get()
            self._reports.report(error, where, None if now is None else now.trace_id)

    def start(self) -> None:
        if self._make_tracer is not None:
            self._tracer = self._make_tracer()
        if self._make_reports is not None:
            self._reports = self._make_reports()
            logging.getLogger().addHandler(self._handler)

    async def close(self) -> None:
        """Send what is waiting, but do not wait long for a receiver that does not answer."""
        logging.getLogger().removeHandler(self._handler)
        closing = [each for each in (self._tracer, self._reports) if each is not None]
        self._tracer = self._reports = None
        await asyncio.gather(*(asyncio.to_thread(each.close, CLOSE_SECONDS) for each in closing))

    def _begin(self, headers: MultiMapping[str], started: float | None) -> Span | None:
        parent = parent_of(headers)
        if self._tracer is not None:
            return self._tracer.begin(parent, started)
        return None if parent is None else _PassedOn(parent)


class _Reporting(logging.Handler):
    """Reports the errors that the background tasks and the server log with their traceback."""

    def __init__(self, report: Callable[[BaseException, str], None]) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not record.name.startswith(("opentelemetry", "sentry_sdk", "urllib3")):
            self._report(error, record.name)
