"""Log lines, in machine-readable or human-readable form: one record per line, and no secrets."""

import asyncio
import io
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from select import PIPE_BUF
from typing import Any, cast

import orjson
import pytest
import structlog

from bundlesvc.serving.logs import request_lines, set_up_logs

SECRET = "bnd_live_hunter2hunter2hunter2hunter2hunter2hunter2hunte"


class Out:
    """The text that the test has written to standard output so far, also parsed as JSON lines."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._text = ""

    @property
    def text(self) -> str:
        self._text += self._capsys.readouterr().out
        return self._text

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str], own_logs: None) -> Out:
    return Out(capsys)


def fail_with_a_secret() -> None:
    authorization = f"Bearer {SECRET}"
    raise ZeroDivisionError(f"{len(authorization)} by zero")


def log_a_failure() -> None:
    """Log a failure through both logging systems."""
    try:
        fail_with_a_secret()
    except ZeroDivisionError:
        structlog.get_logger("ours").exception("internal error", requestId="r1")
        logging.getLogger("theirs").exception("task %s failed", "t1")


def is_now(timestamp: str) -> bool:
    moment = datetime.fromisoformat(timestamp)
    return moment.utcoffset() == timedelta(0) and abs(datetime.now(UTC) - moment) < timedelta(minutes=1)


def test_json_log_has_one_object_per_line(out: Out) -> None:
    set_up_logs("json", "INFO")
    structlog.get_logger().info("ours", requestId="r1", status=200, path="/ä\n“x”", key=None, ms=1.25)
    logging.getLogger("theirs").warning("theirs: %s\nand %d", "ä", 2)

    ours, theirs = out.lines
    assert is_now(ours.pop("timestamp"))
    assert is_now(theirs.pop("timestamp"))
    assert ours == {
        "level": "info",
        "event": "ours",
        "requestId": "r1",
        "status": 200,
        "path": "/ä\n“x”",
        "key": None,
        "ms": 1.25,
    }
    assert theirs == {"level": "warning", "event": "theirs: ä\nand 2", "logger": "theirs"}


def line_of(fields: dict[str, Any]) -> dict[str, Any]:
    """Build the log line of a request with these fields."""
    return {"timestamp": datetime.now(UTC), "level": "info", "event": "request", **fields}


def line_writer(log_format: str, level: str) -> Callable[[dict[str, Any]], None]:
    """Return the function that writes request lines, in this format and at a level that includes them."""
    write = request_lines(log_format, level)
    assert write is not None
    return write


async def test_json_lines_of_both_loggers_are_in_order(out: Out) -> None:
    set_up_logs("json", "INFO")
    request = line_writer("json", "INFO")
    for number in range(10):
        structlog.get_logger().info(f"ours {number}")
        logging.getLogger("theirs").info("theirs %d", number)
        request(line_of({"requestId": f"{number}"}))
        await asyncio.sleep(0)
    expected = [name for number in range(10) for name in (f"ours {number}", f"theirs {number}", "request")]
    assert [line["event"] for line in out.lines] == expected


class Pieces(io.RawIOBase):
    """A standard output that records each write."""

    def __init__(self) -> None:
        self.given: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.given.append(bytes(data))
        return len(data)


async def test_request_lines_are_written_together_in_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Pieces()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(cast("Any", pieces), "utf-8", write_through=True))
    request = line_writer("json", "INFO")
    for number in range(100):
        request(line_of({"requestId": f"{number}"}))
    await asyncio.sleep(0)

    together = [piece for piece in pieces.given if piece]
    assert 1 < len(together) < 10
    assert all(len(piece) <= PIPE_BUF and piece.endswith(b"\n") for piece in together)
    assert [orjson.loads(line)["requestId"] for line in b"".join(together).splitlines()] == [*map(str, range(100))]


def test_json_accepts_values_of_any_type(out: Out) -> None:
    set_up_logs("json", "INFO")
    structlog.get_logger().info("odd", what=object, error=ValueError("x"), when=datetime.now(UTC))
    logging.getLogger("theirs").info("odd")
    assert [line["event"] for line in out.lines] == ["odd", "odd"]


def test_json_line_contains_the_traceback(out: Out) -> None:
    set_up_logs("json", "INFO")
    log_a_failure()
    ours, theirs = out.lines
    assert (ours["event"], ours["level"], ours["requestId"]) == ("internal error", "error", "r1")
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("task t1 failed", "error", "theirs")
    for line in (ours, theirs):
        assert "fail_with_a_secret" in line["exception"]
        assert line["exception"].endswith("ZeroDivisionError: 63 by zero")


def test_console_is_text_without_colours_in_a_pipe(out: Out) -> None:
    set_up_logs("console", "INFO")
    structlog.get_logger().info("ours", status=200)
    logging.getLogger("theirs").warning("theirs %d", 2)
    line_writer("console", "INFO")(line_of({"requestId": "r1", "status": 200}))
    ours, theirs, request = out.text.splitlines()
    assert "ours" in ours
    assert "status=200" in ours
    assert "theirs 2" in theirs
    assert "request" in request
    assert "requestId=r1" in request
    assert "\x1b" not in out.text


def test_console_shows_the_traceback(out: Out) -> None:
    set_up_logs("console", "INFO")
    log_a_failure()
    assert out.text.count("ZeroDivisionError") >= 2
    assert "fail_with_a_secret" in out.text


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_traceback_does_not_show_local_variables(log_format: str, out: Out) -> None:
    """Tracebacks do not show local variables, which may contain keys and tokens."""
    set_up_logs(log_format, "INFO")
    log_a_failure()
    assert "hunter2" not in out.text


@pytest.mark.parametrize(
    ("level", "ours", "theirs"),
    [
        ("DEBUG", ["debug", "info", "warning", "error"], ["info", "warning", "error"]),
        ("INFO", ["info", "warning", "error"], ["info", "warning", "error"]),
        ("WARNING", ["warning", "error"], ["warning", "error"]),
        ("ERROR", ["error"], ["error"]),
    ],
)
def test_level_filters_own_lines_and_libraries_log_no_debug_lines(
    level: str, ours: list[str], theirs: list[str], out: Out
) -> None:
    """The level filters the service's own lines. Libraries never log DEBUG lines, because some DEBUG lines contain the data that
    a library sends."""
    set_up_logs("json", level)
    for name in ("debug", "info", "warning", "error"):
        getattr(structlog.get_logger(), name)("ours")
        getattr(logging.getLogger("theirs"), name)("theirs")
    assert [line["level"] for line in out.lines if line["event"] == "ours"] == ours
    assert [line["level"] for line in out.lines if line["event"] == "theirs"] == theirs


def test_parts_of_alembic_are_not_named(out: Out) -> None:
    set_up_logs("json", "INFO")
    plugins = logging.getLogger("alembic.runtime.plugins")
    plugins.info("setup plugin alembic.autogenerate.schemas")
    plugins.warning("a plugin failed")
    assert [line["event"] for line in out.lines] == ["a plugin failed"]


@pytest.mark.parametrize("log_format", ["json", "console"])
@pytest.mark.parametrize(("level", "count"), [("DEBUG", 1), ("INFO", 1), ("WARNING", 0), ("ERROR", 0)])
async def test_request_lines_have_level_info(log_format: str, level: str, count: int, out: Out) -> None:
    set_up_logs(log_format, level)
    if (write := request_lines(log_format, level)) is not None:
        write(line_of({"requestId": "r1"}))
    await asyncio.sleep(0)
    assert out.text.count("r1") == count


async def test_json_request_line_has_time_level_event_and_fields(out: Out) -> None:
    set_up_logs("json", "INFO")
    line_writer("json", "INFO")(line_of({"requestId": "r1", "status": 200, "ms": 0.5, "key": None, "path": "/ä"}))
    await asyncio.sleep(0)
    (line,) = out.lines
    assert is_now(line.pop("timestamp"))
    assert line == {
        "level": "info",
        "event": "request",
        "requestId": "r1",
        "status": 200,
        "ms": 0.5,
        "key": None,
        "path": "/ä",
    }


@pytest.mark.parametrize("log_format", ["json", "console"])
async def test_unwritable_log_does_not_fail_a_request(
    log_format: str, out: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pipe(io.RawIOBase):
        broken = True

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            if self.broken:
                raise BrokenPipeError
            return len(data)

    pipe = Pipe()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(pipe), "utf-8", write_through=True))
    set_up_logs(log_format, "INFO")
    try:
        line_writer(log_format, "INFO")(line_of({"requestId": "r1"}))
        await asyncio.sleep(0)
    finally:
        pipe.broken = False  # otherwise closing it would fail


def test_setting_up_twice_does_not_double_lines(out: Out) -> None:
    for _ in range(2):
        set_up_logs("json", "INFO")
    logging.getLogger("theirs").info("once")
    structlog.get_logger().info("once")
    assert len(out.lines) == 2
