"""Runs database work to completion even when its caller is cancelled, so that no work is in progress when a database is
closed."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Shielded:
    """Runs work to completion. A caller that is cancelled only stops waiting for it."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T], name: str) -> T:
        task = asyncio.create_task(work, name=name)
        self._under_way.add(task)
        task.add_done_callback(self._settle)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for all work in progress."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _settle(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # retrieve it here: the caller may be gone
