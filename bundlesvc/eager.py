"""Starts a coroutine immediately without a task; the coroutine runs in a task only if it has to wait.

Most requests find everything they need in memory. A task for each of them would cost an iteration of the event loop, and more
time than computing a price. Python 3.12 has eager tasks for this; 3.11, which the service also supports, does not.
"""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Waiting(Generic[T]):
    """A coroutine that was started and is waiting for something."""

    __slots__ = ("_awaited", "_coroutine")

    def __init__(self, coroutine: Coroutine[Any, Any, T], awaited: "asyncio.Future[Any] | None") -> None:
        self._coroutine = coroutine
        self._awaited = _taken(awaited)

    async def finish(self) -> T:
        """Continue the coroutine in the current task, and return its result. Raises what the coroutine raises."""
        while True:
            try:
                await (asyncio.sleep(0) if self._awaited is None else self._awaited)
            except BaseException as error:  # noqa: BLE001 - the coroutine handles it
                step = partial(self._coroutine.throw, error)
            else:
                step = partial(self._coroutine.send, None)
            try:
                self._awaited = _taken(step())
            except StopIteration as end:
                result: T = end.value
                return result

    def close(self) -> None:
        """Close the coroutine instead of finishing it."""
        self._coroutine.close()


def _taken(awaited: "asyncio.Future[Any] | None") -> "asyncio.Future[Any] | None":
    """Take over what a coroutine awaits: a future, or None for one iteration of the event loop. Clears the future's blocking
    flag, as a task would, so that the future can be awaited again. The flag is part of the protocol between futures and tasks."""
    if awaited is not None:
        awaited._asyncio_future_blocking = False  # noqa: SLF001 - part of the protocol that tasks implement
    return awaited


def start(coroutine: Coroutine[Any, Any, T]) -> T | Waiting[T]:
    """Run a coroutine until it ends or must wait. Call this outside of tasks. Raises any exception that the coroutine raises."""
    try:
        return Waiting(coroutine, coroutine.send(None))
    except StopIteration as end:
        result: T = end.value
        return result


async def in_task() -> None:
    """Ensure that the current coroutine runs in a task, which `asyncio.timeout` needs."""
    if asyncio.current_task() is None:
        await asyncio.sleep(0)
