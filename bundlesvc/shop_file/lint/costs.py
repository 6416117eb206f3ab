"""The least and the most that so many units can cost or weigh."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat

from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.shop_file.lint.ranges import Numbers


@dataclass(frozen=True, slots=True)
class Stack:
    """Up to `count` units that cost (or weigh) from `least` to `most` each."""

    least: int
    most: int
    count: int


class Costs:
    """Bounds for any number of units out of `stacks`, those of `forced` stacks always among them."""

    def __init__(self, stacks: Sequence[Stack], forced: Sequence[Stack] = ()) -> None:
        self._forced = sum(stack.count for stack in forced)
        self._forced_least = sum(stack.least * stack.count for stack in forced)
        self._forced_most = sum(stack.most * stack.count for stack in forced)
        self._least = _totals(sorted((stack.least, stack.count) for stack in stacks))
        self._most = _totals(sorted(((stack.most, stack.count) for stack in stacks), reverse=True))

    def span(self, count: int) -> Numbers:
        """Every cost that so many units may have (and maybe some that they cannot)."""
        others = max(count - self._forced, 0)
        least = self._forced_least + self._least[min(others, len(self._least) - 1)]
        return Numbers.between(least, self._forced_most + self._most[min(others, len(self._most) - 1)])

    def spans(self, counts: Iterable[int]) -> Numbers:
        return Numbers.of(chain.from_iterable(self.span(count).ranges for count in counts))


def _totals(units: Iterable[tuple[int, int]]) -> list[int]:
    """What the first 0, 1, 2, … units come to."""
    totals = [0]
    for cost, count in units:
        room = MAX_ITEMS + 1 - len(totals)
        if room <= 0:
            break
        totals += list(accumulate(repeat(cost, min(count, room)), initial=totals[-1]))[1:]
    return totals


def merged(stacks: Iterable[Stack], count: int) -> Stack:
    """`count` units, each out of any of these stacks (there is at least one)."""
    known = list(stacks)
    return Stack(min(stack.least for stack in known), max(stack.most for stack in known), count)
