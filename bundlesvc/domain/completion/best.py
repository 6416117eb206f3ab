"""The best selections that a search has found, in the order defined by the contract (docs/contract.md#completion)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.pricing.selection_price import PricedSelection

Rank = tuple[Decimal | int, Decimal | int, Decimal | int]
Key = tuple[Decimal | int, Decimal | int, Decimal | int, list[int]]


class RankedSelection(NamedTuple):
    """A selection that can be configured; `counts` is its number of units of each kind. Of two selections, the one with the lower
    `key` is better."""

    key: Key
    counts: tuple[int, ...]
    changes: int
    priced: PricedSelection


class BestSelections:
    """The best selections found so far, up to `solutions` of them, best first."""

    def __init__(self, task: Task, solutions: int) -> None:
        self.found: list[RankedSelection] = []
        self._task = task
        self._solutions = solutions

    @property
    def worst(self) -> RankedSelection | None:
        """The worst of the selections, to be replaced by the next selection that is better; None while there is still room for
        more."""
        return self.found[-1] if len(self.found) == self._solutions else None

    def check(self, counts: tuple[int, ...], liked: int) -> bool:
        """Return whether a selection can be configured. If it can and is among the best, it is added to the best selections."""
        if any(each.counts == counts for each in self.found):
            return True
        checked = self._task.check(counts)
        if checked.faults:
            return False
        delta = [count - chosen for count, chosen in zip(counts, self._task.chosen, strict=True)]
        changes, price = sum(map(abs, delta)), checked.priced.pricing.discounted
        key = (*self.rank(changes, liked, price), order(delta))
        self.found.append(RankedSelection(key, counts, changes, checked.priced))
        self.found.sort(key=lambda each: each.key)
        del self.found[self._solutions :]
        return True

    def rank(self, changes: int, liked: int, price: Decimal) -> Rank:
        """Return the leading parts of a selection's sort key."""
        return (changes, -liked, price) if self._task.wishes.aim == NEAREST else (price, changes, -liked)


def order(delta: Sequence[int]) -> list[int]:
    """Return the last part of a selection's sort key. It prefers more units of the products that come earlier in the shop's
    order."""
    return [-change for change in delta]
