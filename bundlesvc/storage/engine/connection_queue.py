"""Turns at the connections of a pool, in the order of the requests: in SQLAlchemy's pool, those who wait are passed by those who
come at the right moment, and under load some wait for as long as the load lasts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TurnTimeout(Exception):
    """No turn came in time. `served`: others had theirs meanwhile, so the database works."""

    def __init__(self, *, served: bool) -> None:
        super().__init__()
        self.served = served


class Turns:
    """As many at once as there are connections."""

    def __init__(self, connections: int) -> None:
        self._free = asyncio.Semaphore(connections)
        self._served = 0

    @asynccontextmanager
    async def one(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn for this number of seconds, and take it. Raises TurnTimeout."""
        served = self._served
        try:
            async with asyncio.timeout(seconds):
                await self._free.acquire()
        except TimeoutError as error:
            raise TurnTimeout(served=self._served > served) from error
        try:
            yield
            self._served += 1
        finally:
            self._free.release()
