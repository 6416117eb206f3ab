"""Error reports for Sentry and compatible services. About an error, a report contains only what appears in the code: the type of
the error and the lines of its traceback. The message and the values of variables are left out, because they may contain a
client's data."""

import os
import traceback
from collections.abc import Iterator
from typing import Any

import sentry_sdk

from bundlesvc import __version__

MAX_ERRORS = 5
"""The maximum number of errors in a report: the last error and its causes."""


class SentryReports:
    """Sends error reports to Sentry from a thread. When too many are waiting, further reports are dropped."""

    def __init__(self, dsn: str) -> None:
        self._client = sentry_sdk.Client(
            dsn,
            release=os.environ.get("SENTRY_RELEASE") or f"bundlesvc@{__version__}",
            default_integrations=False,  # they would add log lines, requests, arguments and modules to reports
            auto_enabling_integrations=False,
            auto_session_tracking=False,
            enable_backpressure_handling=False,
            include_local_variables=False,
            include_source_context=False,
            max_breadcrumbs=0,
            send_client_reports=False,
        )

    def report(self, error: BaseException, where: str, trace_id: str | None) -> None:
        event: dict[str, Any] = {
            "level": "error",
            "platform": "python",
            "transaction": where,
            "exception": {"values": [_described(each) for each in reversed(list(_chain(error)))]},
        }
        if trace_id is not None:
            event["tags"] = {"trace_id": trace_id}
        self._client.capture_event(event)  # type: ignore[arg-type]

    def close(self, seconds: float) -> None:
        self._client.close(timeout=seconds)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes."""
    each: BaseException | None = error
    for _ in range(MAX_ERRORS):
        if each is None:
            return
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _described(error: BaseException) -> dict[str, Any]:
    kind = type(error)
    return {"type": kind.__name__, "module": kind.__module__, "stacktrace": {"frames": list(_frames(error))}}


def _frames(error: BaseException) -> Iterator[dict[str, Any]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        yield {
            "module": module,
            "function": frame.f_code.co_qualname if hasattr(frame.f_code, "co_qualname") else frame.f_code.co_name,
            "filename": module.replace(".", "/") + ".py",
            "lineno": line,
            "in_app": module.startswith("bundlesvc"),
        }
