"""The best selections that a search has found, by the order that the contract defines (docs/contract.md#completion)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.pricing.selection_price import PricedSelection

Rank = tuple[Decimal | int, Decimal | int, Decimal | int]
Key = tuple[Decimal | int, Decimal | int, Decimal | int, list[int]]


class RankedSelection(NamedTuple):
    """A selection that can be configured, by its numbers of units; the better of two has the lower `key`."""

    key: Key
    counts: tuple[int, ...]
    changes: int
    priced: PricedSelection


class BestSelections:
    """Up to `solutions` selections, the best first."""

    def __init__(self, task: Task, solutions: int) -> None:
        self.found: list[RankedSelection] = []
        self._task = task
        self._solutions = solutions

    @property
    def worst(self) -> RankedSelection | None:
        """The selection that a better one replaces; None while there is room."""
        return self.found[-1] if len(self.found) == self._solutions else None

    def check(self, counts: tuple[int, ...], liked: int) -> bool:
        """Whether a selection can be configured. Adds it to the best if it is one of them."""
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
        """The first parts of a selection's key."""
        return (changes, -liked, price) if self._task.wishes.aim == NEAREST else (price, changes, -liked)


def order(delta: Sequence[int]) -> list[int]:
    """The last part of a selection's key: more units of a product that comes earlier in the shop's order are better."""
    return [-change for change in delta]
