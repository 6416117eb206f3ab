"""When this process last heard that something on a platform changed: what was read before that no longer counts.

Nothing needs to be searched for and removed. An entry says when it was read and what it depends on, wherever it is stored and
whoever stored it; also one that is stored later, by a process that sent its request before the change.
"""

from collections.abc import Iterable
from operator import itemgetter

from bundlesvc.caching.entries import Subject
from bundlesvc.caching.queries import MICROSECONDS, Moment
from bundlesvc.ports import Clock

MAX_SUBJECTS = 50_000
"""Per shop. Beyond it the oldest change is forgotten; by then the entries that it outdated are long past their freshness."""


class ChangeTimes:
    """Its times always advance: a read after a change has a later time, even if the clock has not moved."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0
        self._changed: dict[str, dict[Subject, int]] = {}

    def next(self) -> int:
        """Now, and later than every time before."""
        self._latest = max(self._now(), self._latest + 1)
        return self._latest

    def note(self, base: str, subjects: Iterable[Subject]) -> None:
        """Record that these things changed at the shop that `base` names."""
        changed = self._changed.setdefault(base, {})
        at = self.next()
        for subject in subjects:
            changed.pop(subject, None)  # so that the latest change is the last one in the dict
            changed[subject] = at
        while len(changed) > MAX_SUBJECTS:
            del changed[next(iter(changed))]

    def recall(self, base: str, changes: Iterable[tuple[Subject, int]]) -> None:
        """Record, before the first `note`, that these things changed at the shop within these seconds (since 1970)."""
        now = self.next()
        changed = self._changed.setdefault(base, {})
        for subject, second in sorted(changes, key=itemgetter(1)):
            changed.pop(subject, None)
            changed[subject] = min((second + 1) * MICROSECONDS, now)

    def moment(self, base: str) -> Moment:
        now, changed = self._now(), self._changed.get(base)
        if not changed:
            return Moment(now, {}, 0)
        return Moment(now, changed, changed[next(reversed(changed))])

    def _now(self) -> int:
        return int(self._clock.now() * MICROSECONDS)
