"""The moves of a search, each of which adds or removes one unit of one kind, in the order in which they are tried."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import FLAT, PRICE
from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.selection import MAX_ITEMS

NEVER = Decimal("Infinity")


class Move(NamedTuple):
    """The addition (`change` 1) or removal (-1) of one unit of a particular kind. `cost` and `liked` are the resulting changes to
    the amount and to the number of preferred units; `most` is the number of times that the move can be made."""

    kind: int
    change: int
    cost: Decimal
    liked: int
    most: int


class RemainingMoves(NamedTuple):
    """The moves still to be made: how many removals and how many additions, and the index of the first move that may be used
    (`first`). Removals come before additions."""

    first: int
    removals: int
    additions: int


def moves_of(task: Task, most_of: Sequence[int]) -> list[Move]:
    """Return all possible moves. `most_of` is the highest number of units of each kind that a selection can contain. Removals
    come first, then additions of required and preferred products. All other moves are sorted by ascending cost, or in the shop's
    order if every selection has the same price."""
    discount, nearest = task.bundle.discount, task.wishes.aim == NEAREST
    one_price = discount is not None and (discount.type, discount.flat_or_tiered) == (PRICE, FLAT)

    def order(move: Move) -> tuple[int, bool, int, Decimal, int]:
        liked, cost = -move.liked if nearest else 0, ZERO if one_price else move.cost
        return move.change, not task.requires(task.kinds[move.kind].line), liked, cost, move.kind

    return sorted(_moves(task, most_of), key=order)


def _moves(task: Task, most_of: Sequence[int]) -> Iterator[Move]:
    wishes = task.wishes
    for number, (kind, most) in enumerate(zip(task.kinds, most_of, strict=True)):
        price, liked = kind.line.unit_price, int(kind.line.product.id in wishes.prefer)
        if kind.chosen:
            yield Move(number, -1, -price, -liked, kind.chosen)
        if kind.grows and kind.line.product.id not in wishes.avoid and most > kind.chosen:
            yield Move(number, 1, price, liked, min(MAX_ITEMS, most - kind.chosen))
