"""When bundles are for sale: local times of their shop, and the phases between them (docs/contract.md#publication).

Within a phase nothing begins or ends, so what is rendered or cached in it holds until its end.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from zoneinfo import ZoneInfo

CLOSING_SECONDS = 360
"""The longest time for which a client may show a cached response, in seconds. The last part of each phase has the same length:
during it, responses must be validated before each use."""


def utc_seconds(local: str, timezone: str) -> int:
    """The seconds since 1970, UTC, of a local time such as `2026-11-27T00:00`. A local time that the clocks skip moves forward
    with them; of one that occurs twice, the first is meant."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(timezone), fold=0).astimezone(UTC).timestamp())


@dataclass(frozen=True, slots=True)
class Phase:
    """The time from `start` (included) to `end` (not included), in seconds since 1970, UTC. A `closing` phase is the last part
    before something begins or ends."""

    start: int
    end: float
    closing: bool = False

    def contains(self, now: float) -> bool:
        """Whether this is the phase of a time."""
        return self.start <= now < self.end


ALWAYS = Phase(0, inf)
"""The only phase of a shop whose bundles are not published or withdrawn at set times."""


def phase_at(times: Iterable[int], now: float) -> Phase:
    """The phase of `now` between these times, at which bundles begin or end."""
    limits = sorted({limit for time in times for limit in (time - CLOSING_SECONDS, time)})
    index = bisect_right(limits, now)
    start = limits[index - 1] if index else 0
    end = limits[index] if index < len(limits) else inf
    return Phase(start, end, any(start < time <= start + CLOSING_SECONDS for time in times))
