"""How long one request waits for live platforms, all its questions together (design 13). What it waits for goes on without
it: others may wait for the same answer, and the next request finds it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from bundlesvc.domain.errors import PlatformTimeout


class _Patience:
    """So many seconds from the first wait on: a client that is slow to send its body loses nothing of them."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None

    def until(self) -> float:
        """When it ends, by the clock of the event loop."""
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        return self._until


_of_request: ContextVar[_Patience | None] = ContextVar("patience", default=None)


def limit_waiting(seconds: float) -> None:
    """From now on, what runs in this context (one request) waits for platforms for so many seconds in all."""
    _of_request.set(_Patience(seconds))


@asynccontextmanager
async def within_patience() -> AsyncIterator[None]:
    """Around a wait for a platform; what is waited for must be shielded. Raises PlatformTimeout when the request has waited
    for long enough. Without a limit it waits for as long as it takes."""
    patience = _of_request.get()
    try:
        async with asyncio.timeout_at(None if patience is None else patience.until()):
            yield
    except TimeoutError as error:
        raise PlatformTimeout from error
