"""A quick search of one level (all selections with the same numbers of units removed and added) for any selection that can be
configured. It finds a solution even where a proof would take too much work.

It tries only a few moves, starting with those that bring each sum closest to its required value.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from bundlesvc.domain.completion.best import BestSelections
from bundlesvc.domain.completion.candidate import Candidate
from bundlesvc.domain.completion.moves import RemainingMoves
from bundlesvc.domain.completion.work import CHECK, Work
from bundlesvc.domain.money import ZERO

WIDTH, TRIES = 3, 16
"""The maximum number of moves to follow at each step, and the maximum number to try."""
SCORED = 16
"""The number of moves whose scoring costs 1 unit of work."""


class Scout:
    """Searches one level at a time for any selection that can be configured."""

    def __init__(self, candidate: Candidate, best: BestSelections, work: Work) -> None:
        self._candidate, self._best, self._work = candidate, best, work
        self._stop_at = 0

    def search(self, start: RemainingMoves, most_work: int) -> Iterator[None]:
        """Search a level (all selections with the same numbers of units removed and added) until a selection is found or
        `most_work` units of work are done. Yields after each slice of work."""
        self._stop_at = self._work.done + most_work
        yield from self._descend(start)

    def _descend(self, ahead: RemainingMoves) -> Iterator[None]:
        candidate, work = self._candidate, self._work
        left = ahead.removals + ahead.additions
        if not left:
            work.done += CHECK
            if candidate.least_price(ahead) is not None and self._best.check(candidate.counts, candidate.liked):
                self._stop_at = 0
            return
        tried = 0
        for number in self._promising(ahead, left)[:TRIES]:
            if tried == (WIDTH) or work.done > self._stop_at:
                return
            work.done += 1
            if work.is_pausing:
                yield
            candidate.make(number)
            rest = candidate.after(number, ahead)._replace(first=0 if ahead.removals > 1 else candidate.first_added)
            if candidate.least_price(rest) is not None:
                tried += 1
                yield from self._descend(rest)
            candidate.make(number, -1)

    def _promising(self, ahead: RemainingMoves, left: int) -> Sequence[int]:
        """Return the next moves, most promising first."""
        candidate = self._candidate
        numbers = candidate.numbers(ahead)
        self._work.done += len(numbers) // SCORED
        wanted = candidate.state.wanted(left)

        def score(number: int) -> tuple[int, Decimal, int, Decimal]:
            missed = ZERO
            for changes, low, high, scale in wanted:
                change = changes[number]
                missed += (low - change if change < low else change - high if change > high else ZERO) / scale
            move = candidate.moves[number]
            return -candidate.state.helped(number), missed, -move.liked, move.cost

        return sorted((number for number in numbers if candidate.can_make(number)), key=score)
