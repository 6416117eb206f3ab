"""When bundles are for sale: the start and end times in their shop's local time, and the phases between these times
(docs/contract.md#publication).

No bundle goes on or off sale within a phase, so anything rendered or cached stays valid until the end of the phase.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from zoneinfo import ZoneInfo

CLOSING_SECONDS = 360
"""The longest time, in seconds, for which a client may show a cached response. During the last part of each phase, which has the
same length, responses must be validated before each use."""


def utc_seconds(local: str, timezone: str) -> int:
    """Convert a local time such as `2026-11-27T00:00` to seconds since 1970, UTC. A local time that is skipped by a clock change
    moves forward with the clocks; if a local time occurs twice, the first occurrence is used."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(timezone), fold=0).astimezone(UTC).timestamp())


@dataclass(frozen=True, slots=True)
class Phase:
    """A period, from `start` (inclusive) to `end` (exclusive), both in Unix time, during which no bundle goes on or off sale. A
    `closing` phase is the last one before a bundle goes on or off sale."""

    start: int
    end: float
    closing: bool = False

    def contains(self, now: float) -> bool:
        """Whether the time `now` is in this phase."""
        return self.start <= now < self.end


ALWAYS = Phase(0, inf)
"""The only phase of a shop whose bundles are not published or withdrawn at set times."""


def phase_at(times: Iterable[int], now: float) -> Phase:
    """Return the phase that contains `now`, given the times at which bundles go on or off sale."""
    limits = sorted({limit for time in times for limit in (time - CLOSING_SECONDS, time)})
    index = bisect_right(limits, now)
    start = limits[index - 1] if index else 0
    end = limits[index] if index < len(limits) else inf
    return Phase(start, end, any(start < time <= start + CLOSING_SECONDS for time in times))
