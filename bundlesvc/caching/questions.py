"""What the cache is asked, and what it answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bundlesvc.caching.change_times import Moment
from bundlesvc.caching.entries import Entry, Subject
from bundlesvc.caching.kinds import Grade, Kind

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Question(Generic[K, V]):
    """A question to a platform. `fetch` asks for many keys at once, and leaves out those that the platform does not know.
    `base` begins the names of all that is kept for a shop; `subjects` says what an answer depends on; none may be older than
    `max_age` (seconds)."""

    base: str
    kind: Kind
    fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    subjects: Callable[[K, V | None], tuple[Subject, ...]]
    qualifier: str = ""
    max_age: float | None = None

    def name(self, key: K) -> str:
        return f"{self.base}{self.kind.name}:{self.qualifier}{key}"

    def entry(self, key: K, value: V | None, read_at: int) -> Entry[V]:
        return Entry(value, read_at, self.subjects(key, value))

    def grade(self, entry: Entry[V] | None, moment: Moment) -> Grade:
        """What an entry is good for as an answer now."""
        if entry is None or moment.outdates(entry):
            return Grade.UNUSABLE
        return self.kind.grade(entry, moment.age(entry), self.max_age)


@dataclass(frozen=True, slots=True)
class Answers(Generic[K, V]):
    """The answers by key, those of keys that the platform knows. `age` is 0 while all are fresh, which they are for
    `lifetime` more (seconds)."""

    values: Mapping[K, V]
    age: float
    lifetime: float
