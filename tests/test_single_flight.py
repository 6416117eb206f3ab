"""Single flight: a single task serves all callers that need the same result at the same time."""

import asyncio

import pytest

from bundlesvc.single_flight import SingleFlight, result


class Work:
    """Work that counts its runs, and finishes when the test releases it."""

    def __init__(self, error: Exception | None = None) -> None:
        self.runs = 0
        self.released = asyncio.Event()
        self._error = error

    async def __call__(self) -> int:
        self.runs += 1
        number = self.runs
        await self.released.wait()
        if self._error is not None:
            raise self._error
        return number


async def waiting(*awaited: asyncio.Task[int]) -> None:
    for _ in range(3):
        await asyncio.sleep(0)
    assert not any(task.done() for task in awaited)


def join(flights: SingleFlight[str, int], work: Work, key: str = "a") -> asyncio.Task[int]:
    return asyncio.create_task(flights.join(key, work))


async def test_waiters_for_one_key_share_a_task() -> None:
    flights, work = SingleFlight[str, int](), Work()
    waiters = [join(flights, work) for _ in range(20)]
    await waiting(*waiters)
    work.released.set()
    assert await asyncio.gather(*waiters) == [1] * 20
    assert list(flights) == []


async def test_other_keys_have_tasks_of_their_own() -> None:
    flights, work = SingleFlight[str, int](), Work()
    waiters = [join(flights, work, key) for key in "ab"]
    await waiting(*waiters)
    work.released.set()
    assert await asyncio.gather(*waiters) == [1, 2]


async def test_result_is_not_cached() -> None:
    flights, work = SingleFlight[str, int](), Work()
    work.released.set()
    assert [await flights.join("a", work) for _ in range(2)] == [1, 2]


async def test_one_task_can_bring_the_results_of_several_keys() -> None:
    flights, work = SingleFlight[str, int](), Work()
    task = flights.start("abc", work())
    assert [flights.running(key) for key in "abcd"] == [task, task, task, None]
    work.released.set()
    assert await result(task) == 1
    assert list(flights) == []


async def test_waiter_that_leaves_does_not_cancel_the_task() -> None:
    flights, work = SingleFlight[str, int](), Work()
    leaves, stays = join(flights, work), join(flights, work)
    await waiting(leaves, stays)
    leaves.cancel()
    work.released.set()
    assert await stays == 1
    assert leaves.cancelled()


async def test_task_finishes_after_every_waiter_left() -> None:
    flights, work = SingleFlight[str, int](), Work()
    leaves = join(flights, work)
    await waiting(leaves)
    task = flights.running("a")
    assert task is not None
    leaves.cancel()
    work.released.set()
    assert await task == 1


async def test_error_reaches_every_waiter() -> None:
    flights, work = SingleFlight[str, int](), Work(ZeroDivisionError())
    waiters = [join(flights, work) for _ in range(3)]
    await waiting(*waiters)
    work.released.set()
    found = await asyncio.gather(*waiters, return_exceptions=True)
    assert [type(each) for each in found] == [ZeroDivisionError] * 3


async def test_error_that_nobody_waits_for_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    flights, work = SingleFlight[str, int](), Work(ZeroDivisionError())
    work.released.set()
    task = flights.start("a", work())
    await asyncio.wait([task])
    await asyncio.sleep(0)
    del task
    assert caplog.records == []


async def test_forgotten_task_is_joined_by_nobody_and_still_finishes() -> None:
    flights, work = SingleFlight[str, int](), Work()
    first = join(flights, work)
    await waiting(first)
    flights.forget(["a", "unknown"])
    second = join(flights, work)
    await waiting(first, second)
    work.released.set()
    assert [await first, await second] == [1, 2]


async def test_end_of_a_forgotten_task_leaves_its_successor_alone() -> None:
    flights, first, second = SingleFlight[str, int](), Work(), Work()
    forgotten = join(flights, first)
    await waiting(forgotten)
    flights.forget("a")
    waiter = join(flights, second)
    await waiting(forgotten, waiter)
    first.released.set()
    await forgotten
    assert list(flights) == ["a"]
    second.released.set()
    await waiter


async def test_closing_cancels_every_task() -> None:
    flights, work = SingleFlight[str, int](), Work()
    waiters = [join(flights, work, key) for key in "ab"]
    await waiting(*waiters)
    flights.forget("a")
    await flights.aclose()
    found = await asyncio.gather(*waiters, return_exceptions=True)
    assert [type(each) for each in found] == [asyncio.CancelledError] * 2
    assert list(flights) == []
