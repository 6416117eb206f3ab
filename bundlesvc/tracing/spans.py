"""The current span, and its child spans."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol

from bundlesvc.tracing.trace_context import Parent

Attributes = Mapping[str, str | int | float]


class Span(Protocol):
    """A part of a trace."""

    @property
    def trace_id(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers with which a call to another service becomes part of the same trace."""

    def child(self, name: str, attributes: Attributes) -> "Span":
        """Begin a span inside this one."""

    def describe(self, name: str, attributes: Attributes) -> None: ...

    def set(self, attributes: Attributes) -> None: ...

    def fail(self) -> None:
        """Mark the span as failed."""

    def end(self) -> None: ...


class PassedOn:
    """A span that is not recorded: it only passes on the trace."""

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
NO_SPAN: AbstractContextManager[None] = nullcontext()


def current_span() -> Span | None:
    """Return the span of the running code. A task inherits the span of the code that created it."""
    return _current.get()


def span(name: str, attributes: Attributes) -> AbstractContextManager[Span | None]:
    """Return a context manager that records a span if the request has a trace. The span is marked as failed when an error is
    raised in the context."""
    parent = _current.get()
    return NO_SPAN if parent is None else inside(parent.child(name, attributes))


def outgoing_headers() -> Mapping[str, str]:
    """Return the trace headers for a call to another service on behalf of the current request."""
    now = _current.get()
    return {} if now is None else now.headers


@contextmanager
def inside(begun: Span) -> Iterator[Span]:
    token = _current.set(begun)
    try:
        yield begun
    except Exception as error:
        begun.set({"error.type": type(getattr(error, "error", error)).__name__})  # a failure may wrap the actual error
        begun.fail()
        raise
    finally:
        _current.reset(token)
        begun.end()
