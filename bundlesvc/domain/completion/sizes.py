"""Lower bounds on the price of any selection with a given number of units."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.completion.limits import Limits
from bundlesvc.domain.completion.moves import Move
from bundlesvc.domain.completion.price_bounds import PriceBounds
from bundlesvc.domain.completion.runs import Runs
from bundlesvc.domain.completion.task import Task
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.selection import MAX_ITEMS


class Sizes:
    """Lower bounds on the price of a selection, one for each number of units. Each bound is computed when it is first needed."""

    def __init__(self, task: Task, limits: Limits, prices: PriceBounds, moves: Sequence[Move]) -> None:
        most = dict(enumerate(task.chosen))
        most.update((move.kind, move.most + task.chosen[move.kind]) for move in moves if move.change > 0)
        self._units = Runs(sorted((task.kinds[kind].line.unit_price, count) for kind, count in most.items()))
        self._limits, self._prices = limits, prices
        self._known: dict[int, Decimal | None] = {}

    def least_price_of(self, count: int) -> Decimal | None:
        """Return the lower bound on the price of `count` units; None when no selection of that size can be configured."""
        if count not in self._known:
            self._known[count] = self._of(count)
        return self._known[count]

    def least_price_of_all(self) -> Decimal:
        """Return the lower bound on the price of any selection, whatever its number of units; 0 when none can be configured."""
        prices = (self.least_price_of(count) for count in range(1, MAX_ITEMS + 1))
        return min((price for price in prices if price is not None), default=ZERO)

    def _of(self, count: int) -> Decimal | None:
        if self._limits.total.any_way[count] or count > len(self._units):
            return None
        amount = max(self._limits.least_amount, self._units.total(0, count))
        least = self._prices.least(amount, count, self._prices.all)
        price = max(self._limits.least_price, least)
        return None if price > self._limits.most_price else price
