"""Batches the work of many callers: what arrives while one group is under way forms the next group."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy.exc import DBAPIError

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_GROUP = 128
"""The most items in one group. Without a limit, the first callers of a large group would wait for all the others."""


@dataclass(slots=True)
class _Waiting(Generic[Item, Result]):
    item: Item
    done: asyncio.Future[Result]


class Grouping(Generic[Item, Result]):
    """Runs one group at a time. `run` returns a result for each of its items, in their order, or raises for all of them."""

    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]], name: str) -> None:
        self._run_group = run
        self._name = name
        self._waiting: deque[_Waiting[Item, Result]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def add(self, item: Item) -> Result:
        """Add an item to the next group and return its result. Raises what the group raises."""
        waiting: _Waiting[Item, Result] = _Waiting(item, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)
        return await waiting.done

    async def _run(self) -> None:
        while self._waiting:
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_GROUP))]
            try:
                results = await self._run_group([waiting.item for waiting in group])
            except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
                self._fail(group, error)
            else:
                for waiting, result in zip(group, results, strict=True):
                    if not waiting.done.done():  # else its caller was cancelled
                        waiting.done.set_result(result)

    def _fail(self, group: Sequence[_Waiting[Item, Result]], error: Exception) -> None:
        failed = list(group)
        if not isinstance(error.__cause__, DBAPIError):  # no connection: those behind would wait as long for it
            failed += self._waiting
            self._waiting.clear()
        for waiting in failed:
            if not waiting.done.done():
                waiting.done.set_exception(error)
