"""Metrics of the process itself: memory, file descriptors, processor time, version, and the lag of the event loop."""

import asyncio
import platform
import time
from collections.abc import Iterator

from prometheus_client import Histogram, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector

from bundlesvc import __version__

LAG_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
LAG_SECONDS = 0.25
"""Seconds between two measurements of the event loop's lag."""


class ProcessMetrics(ProcessCollector):
    """The process metrics of prometheus_client, and a metric with the running version."""

    def __init__(self) -> None:
        super().__init__(registry=None)

    def _boot_time(self) -> float:
        """Return the boot time of the system. prometheus_client reads it from /proc/stat, which a sandbox may hide."""
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)

    def collect(self) -> Iterator[Metric]:
        yield from super().collect()
        build = GaugeMetricFamily("bundlesvc_build_info", "The running version.", labels=["version", "python"])
        build.add_metric([__version__, platform.python_version()], 1)
        yield build
        yield GaugeMetricFamily("bundlesvc_processes", "Processes whose metrics these are.", value=1)


class EventLoopLag:
    """Measures the lag of the event loop: how late it runs a timer because other work held it up."""

    def __init__(self) -> None:
        self._seconds = Histogram(
            "bundlesvc_event_loop_lag_seconds",
            "Delay of the event loop, measured four times a second.",
            buckets=LAG_BUCKETS,
            registry=None,
        )
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def start(self) -> None:
        self._due = time.monotonic() + LAG_SECONDS
        self._timer = asyncio.get_running_loop().call_later(LAG_SECONDS, self._measure)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def collect(self) -> Iterator[Metric]:
        """Yield the histogram (the collector interface of prometheus_client)."""
        yield from self._seconds.collect()

    def _measure(self) -> None:
        self._seconds.observe(max(0.0, time.monotonic() - self._due))
        self.start()
