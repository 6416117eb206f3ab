"""Periodic tasks continue after failures, log each failure once, and end cleanly."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.serving import background
from bundlesvc.serving.background import periodically

SOON = 0.001
NAME = "watering the flowers"


class Task:
    """A task with a script of failures: one entry per run, None for success. After the end of the script it always succeeds."""

    def __init__(self, *script: Exception | None) -> None:
        self.runs = 0
        self._script = list(script)
        self._waiting: list[tuple[int, asyncio.Event]] = []

    async def __call__(self) -> None:
        self.runs += 1
        for runs, event in self._waiting:
            if self.runs >= runs:
                event.set()
        failure = self._script.pop(0) if self._script else None
        if failure is not None:
            raise failure

    async def has_run(self, times: int) -> None:
        """Wait until this many runs have begun, and all but the last have ended."""
        event = asyncio.Event()
        self._waiting.append((times, event))
        async with asyncio.timeout(10):
            await event.wait()


@pytest.fixture(autouse=True)
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[tuple[str, str]]]:
    """A function that returns the log lines so far, each with its level."""
    caplog.set_level(logging.INFO, logger=background.__name__)
    return lambda: [
        (record.levelname, record.getMessage()) for record in caplog.records if record.name == background.__name__
    ]


async def test_task_runs_periodically() -> None:
    task = Task()
    async with periodically(NAME, SOON, task):
        assert task.runs == 0, "the first run is after the first pause"
        await task.has_run(5)
    assert task.runs >= 5


async def test_a_task_that_runs_rarely_runs_first_soon_after_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task with a long interval first runs soon after the start. Otherwise a process that is restarted at shorter intervals
    would never run it."""
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", SOON)
    task = Task()
    async with periodically(NAME, 3600, task):
        await task.has_run(1)


async def test_task_ends_with_the_context() -> None:
    task = Task()
    before = asyncio.all_tasks()
    async with periodically(NAME, SOON, task):
        await task.has_run(1)
    runs = task.runs
    assert asyncio.all_tasks() == before
    await asyncio.sleep(SOON * 10)
    assert task.runs == runs


async def test_run_is_cancelled_at_the_end_of_the_context() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def task() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async with asyncio.timeout(10), periodically(NAME, SOON, task):
        await begun.wait()
    assert ended.is_set()


async def test_task_ends_when_the_context_fails() -> None:
    task = Task()
    before = asyncio.all_tasks()

    async def fail() -> None:
        async with periodically(NAME, SOON, task):
            await task.has_run(1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert asyncio.all_tasks() == before


async def test_cancelling_is_not_logged(lines: Callable[[], list[tuple[str, str]]]) -> None:
    async with periodically(NAME, SOON, Task()):
        await asyncio.sleep(0)
    assert lines() == []


async def test_unavailability_is_logged_once_until_the_task_succeeds(
    lines: Callable[[], list[tuple[str, str]]],
) -> None:
    down = StorageUnavailable()
    task = Task(None, down, down, down, None, None, down, down, None)
    async with periodically(NAME, SOON, task):
        await task.has_run(11)
    unavailable = (
        "WARNING",
        f"{NAME} failed: The database cannot be reached at the moment. Retrying every 0.001 seconds.",
    )
    works = ("INFO", f"{NAME} works again.")
    assert lines() == [unavailable, works, unavailable, works]


async def test_own_fault_is_logged_with_its_traceback_and_the_task_continues(
    lines: Callable[[], list[tuple[str, str]]], caplog: pytest.LogCaptureFixture
) -> None:
    task = Task(ZeroDivisionError("flowers"), None)
    async with periodically(NAME, SOON, task):
        await task.has_run(4)
    assert lines() == [("ERROR", f"{NAME} failed"), ("INFO", f"{NAME} works again.")]
    assert "ZeroDivisionError: flowers" in caplog.text


async def test_own_fault_is_logged_once_until_the_task_succeeds(
    lines: Callable[[], list[tuple[str, str]]],
) -> None:
    """A bug in a task is logged once until the task succeeds. A traceback every second would fill the disk overnight."""
    fault = ZeroDivisionError()
    task = Task(fault, fault, fault, None, fault, fault, None)
    async with periodically(NAME, SOON, task):
        await task.has_run(9)
    failed, works = ("ERROR", f"{NAME} failed"), ("INFO", f"{NAME} works again.")
    assert lines() == [failed, works, failed, works]


async def test_hanging_task_does_not_delay_others() -> None:
    stuck, task = asyncio.Event(), Task()

    async def hang() -> None:
        stuck.set()
        await asyncio.sleep(60)

    async with periodically("hanging", SOON, hang), periodically(NAME, SOON, task):
        await stuck.wait()
        await task.has_run(task.runs + 3)


def test_new_data_and_revoked_keys_take_effect_within_two_seconds() -> None:
    assert background.REFRESH_SECONDS <= 1
