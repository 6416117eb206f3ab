"""Single flight within a process: requests that need the same answers wait for one question to the platform."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from typing import Any

from bundlesvc.caching.entries import Entry

Landed = Mapping[str, Entry[Any]]
Flight = asyncio.Task[Landed]


class Flights:
    """The questions under way, by the names of the answers they will bring. A flight belongs to nobody: whoever waits for it
    may go away, and it lands all the same."""

    def __init__(self) -> None:
        self._by_name: dict[str, Flight] = {}
        self._tasks: set[Flight] = set()

    def under_way(self, name: str) -> Flight | None:
        return self._by_name.get(name)

    def start(self, names: Iterable[str], question: Coroutine[Any, Any, Landed]) -> Flight:
        """A new flight, for answers that none under way will bring."""
        names = list(names)
        flight = asyncio.create_task(question)
        self._tasks.add(flight)
        self._by_name |= dict.fromkeys(names, flight)
        flight.add_done_callback(lambda _: self._end(flight, names))
        return flight

    async def aclose(self) -> None:
        """Give up what is under way."""
        for flight in self._tasks:
            flight.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _end(self, flight: Flight, names: Iterable[str]) -> None:
        self._tasks.discard(flight)
        for name in names:
            del self._by_name[name]
        if not flight.cancelled():
            flight.exception()  # those who waited have heard of it; there may be none
