"""Helpers that read the service's log."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import orjson
import pytest
import structlog

from bundlesvc.serving.logs import set_up_logs


class Written:
    """The text that was written to standard output."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        self.stream = io.TextIOWrapper(self._bytes, write_through=True)

    @property
    def text(self) -> str:
        return self._bytes.getvalue().decode()

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The logged lines, each of which must be a JSON object."""
        lines = [orjson.loads(line) for line in self._bytes.getvalue().splitlines()]
        assert all(isinstance(line, dict) for line in lines)
        return lines


@contextmanager
def logs(log_format: str = "json") -> Iterator[Written]:
    """Capture the logs, configured as in production, while the context is open."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    written = Written()
    with redirect_stdout(written.stream):
        set_up_logs(log_format, "INFO")
        structlog.configure(cache_logger_on_first_use=False)  # loggers must not keep this test's standard output
        try:
            yield written
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
            structlog.configure(**before)


def errors_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of the warnings and errors logged through the standard library."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING or record.exc_info]
