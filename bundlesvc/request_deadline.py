"""The deadline of a request, which limits how long it waits for live platforms (docs/decisions/0020-deadline-of-a-request.md)."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from bundlesvc.domain.errors import PlatformTimeout
from bundlesvc.eager import in_task

V = TypeVar("V")


class RequestDeadline:
    """The deadline of one request: all its waits together take at most `seconds` (None: no limit). The time starts at the first
    wait, so that a slow upload of the body does not use it up. The `waiting` context is entered for each wait."""

    def __init__(
        self, seconds: float | None, waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self._seconds = seconds
        self._waiting = waiting
        self._ends_at: float | None = None

    async def wait(self, task: asyncio.Task[V]) -> V:
        """Wait for a task, and return its result. The task continues after the deadline, because others may be waiting for it.
        Raises PlatformTimeout at the deadline, and any error that the task raises."""
        if self._ends_at is None and self._seconds is not None:
            self._ends_at = asyncio.get_running_loop().time() + self._seconds
        await in_task()
        try:
            with self._waiting():
                async with asyncio.timeout_at(self._ends_at):
                    return await asyncio.shield(task)
        except TimeoutError as error:
            raise PlatformTimeout from error


NO_DEADLINE = RequestDeadline(None)
"""The deadline of background tasks and commands, which have none."""
