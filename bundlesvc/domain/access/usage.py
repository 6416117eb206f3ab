"""Usage: the number of requests per API key, day and kind, which an operator can use to bill shops."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

KINDS = ("reads", "prices", "configures", "others", "refused", "failed")
"""The kinds of requests to count: answered GETs and HEADs, answered POSTs by purpose, 4xx responses, and 5xx responses."""

READ, PRICE, CONFIGURE, OTHER, REFUSED, FAILED = range(len(KINDS))
"""The index of each kind in `KINDS`."""


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The requests made with one key on one day (UTC). `key` is the key's prefix; `requests` contains one count for each of
    `KINDS`."""

    day: date
    shop: str
    key: str
    requests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UsageBatch:
    """The requests that a process has counted since its last batch. `writer` is the random id of the process, which numbers its
    batches, so that a batch that is sent twice is added only once."""

    writer: str
    number: int
    usage: tuple[KeyUsage, ...]


def day_of(now: float) -> date:
    """Return the day (UTC) of a time in seconds since 1970."""
    return datetime.fromtimestamp(now, UTC).date()
