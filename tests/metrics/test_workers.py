"""The files through which workers share their metrics: every metrics page contains the metrics of all workers, and no counter
ever decreases."""

import logging
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import Counter as Counted
from prometheus_client import Gauge

from bundlesvc.metrics import workers
from bundlesvc.metrics.page import MetricsPage
from bundlesvc.metrics.workers import STALE_SECONDS, WorkerFile
from tests.running.properties import examples
from tests.scrape import samples

TOTAL, OPEN = "calls_total", "bundlesvc_connections"


class Worker:
    """A worker with a counter and a gauge, which shares its metrics page through a folder."""

    def __init__(self, folder: Path, number: int) -> None:
        self.calls = Counted("calls", "Calls.", registry=None)
        self.connections = Gauge(OPEN, "Open connections.", registry=None)
        self.page = MetricsPage([self.calls, self.connections])
        self.page.share(WorkerFile(folder, number))

    def seen(self, name: str) -> float:
        return samples(self.page.render().decode())[name]


def test_every_worker_shows_the_metrics_of_all(tmp_path: Path) -> None:
    first, second = Worker(tmp_path, 1), Worker(tmp_path, 2)
    first.calls.inc(3)
    first.connections.set(5)
    second.calls.inc(4)
    second.connections.set(6)
    first.page.publish()
    assert (second.seen(TOTAL), second.seen(OPEN)) == (7, 11)
    assert (first.seen(TOTAL), first.seen(OPEN)) == (7, 11)


def test_the_successor_of_a_worker_goes_on_counting(tmp_path: Path) -> None:
    first, second = Worker(tmp_path, 1), Worker(tmp_path, 2)
    first.calls.inc(3)
    first.connections.set(5)
    first.page.publish()
    successor = Worker(tmp_path, 1)
    successor.calls.inc()
    assert (successor.seen(TOTAL), successor.seen(OPEN)) == (4, 0)
    assert (second.seen(TOTAL), second.seen(OPEN)) == (4, 0)
    assert Worker(tmp_path, 1).seen(TOTAL) == 4


def test_gauges_of_a_worker_that_writes_no_more_do_not_count(tmp_path: Path) -> None:
    ended, other = Worker(tmp_path, 1), Worker(tmp_path, 2)
    ended.calls.inc(3)
    ended.connections.set(5)
    ended.page.publish()
    path = tmp_path / "1.json"
    written_at, metrics = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps([written_at - STALE_SECONDS, metrics]))
    assert (other.seen(TOTAL), other.seen(OPEN)) == (3, 0)


@examples(50)
@given(st.lists(st.tuples(st.sampled_from(["count", "publish", "scrape", "die"]), st.integers(0, 2)), max_size=60))
def test_no_counter_ever_falls(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]) -> None:
    folder, seen = tmp_path_factory.mktemp("workers"), 0.0
    running = [Worker(folder, number) for number in range(3)]
    for step, number in steps:
        worker = running[number]
        if step == "count":
            worker.calls.inc()
        elif step == "publish":
            worker.page.publish()
        elif step == "scrape":
            now = worker.seen(TOTAL)
            assert now >= seen
            seen = now
        else:
            running[number] = Worker(folder, number)


def test_a_folder_that_cannot_be_written_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(tmp_path / "gone", 1)
    worker.calls.inc()
    with caplog.at_level(logging.WARNING, workers.__name__):
        assert [worker.seen(TOTAL) for _ in range(3)] == [1, 1, 1]
    (message,) = caplog.messages
    assert message.startswith("the other workers cannot see the metrics of this one: ")
