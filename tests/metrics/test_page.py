"""The metrics page is rendered once for all scrapes in the same turn of the event loop."""

import asyncio
from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily

from bundlesvc.metrics.page import MetricsPage


class Collected:
    """A collector that counts the calls to its `collect` method."""

    def __init__(self) -> None:
        self.times = 0

    def collect(self) -> Iterator[Metric]:
        self.times += 1
        yield CounterMetricFamily("collected", "How often.", value=self.times)


async def test_scrapes_in_one_turn_of_the_event_loop_share_a_page_and_later_ones_see_changes() -> None:
    collected = Collected()
    page = MetricsPage([collected])
    assert page.for_scrape() is page.for_scrape()
    assert collected.times == 1
    await asyncio.sleep(0)
    assert b"collected_total 2.0" in page.for_scrape()
