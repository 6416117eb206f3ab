"""A first-come, first-served queue for the connections of a pool. SQLAlchemy's own pool is not fair: under load, some requests
would wait for as long as the load lasts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bundlesvc.eager import in_task


class QueueTimeout(Exception):
    """Raised when no connection became free in time. `served` is true when other requests got a connection in the meantime, which
    shows that the database works."""

    def __init__(self, *, served: bool) -> None:
        super().__init__()
        self.served = served


class ConnectionQueue:
    """A queue for connections: at any time, it lets through no more requests than there are connections."""

    def __init__(self, connections: int) -> None:
        self._free = asyncio.Semaphore(connections)
        self._served = 0

    @asynccontextmanager
    async def one(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a connection for at most `seconds`, and hold it inside the context. Raises QueueTimeout."""
        served = self._served
        await in_task()
        try:
            async with asyncio.timeout(seconds):
                await self._free.acquire()
        except TimeoutError as error:
            raise QueueTimeout(served=self._served > served) from error
        try:
            yield
            self._served += 1
        finally:
            self._free.release()
