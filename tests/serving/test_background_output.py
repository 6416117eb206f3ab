"""Log lines are written by a thread, so that a stalled reader does not block any writer."""

import logging
import os
import select
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bundlesvc.serving import background_output
from bundlesvc.serving.background_output import DROPPED_LINES, BackgroundOutput, as_text

LINE = b"%06d " + b"x" * 92 + b"\n"
MORE_THAN_A_PIPE_HOLDS = 5000


@dataclass
class Pipe:
    reader: int
    writer: int

    def read_until(self, wanted: bytes) -> bytes:
        received = b""
        while wanted not in received:
            received += os.read(self.reader, 65536)
        return received

    def read_some(self) -> bytes:
        """Return the bytes that arrive within ten milliseconds."""
        ready, _, _ = select.select([self.reader], [], [], 0.01)
        return os.read(self.reader, 65536) if ready else b""


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    for each in (pipe.reader, pipe.writer):
        os.close(each)


@pytest.fixture
def output(pipe: Pipe) -> BackgroundOutput:
    return BackgroundOutput(pipe.writer)


def test_lines_arrive_in_order(pipe: Pipe, output: BackgroundOutput) -> None:
    for number in range(300):
        output.write(LINE % number)
    output.drain()
    assert pipe.read_until(LINE % 299) == b"".join(LINE % number for number in range(300))


def test_a_reader_that_stalls_stops_no_writer(
    pipe: Pipe, output: BackgroundOutput, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stalled reader does not block the writer. Lines beyond the limit are dropped whole, and counted."""
    monkeypatch.setattr(background_output, "MAX_BYTES", 200_000)
    monkeypatch.setattr(background_output.logger, "warning", lambda *_: None)
    before = DROPPED_LINES.count
    for number in range(MORE_THAN_A_PIPE_HOLDS):
        output.write(LINE % number)

    received = b""
    lost = 0
    while len(received) // len(LINE % 0) + lost < MORE_THAN_A_PIPE_HOLDS:
        received += pipe.read_some()
        lost = DROPPED_LINES.count - before

    numbers = [int(line[:6]) for line in received.splitlines()]
    assert lost > 0
    assert b"".join(LINE % number for number in numbers) == received
    assert numbers == sorted(set(numbers))


def test_lines_are_counted_while_the_reader_is_stalled(
    output: BackgroundOutput, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dropped lines are counted while the reader is still stalled. Otherwise an alert on the count would never fire."""
    output.write(b"x" * 200_000)
    monkeypatch.setattr(background_output, "MAX_BYTES", 10)
    before = DROPPED_LINES.count
    output.write(b"one\ntwo\nthree\n")
    assert DROPPED_LINES.count - before == 3


def test_the_report_says_how_many_lines_were_dropped(
    pipe: Pipe, output: BackgroundOutput, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[str] = []
    written = threading.Event()

    def report(message: str, count: int) -> None:
        reports.append(message % count)
        written.set()

    monkeypatch.setattr(background_output.logger, "warning", report)
    output.write(b"x" * 200_000)
    monkeypatch.setattr(background_output, "MAX_BYTES", 10)
    output.write(b"one\ntwo\nthree\n")
    while not written.wait(0.01):
        pipe.read_some()
    assert reports == ["3 log lines were dropped: the reader of standard output is too slow."]


def test_a_closed_pipe_fails_nobody(pipe: Pipe) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    output = BackgroundOutput(writer)
    output.write(b"lost\n")
    output.drain()
    os.close(writer)


def test_ending_waits_for_a_stalled_reader_for_a_limited_time(pipe: Pipe, output: BackgroundOutput) -> None:
    output.write(b"x" * 500_000)
    output.drain(0.05)
    assert len(os.read(pipe.reader, 10)) == 10
    while output._waiting:
        pipe.read_some()


@pytest.mark.process
def test_a_forked_process_writes_for_itself(pipe: Pipe, output: BackgroundOutput) -> None:
    """A forked process writes its own lines, even if a thread of the parent process was using the queue at the time of the
    fork."""
    output.write(b"parent\n")
    output.drain()
    with output._changed:
        child = os.fork()
        if child == 0:
            output.write(b"child\n")
            output.drain()
            os._exit(0)
    os.waitpid(child, 0)
    assert pipe.read_until(b"child\n") == b"parent\nchild\n"


def test_the_standard_library_logs_through_it(pipe: Pipe, output: BackgroundOutput) -> None:
    handler = logging.StreamHandler(as_text(output))
    handler.emit(logging.makeLogRecord({"msg": "hällo"}))
    assert pipe.read_until("hällo\n".encode()) == "hällo\n".encode()
