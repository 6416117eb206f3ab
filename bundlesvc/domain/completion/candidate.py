"""A selection under construction: what a search has changed so far, with the state of the limits and conditions."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.completion.limits import Limits
from bundlesvc.domain.completion.moves import RemainingMoves, moves_of
from bundlesvc.domain.completion.outlook import Outlook
from bundlesvc.domain.completion.price_bounds import PriceBounds
from bundlesvc.domain.completion.state import State
from bundlesvc.domain.completion.task import Task


class Candidate:
    """The shopper's selection after some moves. `delta` contains the change in the number of units of each kind, and `liked` is
    the change in the number of preferred units."""

    def __init__(self, task: Task, limits: Limits, prices: PriceBounds) -> None:
        self.moves = moves_of(task, [limits.most_of(kind) for kind in range(len(task.kinds))])
        self.first_added = sum(move.change < 0 for move in self.moves)
        self.state = State(task, limits, self.moves)
        self.delta = [0] * len(task.kinds)
        self.liked = 0
        self._count = sum(task.chosen)
        self._chosen = task.chosen
        self._limits, self._prices = limits, prices
        self._outlook = Outlook(task, self.moves)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of units of each kind."""
        return tuple(map(sum, zip(self._chosen, self.delta, strict=True)))

    def can_make(self, number: int) -> bool:
        """Whether a move can be made. Units of the same kind are never both added and removed."""
        kind, change, _, _, most = self.moves[number]
        return 0 <= self.delta[kind] * change < most

    def make(self, number: int, times: int = 1) -> None:
        """Make a move `times` times. With -1, undo it."""
        kind, change, _, liked, _ = self.moves[number]
        self.delta[kind] += change * times
        self._count += change * times
        self.liked += liked * times
        self.state.apply(number, times)
        self._outlook.change(kind, change * times)

    def numbers(self, ahead: RemainingMoves) -> Sequence[int]:
        """Return the indexes of the moves that may be made next without breaking a limit on a sum."""
        numbers: Sequence[int] = range(ahead.first, self.first_added if ahead.removals else len(self.moves))
        for changes, low, high in self.state.windows(ahead):
            numbers = [number for number in numbers if low <= changes[number] <= high]
        return numbers

    def after(self, number: int, ahead: RemainingMoves) -> RemainingMoves:
        """Return the moves that remain after the move with this index. Additions start only after the last removal."""
        if ahead.removals > 1:
            return RemainingMoves(number, ahead.removals - 1, ahead.additions)
        if ahead.removals:
            return RemainingMoves(self.first_added, 0, ahead.additions)
        return RemainingMoves(number, 0, ahead.additions - 1)

    def least_price(self, ahead: RemainingMoves) -> Decimal | None:
        """Return a lower bound on the price after the remaining moves; None when no selection can meet all limits."""
        if not self.state.may_be_met(ahead):
            return None
        amount, discounts = self.state.least_amount(ahead), self._outlook.discounts(ahead)
        if amount is None or discounts is None:
            return None
        within, count = self._limits, self._count + ahead.additions - ahead.removals
        least = max(within.least_price, self._prices.least(max(amount, within.least_amount), count, discounts))
        if least > within.most_price:
            return None
        if within.least_price and self._prices.most(self.state.most_amount(ahead), discounts) < within.least_price:
            return None
        return least
