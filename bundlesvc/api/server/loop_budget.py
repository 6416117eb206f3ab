"""Spreads work over several turns of the event loop. Otherwise the loop would read all connections in one turn and begin all
their requests in the next, and no client would get a response in the meantime."""

import asyncio
import time
from collections import deque
from collections.abc import Callable


class LoopBudget:
    """A work queue with a budget for each turn of the event loop: at least `few` items, and further ones until `seconds` have
    passed. The remaining items are processed in later turns, in order."""

    def __init__(self, few: int, seconds: float = 0.0) -> None:
        self._few = few
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Callable[[], None]] = deque()
        self._done = 0
        self._end = 0.0
        self._goes_on = False

    def enough(self) -> bool:
        """Count an item of work. Returns True when the budget for this turn of the event loop is used up. Call it once before
        each item."""
        self._done += 1
        if self._done < self._few:  # counted across turns, because detecting each new turn would cost more
            return False
        if self._done == self._few:
            self._end = time.perf_counter() + self._seconds
            self._go_on()
            return False
        return time.perf_counter() >= self._end

    def put_off(self, work: Callable[[], None]) -> None:
        """Postpone work to a later turn, because the budget of the current turn is used up."""
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
