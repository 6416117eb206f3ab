"""The exact search of one level: all selections with the same numbers of units removed and added.

The search is depth first over lists of moves in a fixed order, so it visits each selection once. It backtracks where the limits
(`limits.py`), the conditions, or the best selections found so far rule out all continuations. Each remaining selection is checked
against the rules of the configure endpoint, so a solution is never wrong; the bounds only save work.
"""

from collections.abc import Iterator
from itertools import accumulate

from bundlesvc.domain.completion.best import BestSelections, order
from bundlesvc.domain.completion.candidate import Candidate
from bundlesvc.domain.completion.limits import FAR
from bundlesvc.domain.completion.moves import RemainingMoves
from bundlesvc.domain.completion.work import CHECK, GLANCES, Work


class Descent:
    """Searches levels, one at a time, for the best selections. A level consists of all selections with the same numbers of units
    removed and added."""

    def __init__(self, candidate: Candidate, best: BestSelections, work: Work) -> None:
        self._candidate, self._best, self._work = candidate, best, work
        moves = candidate.moves
        added = (move.kind if move.change > 0 else FAR for move in moves)
        self._earliest_added = [*accumulate(reversed(list(added)), min, initial=FAR)][::-1]
        likes = (move.most * max(0, move.liked) for move in moves)
        self._most_liked = [*accumulate(reversed(list(likes)), initial=0)][::-1]
        self._changes = 0

    def search(self, start: RemainingMoves) -> Iterator[None]:
        """Search a level, or as much of it as the work budget allows. Yields after each slice of work."""
        self._changes = start.removals + start.additions
        yield from self._descend(start)

    def _descend(self, ahead: RemainingMoves) -> Iterator[None]:
        """Search all sequences of the remaining moves."""
        candidate, work = self._candidate, self._work
        if not ahead.removals + ahead.additions:
            self._check(ahead)
            return
        work.done += (len(candidate.moves) - ahead.first) // GLANCES
        for number in candidate.numbers(ahead):
            work.done += 1
            if work.is_pausing:
                yield
            if work.is_spent or not self._may_be_among_the_best(
                RemainingMoves(number, ahead.removals, ahead.additions)
            ):
                return
            if not candidate.can_make(number):
                continue
            candidate.make(number)
            rest = candidate.after(number, ahead)
            if candidate.state.counts_may_be_met(rest):
                yield from self._descend(rest)
            candidate.make(number, -1)

    def _check(self, ahead: RemainingMoves) -> None:
        if self._may_be_among_the_best(ahead):
            self._work.done += CHECK
            self._best.check(self._candidate.counts, self._candidate.liked)

    def _may_be_among_the_best(self, ahead: RemainingMoves) -> bool:
        price = self._candidate.least_price(ahead)
        worst = self._best.worst
        if price is None or worst is None:
            return price is not None
        liked = self._candidate.liked + min(ahead.additions, self._most_liked[ahead.first])
        bound = self._best.rank(self._changes, liked, price)
        if bound != worst.key[:-1]:
            return bound < worst.key[:-1]
        return order(self._earliest(ahead)) < worst.key[-1]

    def _earliest(self, ahead: RemainingMoves) -> list[int]:
        """Return the unit changes that result if every remaining addition goes to the kind that comes first in the shop's order.
        No sequence of the remaining moves can rank better than this."""
        delta, earliest = self._candidate.delta.copy(), self._earliest_added[ahead.first]
        if earliest < len(delta):
            delta[earliest] += ahead.additions
        return delta
