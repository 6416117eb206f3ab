"""Counts the requests made with each API key in memory, and stores the counts once a minute."""

from collections.abc import Iterator, Mapping
from datetime import date

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.usage import KINDS, KeyUsage, UsageBatch, day_of
from bundlesvc.ports import Clock, UsageStore

WRITE_SECONDS = 60.0
"""Seconds between two writes. If a process is killed, at most the usage of this time is lost."""

_KeyName = tuple[str, str]
"""Identifies a key: the shop's handle and the prefix of the key."""


class UsageCounter:
    """Counts the requests made with valid keys since this process started. Call `run` once a second, so that every request is
    counted on the right day, and `write` at shutdown."""

    def __init__(self, store: UsageStore, clock: Clock, writer: str) -> None:
        self._store = store
        self._clock = clock
        self._writer = writer
        self._names: dict[int, _KeyName] = {}
        self._counts: dict[int, list[int]] = {}
        self._taken: dict[int, list[int]] = {}
        self._day = day_of(clock.now())
        self._due = clock.monotonic() + WRITE_SECONDS
        self._waiting: dict[tuple[date, _KeyName], list[int]] = {}
        self._batch: UsageBatch | None = None
        self._number = 0

    def count(self, caller: Caller, kind: int) -> None:
        """Count a response to this caller. `kind` is an index into `KINDS`."""
        counts = self._counts.get(caller.key.id)
        if counts is None:
            counts = self._add(caller)
        counts[kind] += 1

    def _add(self, caller: Caller) -> list[int]:
        key = caller.key
        self._names[key.id] = caller.tenant.shop.handle, key.prefix
        self._taken[key.id] = [0] * len(KINDS)
        return self._counts.setdefault(key.id, [0] * len(KINDS))

    @property
    def totals(self) -> Mapping[_KeyName, list[int]]:
        """The number of requests per key since the start, by kind. The keys are in the order in which they were first used."""
        return {self._names[key_id]: counts for key_id, counts in self._counts.items()}

    async def run(self) -> None:
        """Begin a new day at midnight, and write the counts when they are due. Raises StorageUnavailable; the next call then
        retries."""
        if day_of(self._clock.now()) != self._day:
            self._take()
        if self._clock.monotonic() >= self._due:
            await self.write()
            self._due = self._clock.monotonic() + WRITE_SECONDS

    async def write(self) -> None:
        """Store all counts. Raises StorageUnavailable. A batch that may already be stored is sent again unchanged."""
        self._take()
        while self._batch is not None or self._waiting:
            if self._batch is None:
                self._batch = self._next_batch()
            await self._store.add(self._batch, int(self._clock.now()))
            self._batch = None

    def _take(self) -> None:
        """Add to `_waiting` the counts since this method was last called, under the day that they belong to."""
        for key_id, counts in self._counts.items():
            taken = self._taken[key_id]
            if counts != taken:
                waiting = self._waiting.setdefault((self._day, self._names[key_id]), [0] * len(KINDS))
                waiting[:] = [old + new - seen for old, new, seen in zip(waiting, counts, taken, strict=True)]
                taken[:] = counts
        self._day = day_of(self._clock.now())

    def _next_batch(self) -> UsageBatch:
        self._number += 1
        waiting, self._waiting = self._waiting, {}
        return UsageBatch(self._writer, self._number, tuple(_rows(waiting)))


def _rows(waiting: Mapping[tuple[date, _KeyName], list[int]]) -> Iterator[KeyUsage]:
    for (day, (shop, key)), requests in sorted(waiting.items()):
        yield KeyUsage(day, shop, key, tuple(requests))
