"""The cost of an operation, before and after it runs: a model fitted to costs recorded from the platform.

An object costs 1, and a scalar nothing. Of several fragments on the same abstract type, only the most costly one counts. A
connection costs 2 + S(first) x (1 + children), with S(n) = max(1, floor(2 ln n)); other lists are not multiplied. A mutation
costs 10, plus 0.2 for each variant that it creates or updates.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor, log
from typing import Any, TypeAlias

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLAbstractType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    is_abstract_type,
    is_leaf_type,
)
from graphql.execution.collect_fields import collect_fields, collect_sub_fields
from graphql.execution.values import get_argument_values

MAX_COST = 1000
MUTATION_COST, VARIANT_COST, ROOT_COUNT_COST, CONNECTION_COST = 10, 0.2, 10, 2
FREE_TYPES = frozenset({"MoneyV2", "MoneyBag", "MailingAddress", "Weight", "InventoryItemMeasurement", "PageInfo"})
Fields: TypeAlias = Mapping[str, list[FieldNode]]

_OF_VARIANTS = ("productVariantsBulkCreate", "productVariantsBulkUpdate")


def size_factor(first: int) -> int:
    """Return S(first), the factor by which a page of this size multiplies the cost of its nodes."""
    return max(1, floor(2 * log(first))) if first > 0 else 0


@dataclass(frozen=True)
class Part:
    """A field with its subfields. `branches` has one entry for each set of fragments that can apply together."""

    weight: int = 0
    branches: Sequence[Mapping[str, "Part"]] = field(default_factory=list)
    page: int | None = None
    """The page size of a connection."""

    @property
    def requested(self) -> int:
        inner = max((sum(part.requested for part in branch.values()) for branch in self.branches), default=0)
        return self.weight + inner * (1 if self.page is None else size_factor(self.page))

    @cached_property
    def parts(self) -> Mapping[str, "Part"]:
        """All direct subfields, by their keys in the response."""
        return {key: part for branch in self.branches for key, part in branch.items()}

    def actual(self, value: Any) -> int:
        """Return the cost of the data returned. Null costs nothing, and a page is charged in proportion to its number of
        nodes."""
        if value is None:
            return 0
        if isinstance(value, list):
            return max(map(self.actual, value), default=0)
        if self.page is None:
            return self.weight + sum(part.actual(value[key]) for key, part in self.parts.items() if key in value)
        found = sum(part.actual(node) for key, part in self.parts.items() for node in value.get(key) or ())
        return self.weight + ceil(found * size_factor(self.page) / (self.page or 1))


class CostModel:
    """Breaks the operations of a document into parts whose costs can be added up."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        definitions = document.definitions
        self._schema = schema
        self._fragments = {node.name.value: node for node in definitions if isinstance(node, FragmentDefinitionNode)}
        self._variables = dict(variables)

    def whole(self, operation: OperationDefinitionNode) -> Part:
        """Return the operation as one part, whose `requested` is the operation's cost as calculated before it is executed."""
        root = self._schema.get_root_type(operation.operation)
        assert root is not None, "the document was validated"
        selection = operation.selection_set
        return Part(
            branches=[
                self._parts(root, collect_fields(self._schema, self._fragments, self._variables, root, selection))
            ]
        )

    def _parts(self, parent: GraphQLObjectType, fields: Fields) -> dict[str, Part]:
        """Return the fields that have a cost: all except scalars."""
        parts = {}
        for key, nodes in fields.items():
            definition = parent.fields.get(nodes[0].name.value)
            kind = get_named_type(definition.type) if definition else None
            if definition is not None and not is_leaf_type(kind):
                arguments = get_argument_values(definition, nodes[0], self._variables)
                parts[key] = self._part(parent, nodes, kind, arguments)
        return parts

    def _part(self, parent: GraphQLObjectType, nodes: list[FieldNode], kind: Any, arguments: dict[str, Any]) -> Part:
        branches = list(self._branches(kind, nodes))
        if kind.name.endswith("Connection"):
            return Part(CONNECTION_COST, branches, arguments.get("first") or arguments.get("last") or 0)
        return Part(self._weight(parent, nodes[0].name.value, kind.name, arguments), branches)

    def _weight(self, parent: GraphQLObjectType, name: str, kind: str, arguments: dict[str, Any]) -> int:
        if parent is self._schema.mutation_type:
            count = len(arguments["variants"]) if name in _OF_VARIANTS else 0
            return MUTATION_COST + ceil(VARIANT_COST * count)
        if parent is self._schema.query_type and name.endswith("Count"):
            return ROOT_COUNT_COST
        free = kind in FREE_TYPES or kind.endswith("UserError") or parent.name.endswith(("Payload", "Edge"))
        return 0 if free else 1

    def _branches(self, kind: Any, nodes: list[FieldNode]) -> Iterator[dict[str, Part]]:
        for runtime_type in [kind] if isinstance(kind, GraphQLObjectType) else self._distinct_types(kind, nodes):
            fields = collect_sub_fields(self._schema, self._fragments, self._variables, runtime_type, nodes)
            yield self._parts(runtime_type, fields)

    def _distinct_types(self, kind: GraphQLAbstractType, nodes: list[FieldNode]) -> Iterable[GraphQLObjectType]:
        """Return one of the possible types for each set of fragments that can apply together."""
        conditions = {name for node in nodes for name in self._conditions(node.selection_set)}
        types = [self._schema.type_map[name] for name in conditions]
        found: dict[frozenset[str], GraphQLObjectType] = {}
        for possible in self._schema.get_possible_types(kind):
            found[frozenset(each.name for each in types if self._applies(each, possible))] = possible
        return found.values()

    def _applies(self, condition: Any, possible: GraphQLObjectType) -> bool:
        return condition is possible or (is_abstract_type(condition) and self._schema.is_sub_type(condition, possible))

    def _conditions(self, selection: SelectionSetNode | None) -> Iterator[str]:
        """Yield the names of the types in the type conditions of the fragments at this level."""
        for node in selection.selections if selection else ():
            fragment = self._fragments[node.name.value] if isinstance(node, FragmentSpreadNode) else node
            if isinstance(fragment, FragmentDefinitionNode | InlineFragmentNode):
                if fragment.type_condition:
                    yield fragment.type_condition.name.value
                yield from self._conditions(fragment.selection_set)
