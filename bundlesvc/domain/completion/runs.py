"""Sorted values with repetitions, and the totals between two positions."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from decimal import Decimal
from itertools import accumulate

from bundlesvc.domain.money import ZERO


class Runs:
    """A list of values in run-length form: each value is paired with the number of times that it occurs."""

    def __init__(self, values: Iterable[tuple[Decimal, int]]) -> None:
        runs = list(values)
        self._values = [value for value, _ in runs]
        self._ends = list(accumulate((count for _, count in runs), initial=0))
        self._totals = list(accumulate((value * count for value, count in runs), initial=ZERO))

    def __len__(self) -> int:
        return self._ends[-1]

    def total(self, start: int, count: int) -> Decimal:
        """Return the sum of `count` values, starting at position `start`."""
        return self._first(start + count) - self._first(start) if count else ZERO

    def values(self, start: int, count: int) -> list[Decimal]:
        """Return up to `count` values, starting at position `start`."""
        found: list[Decimal] = []
        run = bisect_right(self._ends, start) - 1
        while count > 0 and run < len(self._values):
            times = min(count, self._ends[run + 1] - start)
            found += [self._values[run]] * times
            start, count, run = start + times, count - times, run + 1
        return found

    def _first(self, count: int) -> Decimal:
        """Return the sum of the first `count` values."""
        run = bisect_left(self._ends, count)
        return self._totals[run] - (self._ends[run] - count) * self._values[run - 1]
