"""A sum over a selection, and the range that it can reach after further moves."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.completion.moves import Move, RemainingMoves
from bundlesvc.domain.completion.runs import Runs
from bundlesvc.domain.completion.task import Task
from bundlesvc.domain.money import ZERO


class Range:
    """The sum of the weights of a selection's units. `weights` contains the weight of each kind of unit, and `changes` the effect
    of each move on the sum."""

    def __init__(self, weights: Sequence[Decimal], task: Task, moves: Sequence[Move]) -> None:
        self.weights = weights
        self.value = sum((w * kind.chosen for w, kind in zip(weights, task.kinds, strict=True)), ZERO)
        self.changes = [weights[move.kind] * move.change for move in moves]
        pairs = sorted(zip(self.changes, moves, strict=True))
        self._known: dict[tuple[int, int], tuple[Decimal, Decimal]] = {}
        self._removed = Runs((change, move.most) for change, move in pairs if move.change < 0)
        self._added = Runs((change, move.most) for change, move in pairs if move.change > 0)

    def after(self, removals: int, additions: int) -> tuple[Decimal, Decimal]:
        """Return the lowest and the highest value after this number of removals and additions, if that many moves are
        possible."""
        known = self._known.get((removals, additions))
        if known is None:
            known = self._known[removals, additions] = self._change(removals, additions)
        return self.value + known[0], self.value + known[1]

    def _change(self, removals: int, additions: int) -> tuple[Decimal, Decimal]:
        least = most = ZERO
        for runs, count in ((self._removed, removals), (self._added, additions)):
            known = min(count, len(runs))
            least += runs.total(0, known)
            most += runs.total(len(runs) - known, known)
        return least, most

    def window(self, least: Decimal, most: Decimal, ahead: RemainingMoves) -> tuple[Decimal, Decimal]:
        """Return the bounds within which the next move must change the sum, so that the sum can still end between `least` and
        `most`."""
        removing = min(1, ahead.removals)
        low, high = self.after(ahead.removals - removing, ahead.additions + removing - 1)
        return least - high, most - low
