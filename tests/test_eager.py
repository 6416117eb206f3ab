"""Coroutines that start without a task."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bundlesvc.eager import Waiting, in_task, start


async def doubled(awaited: Awaitable[int]) -> int:
    return 2 * await awaited


async def begin(work: Callable[[], Awaitable[int]]) -> Waiting[int] | int:
    """Start a coroutine outside any task, as an asyncio protocol does."""
    loop = asyncio.get_running_loop()
    begun: asyncio.Future[Waiting[int] | int] = loop.create_future()

    async def coroutine() -> int:
        return await work()

    loop.call_soon(lambda: begun.set_result(start(coroutine())))
    return await begun


async def waiting(work: Callable[[], Awaitable[int]]) -> Waiting[int]:
    begun = await begin(work)
    assert isinstance(begun, Waiting)
    return begun


async def ready(number: int) -> int:
    return number


async def test_coroutine_that_need_not_wait_returns_its_result_at_once() -> None:
    assert start(doubled(ready(21))) == 42


async def test_error_before_the_first_wait_is_raised_at_once() -> None:
    async def fail() -> int:
        raise LookupError

    with pytest.raises(LookupError):
        start(fail())


async def test_coroutine_continues_after_each_wait() -> None:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()

    async def both() -> int:
        return int(await first + await second)

    begun = await waiting(both)
    loop.call_soon(first.set_result, 1)
    loop.call_later(0.01, second.set_result, 2)
    assert await begun.finish() == 3


@pytest.mark.parametrize("eager_first", [True, False])
async def test_several_coroutines_may_wait_for_one_future(eager_first: bool) -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    others = []
    if not eager_first:
        others.append(asyncio.create_task(doubled(future)))
        await asyncio.sleep(0)
    begun = [await waiting(lambda: doubled(future)) for _ in range(2)]
    if eager_first:
        others.append(asyncio.create_task(doubled(future)))
        await asyncio.sleep(0)
    finished = asyncio.gather(*(each.finish() for each in begun), *others)
    await asyncio.sleep(0)
    future.set_result(21)
    assert await finished == [42, 42, 42]


async def test_error_of_what_is_awaited_reaches_the_coroutine() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def forgiving() -> int:
        try:
            return await future
        except LookupError:
            return 7

    begun = await waiting(forgiving)
    future.set_exception(LookupError())
    assert await begun.finish() == 7


async def test_cancelled_task_cancels_the_coroutine() -> None:
    ended = []

    async def cancelled() -> int:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)
        return 0

    task = asyncio.create_task((await waiting(cancelled)).finish())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended


async def test_timeout_works_after_continuing_in_a_task() -> None:
    async def late() -> int:
        await in_task()
        async with asyncio.timeout(0.01):
            await asyncio.sleep(60)
        return 0

    begun = await waiting(late)
    with pytest.raises(TimeoutError):
        await begun.finish()


async def test_in_task_does_not_wait_in_a_task() -> None:
    async def work() -> int:
        await in_task()
        return 1

    assert start(work()) == 1  # this test runs in a task


async def test_closed_coroutine_ends() -> None:
    ended = []

    async def held() -> int:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)
        return 0

    (await waiting(held)).close()
    assert ended
