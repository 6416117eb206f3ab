"""Writes the log as JSON for machines, or as coloured, human-readable text. Keys and tokens are never logged."""

import asyncio
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from select import PIPE_BUF
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, Processor

from bundlesvc.printable import printable
from bundlesvc.tracing.spans import current_span

_CHATTY = "alembic.runtime.plugins"
"""The Alembic logger that names each plugin being loaded, at level INFO, whenever tables are migrated."""

_TIMESTAMP = structlog.processors.TimeStamper(fmt="iso", utc=True)


def set_up_logs(log_format: str, level: str) -> None:
    """Configure logging: records from structlog and the standard library are written to standard output, one per line."""
    number = logging.getLevelNamesMapping()[level]
    shared: list[Processor] = [structlog.processors.add_log_level, _TIMESTAMP, _add_trace_id]
    if log_format == "json":
        final: list[Processor] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_dumps)]
        factory: Any = structlog.BytesLoggerFactory(sys.stdout.buffer)
        lines: list[Processor] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_dumps_text)]
    else:
        final = [
            _printable,
            structlog.dev.ConsoleRenderer(
                colors=sys.stdout.isatty(),
                exception_formatter=structlog.dev.plain_traceback,  # the rich formatter would print variables, and thus keys
            ),
        ]
        factory = structlog.PrintLoggerFactory(sys.stdout)
        lines = final
    structlog.configure(
        processors=[*shared, *final],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )
    _send_standard_library(number, shared, lines)


def request_lines(log_format: str, level: str) -> Callable[[dict[str, Any]], None] | None:
    """Return a function that writes the log line of a request, or None when requests are not logged. JSON lines are built here,
    because structlog's processors would take much longer. A line that cannot be written does not make its request fail."""
    if logging.getLevelNamesMapping()[level] > logging.INFO:
        return None
    return _JsonLines().write if log_format == "json" else _write_for_people


class _JsonLines:
    """Writes all lines from one iteration of the event loop together, because writing them one by one is slow. Never writes more
    at once than a pipe accepts atomically, so that lines from processes that share the pipe do not mix."""

    def __init__(self) -> None:
        self._lines = b""

    def write(self, line: dict[str, Any]) -> None:
        text = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)
        if len(self._lines) + len(text) > PIPE_BUF:
            self._hand_over()
        if not self._lines:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._lines += text

    def _hand_over(self) -> None:
        lines, self._lines = self._lines, b""
        with suppress(OSError):
            sys.stdout.buffer.write(lines)
            sys.stdout.buffer.flush()


def _write_for_people(line: dict[str, Any]) -> None:
    with suppress(OSError):
        structlog.get_logger("bundlesvc.requests").info(**line)


def _send_standard_library(level: int, shared: list[Processor], lines: list[Processor]) -> None:
    handler = logging.StreamHandler(sys.stdout)
    names: list[Processor] = [structlog.stdlib.add_logger_name]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*names, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *lines],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.INFO))
    logging.getLogger(_CHATTY).setLevel(max(level, logging.WARNING))


def _add_trace_id(_: object, __: str, event: EventDict) -> EventDict:
    span = current_span()
    if span is not None:
        event["traceId"] = span.trace_id
    return event


def _printable(_: object, __: str, event: EventDict) -> EventDict:
    """Make values printable, so that text from clients and platforms cannot control the terminal."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in event.items()}


def _dumps(value: object, **_: Any) -> bytes:
    return orjson.dumps(value, default=str)


def _dumps_text(value: object, **_: Any) -> str:
    return orjson.dumps(value, default=str).decode()
