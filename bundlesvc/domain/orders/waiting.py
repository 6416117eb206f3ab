"""Orders and subscription contracts of a live platform that are waiting to be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.domain.live_platform.platform_change import Notice

FIRST_PAUSE, LONGEST_PAUSE = 15, 15 * 60
"""The number of seconds until a failed read is retried: after the first failure, and the maximum."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A notice waiting to be read. `number` is how many times the notice was received, and `attempts` is the number of failed
    reads."""

    shop_id: int
    notice: Notice
    number: int
    attempts: int
    received_at: int

    @property
    def pause(self) -> int:
        """The seconds until the next attempt after a failure. The pause doubles each time, up to a limit."""
        return int(min(FIRST_PAUSE * 2 ** min(self.attempts, 10), LONGEST_PAUSE))


@dataclass(frozen=True, slots=True)
class OrderIds:
    """One page of a shop's order ids. `cursor` fetches the next page; it is None on the last page."""

    ids: Sequence[str]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """The progress of an import of the orders placed since a given time (seconds since 1970). `cursor` fetches the next page;
    `done` is set when no pages are left. `read` counts all orders that were read, and `stored` counts the orders with a bundle,
    which are the only ones stored."""

    since: int
    cursor: str | None = None
    read: int = 0
    stored: int = 0
    done: bool = False
