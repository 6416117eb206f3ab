"""When this process last heard that something on a platform changed: what was read before that no longer counts.

Nothing needs to be searched for and removed: an entry says when it was read and what it depends on, wherever it is kept and
whoever put it there, and also one that is put there later by somebody who asked before the change.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from bundlesvc.caching.entries import Entry, Subject
from bundlesvc.ports import Clock

MICROSECONDS = 1_000_000
MAX_AHEAD = 60 * MICROSECONDS
"""So far may the clocks of our computers differ; what was read later than that was never read."""

MAX_SUBJECTS = 50_000
"""Of one shop; beyond it the oldest change is forgotten, by when what it outdated is long past its freshness."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of a shop's changes now; `latest` is the time of the last one. Times in microseconds since 1970."""

    now: int
    changed: Mapping[Subject, int]
    latest: int

    def age(self, entry: Entry[Any]) -> float:
        """Seconds since the entry was read; none where another computer's clock is ahead of ours."""
        return max(0, self.now - entry.read_at) / MICROSECONDS

    def outdates(self, entry: Entry[Any]) -> bool:
        """Whether anything that the entry depends on changed since it was read; or it was not read at all."""
        read_at = entry.read_at
        if read_at > self.latest:
            return read_at > self.now + MAX_AHEAD
        return any(self.changed.get(one, 0) >= read_at for one in entry.subjects)


class ChangeTimes:
    """Its times never stand still: what is asked for after a change is newer than it, though the clock has not moved."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0
        self._changed: dict[str, dict[Subject, int]] = {}

    def next(self) -> int:
        """Now, and later than every time that was given out before."""
        self._latest = max(self._now(), self._latest + 1)
        return self._latest

    def note(self, base: str, subjects: Iterable[Subject]) -> None:
        """These things changed at the shop that `base` names."""
        changed = self._changed.setdefault(base, {})
        at = self.next()
        for subject in subjects:
            changed.pop(subject, None)  # so that the last one noted is the last one listed
            changed[subject] = at
        while len(changed) > MAX_SUBJECTS:
            del changed[next(iter(changed))]

    def recall(self, base: str, changes: Iterable[tuple[Subject, int]]) -> None:
        """These things changed at the shop within these seconds (since 1970). Nothing was noted yet."""
        now = self.next()
        changed = self._changed.setdefault(base, {})
        for subject, second in sorted(changes, key=itemgetter(1)):
            changed.pop(subject, None)
            changed[subject] = min((second + 1) * MICROSECONDS, now)

    def moment(self, base: str) -> Moment:
        changed = self._changed.get(base)
        if not changed:
            return Moment(self._now(), {}, 0)
        return Moment(self._now(), changed, changed[next(reversed(changed))])

    def _now(self) -> int:
        return int(self._clock.now() * MICROSECONDS)
