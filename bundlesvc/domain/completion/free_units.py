"""The units that conditions may give for free. They count for no rule (docs/contract.md#conditions)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from bundlesvc.domain.completion.outlook import possible_actions
from bundlesvc.domain.completion.task import Place, Task
from bundlesvc.domain.conditions.action_types import FREE_ITEM
from bundlesvc.domain.conditions.graph import of_type
from bundlesvc.domain.money import ZERO


class FreeUnits:
    """The most units of each variant that may be free."""

    def __init__(self, task: Task) -> None:
        self._most: dict[int, int] = {}
        for node in of_type(possible_actions(task), FREE_ITEM):
            id_ = int(node["variantId"])
            self._most[id_] = self._most.get(id_, 0) + int(node["quantity"])

    def among(self, places: Iterable[Place]) -> int:
        """The most free units of these places."""
        variants = {place.line.variant.id for place in places} & self._most.keys() if self._most else ()
        return sum(self._most[id_] for id_ in variants)

    def sum(self, places: Sequence[Place], weights: Sequence[Decimal]) -> Decimal:
        """The most that free units can add to a sum of weights, one for each unit of a place."""
        heaviest: dict[int, Decimal] = {}
        for place, weight in zip(places, weights, strict=True):
            id_ = place.line.variant.id
            if id_ in self._most:
                heaviest[id_] = max(heaviest.get(id_, ZERO), weight)
        return sum((self._most[id_] * weight for id_, weight in heaviest.items()), ZERO)
