"""The thread in which searches run, one after another, so that they do not block the event loop."""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bundlesvc.domain.errors import Overloaded

MAX_WAITING = 16
"""The maximum number of searches that may run or wait in one process. Further searches are refused."""

T = TypeVar("T")


class SearchThread:
    """Runs searches in one thread, which starts with the first search."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="completion")
        self._waiting = 0

    async def run(self, search: Callable[[], T]) -> T:
        """Run a search and return its result. Raises Overloaded when too many searches are waiting."""
        if self._waiting >= MAX_WAITING:
            raise Overloaded
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, search)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Cancel the waiting searches, and wait for the running search to finish."""
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)


def run_slowly(slices: Iterator[None]) -> None:
    """Run a search to its end, and let the event loop continue after each slice."""
    for _ in slices:
        time.sleep(0)
