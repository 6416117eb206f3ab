"""The conditions engine: a graph of conditions, groups and actions over a selection (docs/contract.md#conditions).

Nodes are mappings as the API sends them: `{"id", "kind", …}`. Nodes that this engine does not support are removed, together with
all nodes that depend on them. The rest is evaluated in one pass without recursion, so evaluating a graph that has been loaded
cannot fail.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Self

from bundlesvc.domain.conditions import action_types
from bundlesvc.domain.conditions.action_types import ACTION_TYPES, ActionType
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, COUNTRY, Facts, Node, operation, type_of
from bundlesvc.domain.conditions.free_items import SetAside
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.immutable import immutable

CONDITION, GROUP, ACTION = "condition", "group", "action"
GROUP_MODES = ("all", "any", "none")


@dataclass(frozen=True, slots=True)
class GraphDiscount:
    """The discount of the first discount action that fired. It replaces the bundle's own discount."""

    action_id: str
    type: str
    value: Decimal


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a node is true, and the ids of the conditions that determined this."""

    holds: bool
    decided_by: tuple[str, ...] = ()


@immutable
class Outcome:
    """The result of evaluating the graph for one selection. The `paid` and the `granted` (free) lines together make up the
    selection."""

    paid: tuple[Line, ...]
    granted: tuple[Line, ...] = ()
    discount: GraphDiscount | None = None
    hidden_sections: frozenset[int] = frozenset()
    hidden_products: frozenset[tuple[int, int | None]] = frozenset()
    blocks: tuple[str, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)

    def hides(self, line: Line) -> bool:
        """Whether the line's product is hidden, either everywhere or in the line's section."""
        return not self.hidden_products.isdisjoint({(line.product.id, None), (line.product.id, line.section_id)})


@dataclass(frozen=True)
class Graph:
    """The nodes that the engine can evaluate, in the order of the shop file. `partial` is set when some nodes were removed. In
    `groups_bottom_up`, each group comes after the groups that it contains."""

    nodes: tuple[Node, ...]
    partial: bool
    groups_bottom_up: tuple[Node, ...]

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> Self:
        """Build the graph from nodes. Their references must be complete and free of cycles, which is checked when a shop file is
        loaded."""
        stripped = _not_runnable(nodes)
        runnable = tuple(node for node in nodes if node["id"] not in stripped)
        return cls(runnable, bool(stripped), _bottom_up([node for node in runnable if node["kind"] == GROUP]))

    @cached_property
    def actions(self) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node["kind"] == ACTION)

    @cached_property
    def free_variant_ids(self) -> frozenset[int]:
        """The ids of the variants in free-item actions, whether or not the actions fire."""
        return frozenset(int(node["variantId"]) for node in of_type(self.actions, action_types.FREE_ITEM))

    @cached_property
    def market_conditions(self) -> tuple[Node, ...]:
        """The conditions that test the country or an amount, and that affect a discount, a free unit, or whether the selection
        may be configured. Conditions that affect only messages are left out."""
        nodes = {node["id"]: node for node in self.nodes}
        reached: set[str] = set()
        waiting = [id_ for node in self.actions if ACTION_TYPES[node["type"]].decides for id_ in references(node)]
        while waiting:
            id_ = waiting.pop()
            if id_ not in reached:
                reached.add(id_)
                waiting.extend(references(nodes[id_]))
        return tuple(
            node
            for node in self.nodes
            if node["id"] in reached and node["kind"] == CONDITION and type_of(node).reads_market
        )

    @cached_property
    def countries_read(self) -> tuple[str, ...]:
        """The countries that the market conditions name, sorted. In any other country, these conditions have the same result as
        without a country."""
        named = {str(node["value"]).upper() for node in self.market_conditions if type_of(node) is COUNTRY}
        return tuple(sorted(named))

    def evaluate(self, lines: Sequence[Line], facts: Facts) -> Outcome:
        """Evaluate the graph for a selection. Never raises."""
        if not self.nodes:
            return Outcome(paid=tuple(lines))
        aside = SetAside(lines, of_type(self.actions, action_types.FREE_ITEM))
        verdicts = self._judge(aside.rest(), facts)
        fired = [node for node in self.actions if verdicts[node["id"]].holds]
        granted_by = {node["id"] for node in fired}
        return Outcome(
            paid=aside.lines_without(granted_by),
            granted=aside.lines_taken_by(granted_by),
            discount=next(map(_graph_discount, of_type(fired, action_types.DISCOUNT)), None),
            hidden_sections=frozenset(node["sectionId"] for node in of_type(fired, action_types.HIDE_SECTION)),
            hidden_products=frozenset(
                (int(node["productId"]), node.get("sectionId")) for node in of_type(fired, action_types.HIDE_PRODUCT)
            ),
            blocks=tuple(node["text"] for node in of_type(fired, action_types.BLOCK_CART)),
            verdicts={node["id"]: verdicts[node["id"]] for node in self.actions},
        )

    def _judge(self, lines: Sequence[Line], facts: Facts) -> dict[str, Verdict]:
        """Return the verdict on every node, by id: conditions first, then groups from the innermost to the outermost, then
        actions."""
        verdicts: dict[str, Verdict] = {}
        for node in self.nodes:
            if node["kind"] == CONDITION:
                verdicts[node["id"]] = Verdict(type_of(node).holds(node, lines, facts), (node["id"],))
        for node in self.groups_bottom_up:
            verdicts[node["id"]] = _group_verdict(node["mode"], [verdicts[child] for child in node["children"]])
        for node in self.actions:
            when = node.get("when")
            verdicts[node["id"]] = verdicts[when] if when is not None else Verdict(holds=True)
        return verdicts


def of_type(actions: Iterable[Node], row: ActionType) -> list[Node]:
    """Return the actions of a type."""
    return [node for node in actions if node["type"] == row.name]


def references(node: Node) -> list[str]:
    """Return the ids of the nodes that a node depends on. Values that are not ids, which a node of an unknown kind may contain,
    are skipped."""
    children = node.get("children")
    named = list(children) if isinstance(children, list | tuple) else []
    return [child for child in (*named, node.get("when")) if isinstance(child, str)]


def is_known(node: Node) -> bool:
    """Whether the engine supports this node's kind and type."""
    kind, type_ = node["kind"], node.get("type")
    if kind == GROUP:
        return True
    if not isinstance(type_, str):
        return False  # a node of an unknown kind may have any type
    return (kind == CONDITION and type_ in CONDITION_TYPES) or (kind == ACTION and type_ in ACTION_TYPES)


def _is_runnable(node: Node) -> bool:
    """Whether the engine can evaluate the node. A newer version of the service may have stored a mode or operation that this
    version does not support."""
    if not is_known(node):
        return False
    if node["kind"] == GROUP:
        return node.get("mode") in GROUP_MODES
    return node["kind"] == ACTION or operation(node) in COMPARISONS


def _not_runnable(nodes: Sequence[Node]) -> set[str]:
    """Return the ids of the nodes that this engine cannot evaluate, and of all nodes that depend on them."""
    dependents: dict[str, list[str]] = {}
    for node in nodes:
        for reference in references(node):
            dependents.setdefault(reference, []).append(node["id"])
    stripped: set[str] = set()
    spreading = [node["id"] for node in nodes if not _is_runnable(node)]
    while spreading:
        id_ = spreading.pop()
        if id_ not in stripped:
            stripped.add(id_)
            spreading.extend(dependents.get(id_, ()))
    return stripped


def _bottom_up(groups: Sequence[Node]) -> tuple[Node, ...]:
    """Sort the groups so that each comes after the groups that it contains."""
    by_id = {group["id"]: group for group in groups}
    order = TopologicalSorter({group["id"]: set(group["children"]) & by_id.keys() for group in groups})
    return tuple(by_id[id_] for id_ in order.static_order())


def _group_verdict(mode: str, children: Sequence[Verdict]) -> Verdict:
    """Return the verdict on a group. In mode `all` the group is true when every child is true, in `any` when at least one is, and
    in `none` when no child is. The conditions that determined the decisive children also determine the group."""
    decisive = mode != "all"  # one child with this verdict settles the group
    settling = [child for child in children if child.holds is decisive]
    held = bool(settling) if mode == "any" else not settling
    return Verdict(held, tuple(dict.fromkeys(_deciders(settling or children))))


def _deciders(verdicts: Iterable[Verdict]) -> Iterable[str]:
    for verdict in verdicts:
        yield from verdict.decided_by


def _graph_discount(node: Node) -> GraphDiscount:
    return GraphDiscount(node["id"], node["discount"]["type"], Decimal(node["discount"]["value"]))


NO_CONDITIONS = Graph.of(())
"""The graph of a bundle without conditions, or of a shop without the feature."""
