"""The search for the best selections, level by level, within a work budget.

A scout first looks for any solution, because proving that a solution is the best may take too much work. Then each level is
searched completely.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.completion.best import BestSelections, RankedSelection
from bundlesvc.domain.completion.candidate import Candidate
from bundlesvc.domain.completion.descent import Descent
from bundlesvc.domain.completion.limits import Limits
from bundlesvc.domain.completion.moves import RemainingMoves
from bundlesvc.domain.completion.price_bounds import PriceBounds
from bundlesvc.domain.completion.scout import Scout
from bundlesvc.domain.completion.sizes import Sizes
from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.completion.work import Work
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.selection import MAX_ITEMS

SOLUTIONS = 3
MOST_WORK = 1200
"""The maximum amount of work that one request may cause."""
MOMENT, SCOUTED = 256, 3
"""The maximum work of one quick search of a level, and the share of all work (1 / this) that such searches may take."""


@dataclass(slots=True)
class Result:
    """The best selections found, best first. `proven` means that no better ones exist. Otherwise, `least_changes` and
    `least_price` are lower bounds for every selection that can be configured."""

    found: list[RankedSelection]
    proven: bool = False
    least_changes: int = 0
    least_price: Decimal = ZERO


class Search:
    """A search limited to about `most_work` units of work. `run` yields after each slice of work. The caller may stop after any
    slice; `result` then contains the selections found so far."""

    def __init__(self, task: Task, most_work: int, solutions: int = SOLUTIONS) -> None:
        self.work = Work(most_work)
        self._task = task
        self._limits = Limits.of(task)
        prices = PriceBounds(task)
        self._best = BestSelections(task, solutions)
        self._candidate = Candidate(task, self._limits, prices)
        self._sizes = Sizes(task, self._limits, prices, self._candidate.moves)
        self.result = Result(self._best.found)

    def run(self) -> Iterator[None]:
        """Search all levels (numbers of units removed and added) that may contain a solution. Yields after each slice of work."""
        result, nearest = self.result, self._task.wishes.aim == NEAREST
        if not self._candidate.state.is_possible():
            result.proven = True
            return
        yield from self._scout()
        descent = Descent(self._candidate, self._best, self.work)
        for start in self._starts():
            changes, worst = start.removals + start.additions, self._best.worst
            if nearest and worst is not None and changes > worst.changes:
                break
            yield from descent.search(start)
            if self.work.is_spent:
                least = min([changes, *(each.changes for each in result.found)]) if nearest else 0
                result.least_changes, result.least_price = least, self._sizes.least_price_of_all()
                return
        result.proven = True

    def _scout(self) -> Iterator[None]:
        """Look for an initial solution, and give up if that takes too much work. Yields after each slice of work."""
        scout = Scout(self._candidate, self._best, self.work)
        for start in self._starts():
            if self._best.found or self.work.done > self.work.stop_at // SCOUTED:
                return
            yield from scout.search(start, MOMENT)

    def _starts(self) -> Iterator[RemainingMoves]:
        """Yield the start of each level (a number of removals and additions) that may contain a solution, in ascending order of
        the total number of changes."""
        chosen, first_added = sum(self._task.chosen), self._candidate.first_added
        for changes in range(chosen + MAX_ITEMS + 1):
            for removals in range(min(changes, chosen) + 1):
                start = RemainingMoves(0 if removals else first_added, removals, changes - removals)
                if (
                    self._may_contain(chosen + changes - 2 * removals)
                    and self._candidate.least_price(start) is not None
                ):
                    yield start

    def _may_contain(self, count: int) -> bool:
        """Whether a selection of `count` units may be among the best, judging by its price alone."""
        price, worst = self._sizes.least_price_of(count), self._best.worst
        if price is None or worst is None or self._task.wishes.aim == NEAREST:
            return price is not None
        return price <= worst.priced.pricing.discounted
