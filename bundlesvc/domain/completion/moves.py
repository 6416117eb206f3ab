"""The moves of a search: a unit more or less of a kind, in the order in which they are tried."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import FLAT, PRICE
from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.selection import MAX_ITEMS

NEVER = Decimal("Infinity")


class Move(NamedTuple):
    """One unit more (`change` 1) or less (-1) of a kind: what it adds to the amount and to the number of preferred units, and
    how often it can be made."""

    kind: int
    change: int
    cost: Decimal
    liked: int
    most: int


class RemainingMoves(NamedTuple):
    """The moves that are still to be made: how many remove and how many add a unit, none before number `first`. Those that
    remove come first."""

    first: int
    removals: int
    additions: int


def moves_of(task: Task, most_of: Sequence[int]) -> list[Move]:
    """Every possible move, where a selection can have `most_of` each kind. Those that remove come first, then required and
    preferred products; then the cheapest, or the shop's order where every selection has the same price."""
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
