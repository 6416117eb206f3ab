"""The metrics that a process reports about itself."""

import asyncio
import time

from prometheus_client import CollectorRegistry, generate_latest

from bundlesvc import __version__
from bundlesvc.metrics.process import EventLoopLag, ProcessMetrics
from tests.scrape import Samples, samples


def collected(collector: EventLoopLag | ProcessMetrics) -> Samples:
    registry = CollectorRegistry()
    registry.register(collector)
    return samples(generate_latest(registry).decode())


async def test_what_holds_up_the_event_loop_is_measured() -> None:
    lag = EventLoopLag()
    lag.start()
    time.sleep(0.5)  # noqa: ASYNC251 - blocking the loop is what is tested
    await asyncio.sleep(0.01)  # until the lag is measured
    lag.stop()
    found = collected(lag)
    assert found["bundlesvc_event_loop_lag_seconds_sum"] >= 0.2
    measured, short = "bundlesvc_event_loop_lag_seconds_count", 'bundlesvc_event_loop_lag_seconds_bucket{le="0.1"}'
    assert found[measured] > found[short]


def test_process_says_what_runs_and_what_it_takes() -> None:
    found = collected(ProcessMetrics())
    assert [name for name in found if name.startswith("bundlesvc_build_info") and f'"{__version__}"' in name]
    assert found["bundlesvc_processes"] == 1
    assert found["process_resident_memory_bytes"] > 10_000_000
    assert found["process_open_fds"] > 2
    assert 0 <= time.time() - found["process_start_time_seconds"] < 7 * 24 * 60 * 60
