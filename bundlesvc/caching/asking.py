"""Asking the platform, by one request for all: in this process, and through the store in all processes."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from random import getrandbits
from typing import Any, TypeVar

from bundlesvc.caching.change_times import ChangeTimes
from bundlesvc.caching.entries import Entry
from bundlesvc.caching.kinds import Grade
from bundlesvc.caching.questions import Question
from bundlesvc.caching.shelf import Shelf
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.domain.errors import PlatformTimeout, Unavailable
from bundlesvc.ports import Clock
from bundlesvc.single_flight import SingleFlight

logger = logging.getLogger(__name__)

K = TypeVar("K")
V = TypeVar("V")

Fetched = Mapping[str, Entry[Any]]
Flight = asyncio.Task[Fetched]

POLL_SECONDS = 0.05
"""How often is looked whether another process has the answer."""

REST_SECONDS = 5.0
"""After a question failed, no request asks it again in passing for so long."""

PATIENCE = 2
"""A platform that keeps its time is never cut short; so many times that time, and it is taken for hung."""

CLAIM_SHARE = 0.5
"""A claim lasts for this share of the platform's time, so that whoever waits for a process that died is answered in time. A
platform that is slower than that may be asked twice."""

MAX_FAILING = 10_000


class Asking:
    """`timeout`: seconds that the platform may take for an answer; a process that died while it asked holds the others up for
    half of it."""

    def __init__(
        self, shelf: Shelf, changes: ChangeTimes, clock: Clock, statistics: CacheStatistics, timeout: float
    ) -> None:
        self._shelf = shelf
        self._clock = clock
        self._changes = changes
        self._statistics = statistics
        self._timeout = timeout
        self._flights: SingleFlight[str, Fetched] = SingleFlight()
        self._failing: dict[str, float] = {}

    def failing(self, question: Question[K, V], keys: Mapping[str, K]) -> bool:
        """Whether the platform failed when it was last asked for anything of the shop, or for any of these."""
        return question.base in self._failing or not self._failing.keys().isdisjoint(keys)

    def board(self, question: Question[K, V], keys: Mapping[str, K], heads: Mapping[str, bytes]) -> set[Flight]:
        """The flights that will bring these answers: those under way, and a new one for the others."""
        under_way = {name: flight for name in keys if (flight := self._flights.running(name))}
        missing = {name: key for name, key in keys.items() if name not in under_way}
        flights = set(under_way.values())
        if missing:
            flights.add(self._flights.start(missing, self._fly(question, missing, heads)))
        return flights

    def in_passing(self, question: Question[K, V], keys: Mapping[str, K], heads: Mapping[str, bytes]) -> None:
        """Ask for answers that nobody waits for, unless they are being asked for, or failed a moment ago."""
        now = self._clock.monotonic()
        ready = {
            name: key
            for name, key in keys.items()
            if not self._flights.running(name) and self._failing.get(name, now) <= now
        }
        if ready:
            self._flights.start(ready, self._fly(question, ready, heads)).add_done_callback(_tell_of_fault)

    async def aclose(self) -> None:
        await self._flights.aclose()

    async def _fly(
        self, question: Question[K, V], keys: Mapping[str, K], seen: Mapping[str, bytes]
    ) -> dict[str, Entry[V]]:
        """The answers: asked for as far as nobody else does, and waited for as far as somebody does."""
        token = f"{getrandbits(64):016x}"
        heads = {name: seen[name] for name in keys}
        landed: dict[str, Entry[V]] = {}
        loop = asyncio.get_running_loop()
        waits_until = loop.time() + self._timeout
        while heads:
            ours, renewed = await self._shelf.claim(question, keys, heads, token, self._timeout * CLAIM_SHARE)
            landed |= self._fresh(question, renewed.entries)
            heads = {name: head for name, head in (heads | renewed.heads).items() if name not in landed}
            if loop.time() >= waits_until:
                ours = frozenset(heads)
            if ours:
                landed |= await self._ask(
                    question, {name: key for name, key in keys.items() if name in ours}, heads, token
                )
                heads = {name: head for name, head in heads.items() if name not in ours}
            elif not renewed.heads:
                await asyncio.sleep(POLL_SECONDS)
        return landed

    async def _ask(
        self, question: Question[K, V], keys: Mapping[str, K], heads: Mapping[str, bytes], token: str
    ) -> dict[str, Entry[V]]:
        """Ask the platform, and keep what it answers, unless that has changed again meanwhile."""
        read_at = self._changes.next()
        entries: dict[str, Entry[V]] = {}
        try:
            values = await self._answer(question, keys)
            entries = {name: question.entry(key, values.get(key), read_at) for name, key in keys.items()}
        finally:
            moment = self._changes.moment(question.base)
            kept = {name: entry for name, entry in entries.items() if not moment.outdates(entry)}
            await self._shelf.settle(question, {name: heads[name] for name in keys}, kept, token)
        return entries

    async def _answer(self, question: Question[K, V], keys: Mapping[str, K]) -> Mapping[K, V]:
        """What the platform says, counted. Raises PlatformTimeout when it says nothing for longer than it should ever take."""
        try:
            async with asyncio.timeout(self._timeout * PATIENCE):
                values = await question.fetch(list(keys.values()))
        except Exception as error:
            self._statistics.count_fetch(question.kind.name, "failed")
            self._rest([*keys, question.base], error)
            if isinstance(error, TimeoutError):
                raise PlatformTimeout from error
            raise
        self._statistics.count_fetch(question.kind.name, "ok")
        for name in self._failing.keys() & {*keys, question.base}:
            del self._failing[name]
        return values

    def _rest(self, names: Iterable[str], error: Exception) -> None:
        seconds = min(REST_SECONDS, error.retry_after) if isinstance(error, Unavailable) else REST_SECONDS
        for name in names:
            self._failing.pop(name, None)
            self._failing[name] = self._clock.monotonic() + seconds
        while len(self._failing) > MAX_FAILING:
            del self._failing[next(iter(self._failing))]

    def _fresh(self, question: Question[K, V], entries: Mapping[str, Entry[V]]) -> dict[str, Entry[V]]:
        moment = self._changes.moment(question.base)
        return {name: entry for name, entry in entries.items() if question.grade(entry, moment) is Grade.FRESH}


def _tell_of_fault(flight: Flight) -> None:
    """A failing platform is counted and tells of itself; a fault of our own must not stay hidden."""
    error = None if flight.cancelled() else flight.exception()
    if error is not None and not isinstance(error, Unavailable):
        logger.error("renewing cached data failed", exc_info=error)
