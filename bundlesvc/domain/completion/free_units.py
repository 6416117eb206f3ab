"""The units that conditions may make free. Free units do not count towards any rule (docs/contract.md#conditions)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from bundlesvc.domain.completion.outlook import possible_actions
from bundlesvc.domain.completion.task import Task, UnitKind
from bundlesvc.domain.conditions.action_types import FREE_ITEM
from bundlesvc.domain.conditions.graph import of_type
from bundlesvc.domain.money import ZERO


class FreeUnits:
    """The maximum number of units of each variant that conditions may make free."""

    def __init__(self, task: Task) -> None:
        self._most: dict[int, int] = {}
        for node in of_type(possible_actions(task), FREE_ITEM):
            id_ = int(node["variantId"])
            self._most[id_] = self._most.get(id_, 0) + int(node["quantity"])

    def among(self, kinds: Iterable[UnitKind]) -> int:
        """Return the maximum number of free units among these kinds."""
        variants = {kind.line.variant.id for kind in kinds} & self._most.keys() if self._most else ()
        return sum(self._most[id_] for id_ in variants)

    def sum(self, kinds: Sequence[UnitKind], weights: Sequence[Decimal]) -> Decimal:
        """Return the most that free units can add to a sum of weights. `weights` contains the weight of one unit of each kind."""
        heaviest: dict[int, Decimal] = {}
        for kind, weight in zip(kinds, weights, strict=True):
            id_ = kind.line.variant.id
            if id_ in self._most:
                heaviest[id_] = max(heaviest.get(id_, ZERO), weight)
        return sum((self._most[id_] * weight for id_, weight in heaviest.items()), ZERO)
