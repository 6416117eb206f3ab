"""The memory for bodies that are being received, and the choice of bodies to abandon when it runs out.

Each body belongs to several groups: all bodies, those from one address, and those of one key or shop. When a group exceeds its
limit, its slowest bodies are abandoned rather than the newest, so that a client cannot fill the memory and then stop sending. A
body that has arrived completely belongs to no group.
"""

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bundlesvc.api.counting.recent_rate import RecentRate
from bundlesvc.domain.errors import Overloaded

ADDRESS_SHARE, OWNER_SHARE = 8, 4
"""Divisors of the memory limit: the shares that one address, and one key or shop, may use."""

RELIEF = 16
"""Divisor of a group's limit: the share to free when the limit is exceeded, so that not every further chunk requires a search for
the slowest bodies."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a body: its address, and the owners (keys or shops) whose shares of the memory the body uses."""

    address: str
    owners: tuple[int, ...]


class IncomingBody:
    """A body that is being received. `give_up` stops reading it."""

    def __init__(self, groups: Iterable["_Group"], give_up: Callable[[], None], clock: Callable[[], float]) -> None:
        self._groups = tuple(groups)
        self._clock = clock
        self._rate = RecentRate(clock())
        self._give_up = give_up
        self._ended = False
        self.size = 0
        for group in self._groups:
            group.bodies[self] = None

    def add(self, size: int) -> None:
        """Count the bytes of a new chunk. Raises Overloaded when the body was abandoned."""
        if self._ended:
            raise Overloaded
        now = self._clock()
        self._rate.add(size, now)
        self.size += size
        for group in self._groups:
            group.size += size
        for group in self._groups:
            group.shrink(now)

    def end(self) -> None:
        """Remove the body from all its groups."""
        if not self._ended:
            self._ended = True
            for group in self._groups:
                group.size -= self.size
                del group.bodies[self]

    def give_up(self) -> None:
        self.end()
        self._give_up()

    def order(self, now: float) -> tuple[bool, float]:
        """Return the sort key that decides which bodies are abandoned: the slowest first. Bodies that have only just begun come
        last, the largest of them first."""
        if self._rate.is_known(now):
            return False, self._rate.of(now)
        return True, -self.size


@dataclass(slots=True)
class _Group:
    limit: int
    size: int = 0
    bodies: dict[IncomingBody, None] = field(default_factory=dict)

    def shrink(self, now: float) -> None:
        """If the group exceeds its limit, abandon its request bodies, slowest first, until the group is well within the limit."""
        if self.size <= self.limit:
            return
        enough = self.limit - self.limit // RELIEF
        for body in sorted(self.bodies, key=lambda body: body.order(now)):
            if self.size <= enough or len(self.bodies) == 1:
                return
            body.give_up()


class BodyMemory:
    """The memory for the unfinished bodies of all requests, in bytes. A client is charged for the bytes that it has sent, not for
    the length that it announces."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._groups: dict[Hashable, _Group] = {}

    @contextmanager
    def receiving(self, sender: Sender, give_up: Callable[[], None]) -> Iterator[IncomingBody]:
        """Register a new body from this sender. The body counts towards its groups (such as all bodies from the same address)
        until the context ends."""
        limits: dict[Hashable, int] = {None: self._limit, sender.address: self._limit // ADDRESS_SHARE}
        limits |= dict.fromkeys(sender.owners, self._limit // OWNER_SHARE)
        groups = {name: self._groups.setdefault(name, _Group(limit)) for name, limit in limits.items()}
        body = IncomingBody(groups.values(), give_up, self._clock)
        try:
            yield body
        finally:
            body.end()
            for name, group in groups.items():
                if not group.bodies and self._groups.get(name) is group:
                    del self._groups[name]
