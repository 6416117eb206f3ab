"""Measurements of the resources that the service uses over the lifetime of each process."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.process.serving import Server
from tests.soak.service import HELD

LAG = "bundlesvc_event_loop_lag_seconds"
LAG_LIMIT = "0.1"
"""The longest acceptable lag in seconds, which is also the upper bound of one of the metric's buckets."""


@dataclass(frozen=True)
class Sample:
    """A measurement of a process: its memory in MiB, and the number of its open file descriptors."""

    memory: float
    descriptors: int


@dataclass
class Life:
    """One process from start to end. When growth is measured, the first third, in which caches are filled, is ignored, and the
    first and the last quarter of the remaining time are compared."""

    samples: list[Sample] = field(default_factory=list)
    lags: int = 0
    long_lags: int = 0
    held: int = 0
    """The number of lags that were too long even without the time for which the event loop waited for a core."""

    def sample(self, server: Server) -> None:
        descriptors = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        self.samples.append(Sample(server.memory_megabytes(), descriptors))

    def read_lag(self, server: Server) -> None:
        """Read from the metrics how many times the service measured its event loop lag, and how many times the lag was too
        long."""
        page = server.get("/metrics").body.decode()
        self.lags = _value(page, f"{LAG}_count")
        self.long_lags, self.held = (
            self.lags - _value(page, f'{name}_bucket{{le="{LAG_LIMIT}"}}') for name in (LAG, HELD)
        )

    @property
    def memory(self) -> tuple[float, float]:
        return self._growth([sample.memory for sample in self.samples])

    @property
    def descriptors(self) -> tuple[float, float]:
        return self._growth([float(sample.descriptors) for sample in self.samples])

    def _growth(self, values: Sequence[float]) -> tuple[float, float]:
        warm = values[len(values) // 3 :]
        quarter = max(1, len(warm) // 4)
        return median(warm[:quarter]), median(warm[-quarter:])


def _value(page: str, name: str) -> int:
    found = re.search(rf"^{re.escape(name)} ([\d.e+]+)$", page, re.MULTILINE)
    assert found is not None, f"/metrics has no {name}"
    return int(float(found[1]))
