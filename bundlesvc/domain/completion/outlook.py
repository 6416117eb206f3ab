"""The results of a bundle's conditions, as far as they are known before a selection is complete.

A condition is true, false, or open (None). A group or an action is open only if the known conditions do not determine its result.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.completion.moves import Move, RemainingMoves
from bundlesvc.domain.completion.ranges import Range
from bundlesvc.domain.completion.task import Task
from bundlesvc.domain.conditions.action_types import BLOCK_CART, DISCOUNT, FREE_ITEM, HIDE_PRODUCT, HIDE_SECTION
from bundlesvc.domain.conditions.condition_types import Fact, Node, Quantity, operation, type_of
from bundlesvc.domain.conditions.graph import CONDITION, Graph, of_type
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import holds
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.unit_bounds import PerUnit

Verdict = bool | None


def possible_actions(task: Task) -> list[Node]:
    """Return the actions that some selection may trigger for this shopper."""
    known = {
        node["id"]: row.holds(node, (), task.facts)
        for node in task.graph.nodes
        if node["kind"] == CONDITION and isinstance(row := type_of(node), Fact)
    }
    return [node for node, verdict in _actions(task.graph, known) if verdict is not False]


class Outlook:
    """What is known about the results of a task's conditions, updated after each move."""

    def __init__(self, task: Task, moves: Sequence[Move]) -> None:
        self._graph = task.graph
        self._facts: dict[str, Verdict] = {}
        self._quantities: list[_Test] = []
        for node in task.graph.nodes:
            if node["kind"] == CONDITION:
                row = type_of(node)
                if isinstance(row, Quantity):
                    self._quantities.append(_Test(node, row, task, moves))
                else:
                    self._facts[node["id"]] = row.holds(node, (), task.facts)
        self._hidden = {
            node["id"]: Range([Decimal(_hides(node, kind.line)) for kind in task.kinds], task, moves)
            for node in (*of_type(task.graph.actions, HIDE_SECTION), *of_type(task.graph.actions, HIDE_PRODUCT))
        }
        self._ranges = [*(each for test in self._quantities for each in test.ranges), *self._hidden.values()]

    def change(self, kind: int, change: int) -> None:
        """Add or remove a unit of a kind: `change` is 1 or -1."""
        for each in self._ranges:
            each.value += each.weights[kind] * change

    def discounts(self, ahead: RemainingMoves) -> Sequence[str | None] | None:
        """Return the ids of the discount actions that may determine the price after the remaining moves; the id None stands for
        the bundle's own discount. Returns None when the conditions rule out every selection that these moves can produce."""
        if not self._graph.nodes:
            return _OWN
        verdicts = {**self._facts, **{test.node["id"]: test.verdict(ahead) for test in self._quantities}}
        found: list[str | None] = []
        is_decided = False
        for node, verdict in _actions(self._graph, verdicts):
            if verdict and (node["type"] == BLOCK_CART.name or self._is_hidden(node, ahead)):
                return None
            if node["type"] == DISCOUNT.name and verdict is not False and not is_decided:
                found.append(node["id"])
                is_decided = verdict is True
        return found if is_decided else [None, *found]

    def _is_hidden(self, node: Node, ahead: RemainingMoves) -> bool:
        """Whether the selection will certainly contain a unit that this action hides."""
        hidden = self._hidden.get(node["id"])
        return hidden is not None and hidden.after(ahead.removals, ahead.additions)[0] > 0


_OWN: Sequence[str | None] = (None,)


class _Test:
    """A condition on a quantity that is known only to lie between a lower and an upper bound. Units that free-item actions may
    make free do not count towards the lower bound."""

    def __init__(self, node: Node, row: Quantity, task: Task, moves: Sequence[Move]) -> None:
        self.node, self._operation = node, operation(node)
        self._limit = row.limit(node, task.facts)
        counted = [bool([*row.counted(node, [kind.line])]) for kind in task.kinds]
        per_unit = dict.fromkeys((row.bounds.least, row.bounds.most))
        self.ranges = [Range(_weights(task, adds, counted), task, moves) for adds in per_unit]
        weights = self.ranges[0].weights
        self._aside = ZERO
        for free in of_type(task.graph.actions, FREE_ITEM):
            own = (w for w, p in zip(weights, task.kinds, strict=True) if p.line.variant.id == int(free["variantId"]))
            self._aside += int(free["quantity"]) * max(own, default=ZERO)

    def verdict(self, ahead: RemainingMoves) -> Verdict:
        least, _ = self.ranges[0].after(ahead.removals, ahead.additions)
        _, most = self.ranges[-1].after(ahead.removals, ahead.additions)
        least = max(ZERO, least - self._aside)
        at_least, at_most = (holds(at, self._operation, self._limit) for at in (least, most))
        if self._operation == "eq":
            return at_least if least == most else None if least <= self._limit <= most else False
        return at_least if at_least == at_most else None


def _weights(task: Task, per_unit: PerUnit, counted: Sequence[bool]) -> Sequence[Decimal]:
    kinds = zip(task.kinds, counted, strict=True)
    return [per_unit(kind.line) if counts else ZERO for kind, counts in kinds]


def _hides(node: Node, line: Line) -> bool:
    if node["type"] == HIDE_SECTION.name:
        return bool(line.section_id == node["sectionId"])
    return line.product.id == int(node["productId"]) and node.get("sectionId") in (None, line.section_id)


def _actions(graph: Graph, known: Mapping[str, Verdict]) -> list[tuple[Node, Verdict]]:
    """Return the actions with their verdicts, derived from the known verdicts of the conditions."""
    verdicts = dict(known)
    for group in graph.groups_bottom_up:
        verdicts[group["id"]] = _of_group(group["mode"], [verdicts.get(child) for child in group["children"]])
    return [(node, True if node.get("when") is None else verdicts.get(node["when"])) for node in graph.actions]


def _of_group(mode: str, children: Sequence[Verdict]) -> Verdict:
    if mode == "all":
        return False if False in children else None if None in children else True
    held = True if True in children else None if None in children else False
    return held if mode == "any" or held is None else not held
