"""Single flight: one task for all callers that need the same result at the same moment."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Running tasks by key. A task does not depend on its waiters: it finishes even if they stop waiting. An error of the task is
    raised in all its waiters, and is ignored when there are none."""

    def __init__(self) -> None:
        self._by_key: dict[K, asyncio.Task[V]] = {}
        self._tasks: set[asyncio.Task[V]] = set()

    def running(self, key: K) -> asyncio.Task[V] | None:
        """Return the task that will return the result for this key, or None if no such task is running."""
        return self._by_key.get(key)

    def start(self, keys: Iterable[K], work: Coroutine[Any, Any, V]) -> asyncio.Task[V]:
        """Start a task for these keys; from now on, other callers join it. Wait for it with `result`."""
        keys = tuple(keys)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        self._by_key |= dict.fromkeys(keys, task)
        task.add_done_callback(lambda _: self._end(keys, task))
        return task

    def start_or_join(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> asyncio.Task[V]:
        """Return the running task for this key, or start one."""
        return self._by_key.get(key) or self.start([key], work())

    def join_all(
        self, keys: Iterable[K], work: Callable[[Sequence[K]], Coroutine[Any, Any, V]]
    ) -> set[asyncio.Task[V]]:
        """Return the tasks for these keys: the tasks that are already running, and one new task for all other keys."""
        tasks: set[asyncio.Task[V]] = set()
        missing: list[K] = []
        for key in keys:
            task = self._by_key.get(key)
            if task is None:
                missing.append(key)
            else:
                tasks.add(task)
        if missing:
            tasks.add(self.start(missing, work(missing)))
        return tasks

    async def join(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Wait for the task for this key, starting it if none is running, and return its result. Raises what `work` raises."""
        return await result(self.start_or_join(key, work))

    def forget(self, keys: Iterable[K]) -> None:
        """Stop further callers from joining the tasks for these keys. Callers that are already waiting still get the results."""
        for key in keys:
            self._by_key.pop(key, None)

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys for which a task is running now."""
        return iter(list(self._by_key))

    async def aclose(self) -> None:
        """Cancel every task."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, keys: Iterable[K], task: asyncio.Task[V]) -> None:
        self._tasks.discard(task)
        for key in keys:
            if self._by_key.get(key) is task:
                del self._by_key[key]
        if not task.cancelled():
            task.exception()  # retrieved here: asyncio logs exceptions that nobody retrieves


async def result(task: asyncio.Task[V]) -> V:
    """Wait for a shared task. Cancelling the waiter does not cancel the task."""
    return await asyncio.shield(task)
