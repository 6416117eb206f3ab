"""The lowest amount that the remaining moves can add, given how many units each group of unit kinds needs and how many it has
room for."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate

from bundlesvc.domain.completion.moves import Move, RemainingMoves
from bundlesvc.domain.completion.runs import Runs

Demand = tuple[int, int]
"""The number of units that must be added to a group, and the number that it has room for."""


class Amounts:
    """The costs of all moves, in ascending order. Moves that add units are grouped by the kind of the units: `groups` contains
    the number of each unit kind's group (-1: none), and `count` is the number of groups."""

    def __init__(self, moves: Sequence[Move], groups: Sequence[int], count: int) -> None:
        self._known: dict[tuple[RemainingMoves, tuple[Demand, ...]], Decimal | None] = {}
        own = [groups[move.kind] if move.change > 0 else None for move in moves]
        self._groups = [_Costs(moves, own, group) for group in range(count)]
        self._others = _Costs(moves, own, -1)
        self._removed = Runs(sorted((move.cost, move.most) for move in moves if move.change < 0))

    def least(self, ahead: RemainingMoves, demands: Sequence[Demand]) -> Decimal | None:
        """Return the lowest total cost at which the remaining moves can meet the demands; None when there are not enough
        moves."""
        key = ahead, tuple(demands)
        if key not in self._known:
            self._known[key] = self._least(ahead, demands)
        return self._known[key]

    def _least(self, ahead: RemainingMoves, demands: Sequence[Demand]) -> Decimal | None:
        first, removals, additions = ahead
        free = additions - sum([needed for needed, _ in demands])
        if free < 0 or removals > len(self._removed):
            return None
        total: Decimal = self._removed.total(0, removals)
        rest: list[Decimal] = []
        for group, (needed, room) in zip(self._groups, demands, strict=True):
            start = group.starts[first]
            if start + needed > len(group.costs):
                return None
            total += group.costs.total(start, needed)
            rest += group.costs.values(start + needed, min(room - needed, free))
        rest += self._others.costs.values(self._others.starts[first], free)
        if len(rest) < free:
            return None
        rest.sort()
        return sum(rest[:free], total)


class _Costs:
    """The costs of one group's units, in ascending order. `starts[n]` is the lowest position in this order among the units of
    move `n` and all later moves."""

    def __init__(self, moves: Sequence[Move], own: Sequence[int | None], group: int) -> None:
        numbers = sorted((n for n in range(len(moves)) if own[n] == group), key=lambda number: moves[number].cost)
        self.costs = Runs((moves[number].cost, moves[number].most) for number in numbers)
        starts, start = [len(self.costs)] * (len(moves) + 1), 0
        for number in numbers:
            starts[number] = start
            start += moves[number].most
        self.starts = list(accumulate(reversed(starts), min))[::-1]
