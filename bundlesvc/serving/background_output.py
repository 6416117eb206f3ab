"""Standard output that never waits for its reader: a thread writes what the pipe cannot accept immediately."""

import atexit
import io
import logging
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, cast

from prometheus_client.core import CounterMetricFamily, Metric

logger = logging.getLogger("bundlesvc")

MAX_BYTES = 4 * 1024 * 1024
"""The maximum number of bytes that may wait for the reader. Further lines are dropped."""

LAST_SECONDS = 2.0
"""Seconds to wait for the last lines to be written when the process ends."""


class DroppedLines:
    """The metric that counts the log lines dropped by this process."""

    def __init__(self) -> None:
        self.count = 0

    def collect(self) -> Iterator[Metric]:
        dropped = CounterMetricFamily(
            "bundlesvc_log_lines_dropped", "Log lines that were dropped because their reader was too slow."
        )
        dropped.add_metric([], self.count)
        yield dropped


DROPPED_LINES = DroppedLines()


def log_in_background() -> None:
    """Make a background thread write everything that this process prints. Does nothing if standard output has no file
    descriptor."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    sys.stdout.flush()
    sys.stdout = as_text(BackgroundOutput(descriptor))


def as_text(output: io.RawIOBase) -> io.TextIOWrapper:
    """Return a text stream that writes to this output."""
    unbuffered = cast("BinaryIO", output)
    return io.TextIOWrapper(unbuffered, "utf-8", errors="backslashreplace", write_through=True)


class BackgroundOutput(io.RawIOBase):
    """Writes to a file descriptor, in exactly the pieces that were passed to `write`: immediately when there is room, otherwise
    in a thread. After a fork, every process that shares the descriptor has its own thread. When lines have been dropped, a log
    line reports their number as soon as the reader continues."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._thread: threading.Thread | None = None
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)
        self._is_shared = False
        self._start_afresh()
        os.register_at_fork(after_in_child=self._share)
        atexit.register(self.drain)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        """Write data. Queues it when writing would have to wait for the reader, and drops it when too many bytes are waiting."""
        piece = bytes(data)
        with self._changed:
            if self._has_room(piece):
                _write(self._descriptor, piece)
                return len(piece)
            if self._waiting + len(piece) > MAX_BYTES:
                lines = piece.count(b"\n")
                self._dropped += lines
                DROPPED_LINES.count += lines  # counted now: the thread may be stalled for as long as the reader is
                return len(piece)
            self._waiting += len(piece)
            self._pieces.append(piece)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="log", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return len(piece)

    def drain(self, seconds: float = LAST_SECONDS) -> None:
        """Wait until everything has been written, for at most this number of seconds."""
        end = time.monotonic() + seconds
        with self._changed:
            while self._waiting and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)

    def _has_room(self, piece: bytes) -> bool:
        """Whether a piece can be written immediately, which is much cheaper than waking the thread. A pipe that has room accepts
        at least `PIPE_BUF` bytes, unless another process that shares the pipe fills it first."""
        return not self._is_shared and not self._waiting and len(piece) <= select.PIPE_BUF and bool(self._room.poll(0))

    def _share(self) -> None:
        """Reset the queue and the thread in a process that shares the output's file descriptor after a fork."""
        self._is_shared = True
        self._start_afresh()

    def _start_afresh(self) -> None:
        self._changed = threading.Condition(threading.RLock())
        self._pieces: deque[bytes] = deque()
        self._waiting = 0
        self._dropped = 0
        self._thread = None

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._pieces:
                    self._changed.wait()
                piece = self._pieces.popleft()
            _write(self._descriptor, piece)
            with self._changed:
                self._waiting -= len(piece)
                dropped, self._dropped = self._dropped, 0
                self._changed.notify_all()
            if dropped:
                logger.warning("%d log lines were dropped: the reader of standard output is too slow.", dropped)


def _write(descriptor: int, piece: bytes) -> None:
    """Write the whole piece. If the output can no longer be written to, the rest of the piece is lost."""
    try:
        while piece:
            piece = piece[os.write(descriptor, piece) :]
    except OSError:
        return
