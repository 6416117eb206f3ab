"""Work that is added while a group is running forms the next group. A failure reaches only the callers that it affects."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy.exc import DBAPIError

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.scheduling.grouping import MAX_GROUP, TURNS, Grouping


class Runs:
    """Runs groups once they are allowed to continue. The result of each item is twice the item. `failures` contains the errors
    that the next groups raise, one per group."""

    def __init__(self, *failures: Exception) -> None:
        self.groups: list[Sequence[int]] = []
        self.has_begun, self.may_go_on = asyncio.Event(), asyncio.Event()
        self._failures = list(failures)
        self.grouping = Grouping(self._run, "test")

    async def _run(self, items: Sequence[int]) -> Sequence[int]:
        self.groups.append(items)
        self.has_begun.set()
        await self.may_go_on.wait()
        if self._failures:
            raise self._failures.pop(0)
        return [2 * item for item in items]

    async def begin(self, *numbers: int) -> list[asyncio.Task[int]]:
        """Add these numbers. The first one forms its own group, which waits until it is allowed to continue."""
        first, *others = numbers
        tasks = [asyncio.create_task(self.grouping.add(first))]
        await self.has_begun.wait()
        tasks += [asyncio.create_task(self.grouping.add(number)) for number in others]
        await asyncio.sleep(0)
        return tasks


def statement_failed() -> StorageUnavailable:
    failure = StorageUnavailable()
    failure.__cause__ = DBAPIError("SELECT", None, Exception())
    return failure


async def test_work_added_during_a_group_forms_the_next_group() -> None:
    runs = Runs()
    tasks = await runs.begin(1, 2, 3)
    runs.may_go_on.set()

    assert await asyncio.gather(*tasks) == [2, 4, 6]
    assert runs.groups == [[1], [2, 3]]
    assert await runs.grouping.add(4) == 8


async def test_the_callers_of_a_group_share_the_next_group_even_if_some_are_slower() -> None:
    runs = Runs()
    runs.may_go_on.set()

    async def call(number: int, turns_between: int) -> None:
        for _ in range(3):
            await runs.grouping.add(number)
            for _ in range(turns_between):
                await asyncio.sleep(0)

    await asyncio.gather(call(1, turns_between=0), call(2, turns_between=TURNS - 1))
    assert runs.groups == [[1, 2]] * 3


async def test_a_single_caller_does_not_wait_for_others() -> None:
    runs = Runs()
    runs.may_go_on.set()
    await runs.grouping.add(1)
    adding = asyncio.create_task(runs.grouping.add(2))
    for _ in range(TURNS // 2):
        await asyncio.sleep(0)

    assert runs.groups == [[1], [2]]
    assert await adding == 4


async def test_a_group_has_a_limit() -> None:
    runs = Runs()
    tasks = await runs.begin(*range(MAX_GROUP + 2))
    runs.may_go_on.set()

    assert await asyncio.gather(*tasks) == [2 * number for number in range(MAX_GROUP + 2)]
    assert [len(group) for group in runs.groups] == [1, MAX_GROUP, 1]


async def test_a_statement_that_fails_does_not_affect_those_behind() -> None:
    runs = Runs(statement_failed())
    tasks = await runs.begin(1, 2)
    runs.may_go_on.set()

    with pytest.raises(StorageUnavailable):
        await tasks[0]
    assert await tasks[1] == 4


async def test_without_a_connection_those_behind_fail_too() -> None:
    runs = Runs(StorageUnavailable())
    tasks = await runs.begin(1, 2)
    runs.may_go_on.set()

    assert [type(result) for result in await asyncio.gather(*tasks, return_exceptions=True)] == 2 * [StorageUnavailable]
    assert await runs.grouping.add(3) == 6


@pytest.mark.parametrize("failures", [[], [statement_failed()]], ids=["done", "failed"])
async def test_a_caller_that_leaves_does_not_disturb_the_others(failures: list[Exception]) -> None:
    runs = Runs(*failures)
    gone, other = await runs.begin(1, 2)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    runs.may_go_on.set()

    assert await other == 4


async def test_each_caller_has_a_failure_of_its_own() -> None:
    failure = statement_failed()
    runs = Runs(statement_failed(), failure)
    tasks = await runs.begin(1, 2, 3)
    runs.may_go_on.set()

    _, *raised = await asyncio.gather(*tasks, return_exceptions=True)

    assert [(type(error), error.__cause__) for error in raised if isinstance(error, Exception)] == 2 * [
        (StorageUnavailable, failure.__cause__)
    ]
    assert raised[0] is not raised[1]


async def test_group_goes_on_when_waiting_for_it_is_cancelled() -> None:
    runs = Runs()
    tasks = await runs.begin(1)
    finishing = asyncio.create_task(runs.grouping.finish())
    await asyncio.sleep(0)
    finishing.cancel()
    await asyncio.wait((finishing,))
    runs.may_go_on.set()

    assert finishing.cancelled()
    async with asyncio.timeout(10):
        assert await asyncio.gather(*tasks) == [2]
