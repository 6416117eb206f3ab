"""A completed selection unit by unit, and how it differs from the shopper's."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from bundlesvc.domain.completion.task import UnitKind
from bundlesvc.domain.completion.unit_kinds import key_of
from bundlesvc.domain.selection import SelectedItem, Units


class Change(NamedTuple):
    """Equal units that were added or removed: one of them, and how many."""

    item: SelectedItem
    quantity: int


class Difference(NamedTuple):
    """All units of a completed selection, and what changed."""

    items: Sequence[SelectedItem]
    added: Sequence[Change]
    removed: Sequence[Change]


def difference(units: Units, kinds: Sequence[UnitKind], counts: Sequence[int]) -> Difference:
    """The selection with these numbers of units of each kind. What stays keeps its order, and of equal units the last are
    removed."""
    wanted = {_item(kind): count for kind, count in zip(kinds, counts, strict=True)}
    stays = _in_order({item: positions[: wanted[item]] for item, positions in units.items()})
    changes = [
        Change(_item(kind), count - kind.chosen)
        for kind, count in zip(kinds, counts, strict=True)
        if count != kind.chosen
    ]
    added = [change for change in changes if change.quantity > 0]
    removed = [Change(change.item, -change.quantity) for change in changes if change.quantity < 0]
    return Difference([*stays, *(each.item for each in added for _ in range(each.quantity))], added, removed)


def _in_order(units: Units) -> list[SelectedItem]:
    """The units one by one, in the order of the request."""
    placed = [(position, item) for item, positions in units.items() for position in positions]
    return [item for _, item in sorted(placed, key=itemgetter(0))]


def _item(kind: UnitKind) -> SelectedItem:
    variant, section, answers = key_of(kind.line)
    return SelectedItem(variant, kind.line.product.id, section, answers)
