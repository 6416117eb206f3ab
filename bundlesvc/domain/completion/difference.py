"""A completed selection, unit by unit, and how it differs from the shopper's selection."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from bundlesvc.domain.completion.task import UnitKind
from bundlesvc.domain.completion.unit_kinds import key_of
from bundlesvc.domain.selection import SelectedItem, Units


class Change(NamedTuple):
    """A number of identical units that were added or removed; `item` is one of them."""

    item: SelectedItem
    quantity: int


class Difference(NamedTuple):
    """All units of a completed selection, with the units that were added and removed."""

    items: Sequence[SelectedItem]
    added: Sequence[Change]
    removed: Sequence[Change]


def difference(units: Units, kinds: Sequence[UnitKind], counts: Sequence[int]) -> Difference:
    """Return the selection that has this number of units of each kind, and how it differs from `units`. Units that stay keep
    their order; of several identical units, the last are removed first."""
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
    """Return the units one by one, in the order of the request."""
    placed = [(position, item) for item, positions in units.items() for position in positions]
    return [item for _, item in sorted(placed, key=itemgetter(0))]


def _item(kind: UnitKind) -> SelectedItem:
    variant, section, answers = key_of(kind.line)
    return SelectedItem(variant, kind.line.product.id, section, answers)
