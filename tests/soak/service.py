"""Runs `bundlesvc` and measures the event loop lag more often, both with and without the time spent waiting for a core.

python -m tests.soak.service serve"""

import os
import time
from collections.abc import Iterator

from bundlesvc.cli.main import main

# isort: split
from prometheus_client import Histogram, Metric

import bundlesvc.mounting.background
from bundlesvc.metrics import process

SECONDS = 0.02
HELD = "soak_event_loop_held_seconds"


class HeldUp(process.EventLoopLag):
    """Measures the event loop lag, and how much of it the service itself caused: the lag minus the time that the event loop's
    thread spent waiting for a core."""

    def __init__(self) -> None:
        super().__init__()
        self._held = Histogram(HELD, "The lag without waiting for a core.", buckets=process.LAG_BUCKETS, registry=None)
        try:
            self._file: int | None = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:  # the kernel does not count waiting times
            self._file = None
        self._waited_before = 0.0

    def start(self) -> None:
        super().start()
        self._waited_before = self._waited()

    def collect(self) -> Iterator[Metric]:
        yield from super().collect()
        yield from self._held.collect()

    def _measure(self) -> None:
        lag = time.monotonic() - self._due
        self._held.observe(max(0.0, lag - (self._waited() - self._waited_before)))
        super()._measure()

    def _waited(self) -> float:
        """Return how many seconds this thread has spent ready to run but without a core."""
        return 0.0 if self._file is None else int(os.pread(self._file, 100, 0).split()[1]) / 1e9


if __name__ == "__main__":
    process.LAG_SECONDS = SECONDS
    vars(bundlesvc.mounting.background)["EventLoopLag"] = HeldUp
    main()
