"""Usage: the requests of each API key on each day, by kind, from which an operator can bill shops."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

KINDS = ("reads", "prices", "configures", "others", "refused", "failed")
"""The kinds of requests to count: answered GETs and HEADs, answered POSTs by purpose, 4xx responses, and 5xx responses."""

READ, PRICE, CONFIGURE, OTHER, REFUSED, FAILED = range(len(KINDS))
"""The index of each kind in `KINDS`."""


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The requests of a key on a day (UTC). `key` is its prefix; `requests` has the number of each of `KINDS`."""

    day: date
    shop: str
    key: str
    requests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UsageBatch:
    """The counts of a process since its last batch. `writer` is the random id of the process, which numbers its batches, so
    that one that is sent twice is added once."""

    writer: str
    number: int
    usage: tuple[KeyUsage, ...]


def day_of(now: float) -> date:
    """The day of a time in seconds since 1970 (UTC)."""
    return datetime.fromtimestamp(now, UTC).date()
