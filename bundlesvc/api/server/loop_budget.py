"""Spreads work over turns of the event loop. It would read a thousand connections in one turn, and begin all that they ask for in
the next one: meanwhile nobody gets a response."""

import asyncio
import time
from collections import deque
from collections.abc import Callable


class Turns:
    """What a turn does not get to is done in later ones, in its order. A turn does `few` things and what it gets to in `seconds`
    afterwards."""

    def __init__(self, few: int, seconds: float = 0.0) -> None:
        self._few = few
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Callable[[], None]] = deque()
        self._done = 0
        self._end = 0.0
        self._goes_on = False

    def enough(self) -> bool:
        """Whether this turn has done enough. Call it once before each thing: it is counted."""
        self._done += 1
        if self._done < self._few:  # perhaps in several turns: to notice each of them would cost more
            return False
        if self._done == self._few:
            self._end = time.perf_counter() + self._seconds
            self._go_on()
            return False
        return time.perf_counter() >= self._end

    def put_off(self, work: Callable[[], None]) -> None:
        """Do it in a later turn, because this one has done enough."""
        self._waiting.append(work)

    def _go_on(self) -> None:
        if not self._goes_on:
            self._goes_on = True
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        self._goes_on = False
        self._done = 0
        try:
            while self._waiting and not self.enough():
                self._waiting.popleft()()
        finally:
            if self._waiting:
                self._go_on()
