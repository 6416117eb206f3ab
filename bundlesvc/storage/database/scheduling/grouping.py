"""Batches the work of many callers: work that arrives during a group, or shortly after it, forms the next group."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy.exc import DBAPIError

from bundlesvc.domain.errors import StorageUnavailable

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_GROUP = 128
"""The maximum number of items in one group. Without a limit, the first callers of a large group would wait for all the others."""

TURNS = 4
"""The number of turns of the event loop between two groups. Meanwhile, the callers of the first group send their responses, and
their clients' next requests join the second group. Otherwise large and small groups would alternate: with 32 clients, groups
would have 16 items on average instead of 31."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The failure of one item in a group, returned in place of the item's result. The other items in the group are not
    affected."""

    error: Exception


@dataclass(slots=True)
class _Waiting(Generic[Item, Result]):
    item: Item
    done: asyncio.Future[Result]

    def settle(self, result: Result | Failed) -> None:
        """Pass the result to the caller, unless the caller was cancelled."""
        if self.done.done():
            return
        if isinstance(result, Failed):
            self.done.set_exception(_own(result.error))
        else:
            self.done.set_result(result)


def _own(error: Exception) -> Exception:
    """Return a copy of a database failure for one caller. If several callers raised the same object, it would keep the stack
    frames of all of them alive."""
    if not isinstance(error, StorageUnavailable):
        return error
    own = copy(error)
    own.__cause__ = error.__cause__
    return own


def had_no_connection(error: Exception) -> bool:
    """Whether a group failed because no connection was available, rather than because of a statement."""
    return not isinstance(error.__cause__, DBAPIError)


class Grouping(Generic[Item, Result]):
    """Processes items in groups, one group at a time.

    `run` returns a result for each item of a group, in order, or raises an error for all of them. `is_hopeless` says whether the
    next group would wait just as long for the same error; if so, all waiting items fail with this error immediately.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Failed]]],
        name: str,
        is_hopeless: Callable[[Exception], bool] = had_no_connection,
    ) -> None:
        self._run_group = run
        self._name = name
        self._is_hopeless = is_hopeless
        self._waiting: deque[_Waiting[Item, Result]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def add(self, item: Item) -> Result:
        """Add an item to the next group, and return its result. Raises the error of the item or its group. Cancelling the caller
        does not remove the item."""
        waiting: _Waiting[Item, Result] = _Waiting(item, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)
        return await waiting.done

    async def finish(self) -> None:
        """Wait until every item that was added has a result. Cancelling the caller does not cancel the group."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def _run(self) -> None:
        while self._waiting:
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_GROUP))]
            try:
                results = await self._run_group([waiting.item for waiting in group])
            except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
                if self._is_hopeless(error):
                    group += self._waiting
                    self._waiting.clear()
                results = [Failed(error)] * len(group)
            for waiting, result in zip(group, results, strict=True):
                waiting.settle(result)
            if len(group) > 1 or self._waiting:  # a single client must not wait for others
                await self._let_others_join()

    async def _let_others_join(self) -> None:
        """Wait while other callers add items: for `TURNS` turns of the event loop, or until there are enough for a full group."""
        for _ in range(TURNS):
            if len(self._waiting) >= MAX_GROUP:
                return
            await asyncio.sleep(0)
