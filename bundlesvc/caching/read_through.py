"""Reading through the cache: what is fresh is served, what is no longer fresh is served while it is renewed, and for the rest
the platform is asked first."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bundlesvc.caching.asking import Asking
from bundlesvc.caching.change_times import ChangeTimes
from bundlesvc.caching.entries import Entry
from bundlesvc.caching.kinds import Grade
from bundlesvc.caching.questions import Answers, Question
from bundlesvc.caching.shelf import AtHand, Shelf
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.store import Store
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.patience import within_patience
from bundlesvc.ports import Clock
from bundlesvc.single_flight import result

K = TypeVar("K")
V = TypeVar("V")

STALE_LIFETIME = 1.0
"""Seconds for which what is made of an answer that is not fresh may be kept: a fresh one is on its way."""

MAX_FLIGHTS = 3
"""One that was under way already, and one of our own, are always enough."""


class ReadThrough:
    """Over a store of bytes. `timeout`: seconds that the platform may take for an answer."""

    def __init__(self, store: Store, clock: Clock, statistics: CacheStatistics, timeout: float) -> None:
        self._statistics = statistics
        self._shelf = Shelf(store, statistics)
        self.changes = ChangeTimes(clock)
        self._asking = Asking(self._shelf, self.changes, clock, statistics, timeout)

    async def find(self, question: Question[K, V], keys: Iterable[K]) -> Answers[K, V]:
        """The answers for many keys. Raises what `Question.fetch` raises, PlatformTimeout, and PlatformUnavailable when the
        platform fails and all that is at hand is older than the question allows."""
        names = {question.name(key): key for key in keys}
        at_hand = await self._shelf.read(question, names)
        moment = self.changes.moment(question.base)
        grades = {name: question.grade(at_hand.entries.get(name), moment) for name in names}
        self._statistics.count_reads(question.kind.name, grades.values())
        due = {name: key for name, key in names.items() if grades[name] is not Grade.FRESH}
        renewed = await self._renew(question, due, at_hand, set(grades.values())) if due else {}
        return self._answers(question, names, at_hand.entries | renewed)

    async def remember(self, question: Question[K, V], values: Mapping[K, V], read_at: int) -> None:
        """Keep answers that came along with another one."""
        entries = {question.name(key): question.entry(key, value, read_at) for key, value in values.items()}
        await self._shelf.settle(question, dict.fromkeys(entries, b""), entries, "")

    async def forget(self, names: Iterable[str]) -> None:
        await self._shelf.delete(names)

    async def aclose(self) -> None:
        await self._asking.aclose()

    def _answers(
        self, question: Question[K, V], names: Mapping[str, K], entries: Mapping[str, Entry[V]]
    ) -> Answers[K, V]:
        moment = self.changes.moment(question.base)
        values: dict[K, V] = {}
        oldest, lifetime = 0.0, question.kind.fresh
        for name, key in names.items():
            entry = entries[name]
            if entry.value is not None:
                values[key] = entry.value
            age = moment.age(entry)
            oldest, lifetime = max(oldest, age), min(lifetime, question.kind.freshness(entry) - age)
        return Answers(values, 0.0, lifetime) if lifetime > 0 else Answers(values, oldest, STALE_LIFETIME)

    async def _renew(
        self, question: Question[K, V], due: Mapping[str, K], at_hand: AtHand, grades: set[Grade]
    ) -> dict[str, Entry[V]]:
        """Ask for what is due; the answers, or none where what is at hand will do."""
        needed = Grade.UNUSABLE in grades
        if not needed and (Grade.OLD not in grades or self._asking.failing(question, due)):
            self._asking.in_passing(question, due, at_hand.heads)
            return {}
        try:
            return await self._fetch(question, due, at_hand.heads)
        except Unavailable as error:
            if not needed:
                return {}
            too_old = question.max_age is not None and at_hand.entries.keys() >= due.keys()
            if too_old and isinstance(error, PlatformFailed | PlatformTimeout):
                raise PlatformUnavailable(retry_after=error.retry_after) from error
            raise

    async def _fetch(
        self, question: Question[K, V], due: Mapping[str, K], heads: Mapping[str, bytes]
    ) -> dict[str, Entry[V]]:
        """Answers that will do, or that were asked for after this request came."""
        asked_at = self.changes.next()
        found: dict[str, Entry[V]] = {}
        missing = due
        for _ in range(MAX_FLIGHTS):
            for flight in self._asking.board(question, missing, heads):
                async with within_patience():
                    landed = await result(flight)
                moment = self.changes.moment(question.base)
                for name in landed.keys() & missing.keys():
                    entry = landed[name]
                    if entry.read_at >= asked_at or question.grade(entry, moment) is not Grade.UNUSABLE:
                        found[name] = entry
            missing = {name: key for name, key in due.items() if name not in found}
            if not missing:
                return found
        raise PlatformUnavailable
