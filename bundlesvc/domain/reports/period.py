"""Reporting periods, in whole UTC days."""

from calendar import timegm
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Self

MAX_DAYS = 1_100
"""The longest period, in days: three years and a few days."""

USUAL_DAYS = 30
"""The length, in days, of a period for which no first day is given."""

DAY_SECONDS = 86_400

FIRST_DAY = date(1970, 3, 1)
"""The earliest day that can be given as the first or last day of a report. No data is older. If only a last day is given, the
period may begin before this day, by less than `USUAL_DAYS`."""


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    @classmethod
    def around(cls, first: date | None, last: date | None, now: float) -> Self:
        """Return the period from the first to the last day. Without a last day, it ends today; without a first day, it is
        `USUAL_DAYS` long."""
        last = last or datetime.fromtimestamp(now, UTC).date()
        return cls(first or last - timedelta(USUAL_DAYS - 1), last)

    def fault(self) -> str | None:
        """Return the message that says why the period is invalid for a report; None for a valid period."""
        if self.length < 1:
            return "The first day must not be after the last."
        return f"A report covers at most {MAX_DAYS:,} days." if self.length > MAX_DAYS else None

    @property
    def begin(self) -> int:
        """The first second of the period, as a Unix timestamp."""
        return timegm(self.first.timetuple())

    @property
    def end(self) -> int:
        """The first second after the period, as a Unix timestamp."""
        return timegm(self.last.timetuple()) + DAY_SECONDS

    @property
    def length(self) -> int:
        """The number of days in the period."""
        return (self.last - self.first).days + 1

    def days(self) -> Iterator[date]:
        """Yield all days of the period, in order."""
        return (self.first + timedelta(number) for number in range(self.length))


def day_of(time: int) -> date:
    """Return the day (UTC) of a time in seconds since 1970."""
    return datetime.fromtimestamp(time, UTC).date()
