"""The queue in which callers wait for a connection from a pool."""

import asyncio

import pytest

from bundlesvc.storage.database.scheduling.connection_queue import ConnectionQueue, QueueTimeout

LONG = 60.0


async def test_who_came_first_is_first() -> None:
    """Turns are granted in order of arrival. A caller that returns its turn and requests another goes to the end of the queue."""
    queue, taken = ConnectionQueue(1), list[str]()

    async def take(name: str, times: int) -> None:
        for _ in range(times):
            async with queue.one(LONG):
                taken.append(name)
                await asyncio.sleep(0)

    await asyncio.gather(take("a", 3), take("b", 1), take("c", 1))

    assert taken == ["a", "b", "c", "a", "a"]


async def test_waiting_ends_in_time_and_takes_nothing() -> None:
    queue = ConnectionQueue(1)
    async with queue.one(LONG):
        with pytest.raises(QueueTimeout) as raised:
            async with queue.one(0.01):
                """Not reached."""
    assert not raised.value.served
    async with queue.one(0.01):
        """It is free again."""


async def test_who_waited_in_vain_learns_that_others_were_served() -> None:
    queue, ended = ConnectionQueue(1), asyncio.Event()

    async def take(seconds: float) -> None:
        async with queue.one(seconds):
            await ended.wait()

    async with queue.one(LONG):
        served = asyncio.create_task(take(LONG))
        behind = asyncio.create_task(take(0.01))
        await asyncio.sleep(0)
    with pytest.raises(QueueTimeout) as raised:
        await behind
    ended.set()
    await served
    assert raised.value.served


async def test_a_failure_gives_the_turn_back() -> None:
    queue = ConnectionQueue(1)
    with pytest.raises(ValueError, match="broken"):
        async with queue.one(LONG):
            raise ValueError("broken")
    async with queue.one(0.01):
        """It is free again."""
