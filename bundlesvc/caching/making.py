"""Single flight for what is made on the platform: whoever asks for the same thing meanwhile is given that one."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from bundlesvc.patience import within_patience

V = TypeVar("V")


class Making(Generic[V]):
    """What is under way, by what it is. It belongs to nobody: whoever waits for it may go away, and it is made all the same."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[V]] = {}

    async def once(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """What `make` comes to, run for all who ask for `key` while it runs. Raises what it raises, and PlatformTimeout."""
        making = self._under_way.get(key) or self._start(key, make())
        async with within_patience():
            return await asyncio.shield(making)

    async def aclose(self) -> None:
        """Give up what is under way."""
        tasks = list(self._under_way.values())
        for making in tasks:
            making.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, key: Hashable, work: Coroutine[Any, Any, V]) -> asyncio.Task[V]:
        making = self._under_way[key] = asyncio.create_task(work)
        making.add_done_callback(lambda _: self._end(key, making))
        return making

    def _end(self, key: Hashable, making: asyncio.Task[V]) -> None:
        del self._under_way[key]
        if not making.cancelled():
            making.exception()  # those who waited have heard of it; there may be none
