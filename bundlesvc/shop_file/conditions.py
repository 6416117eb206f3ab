"""The conditions of a bundle: the format of their nodes, the rules for connecting nodes, and the checks of references to
sections, products and variants.

A node is a mapping with the keys of the wire format and with converted values. Each known type has its own keys. Nodes of a kind
or type that the engine does not know are kept as written.
"""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from marshmallow import ValidationError, fields

from bundlesvc.domain.bundle import DISCOUNT_TYPES, PERCENTAGE
from bundlesvc.domain.conditions import action_types, condition_types
from bundlesvc.domain.conditions.graph import ACTION, CONDITION, GROUP, GROUP_MODES, is_known
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, Scalar
from bundlesvc.shop_file.known_ids import KnownProducts, KnownSections
from bundlesvc.shop_file.tree import TreeFault, quoted
from bundlesvc.shop_file.tree_nodes import TreeNode, repeated


class GraphDiscountSchema(FileSchema):
    """The discount of an action: the same as a bundle's own discount, but without a minimum or tiers."""

    type = Scalar(scalars.one_of(*DISCOUNT_TYPES), required=True)
    value = Scalar(scalars.amount_text, required=True)


def _needed(read: scalars.Reader[Any]) -> fields.Field[Any]:
    return Scalar(read, required=True)


def _optional(read: scalars.Reader[Any]) -> fields.Field[Any]:
    return Scalar(read, allow_none=True)


def _node_schema(**keys: fields.Field[Any]) -> FileSchema:
    schema = FileSchema.from_dict({"id": _needed(scalars.name), "kind": _needed(scalars.name)} | keys)
    return schema()  # type: ignore[return-value]  # from_dict is annotated with Schema, but returns a subclass of FileSchema


def _condition(**keys: fields.Field[Any]) -> FileSchema:
    return _node_schema(type=_needed(scalars.name), **keys)


def _action(**keys: fields.Field[Any]) -> FileSchema:
    return _node_schema(type=_needed(scalars.name), when=_optional(scalars.name), **keys)


def _limit() -> dict[str, fields.Field[Any]]:
    """Return the schema fields of a condition that compares a measure with a value."""
    return {"operation": _needed(scalars.operation), "value": _needed(scalars.number_text)}


def _children() -> fields.Field[Any]:
    return Items(Scalar(scalars.name), list)


def _scope() -> dict[str, fields.Field[Any]]:
    return {"sectionId": _optional(scalars.number_id)}


GROUP_SCHEMA = _node_schema(mode=_needed(scalars.one_of(*GROUP_MODES)), children=_children())
KNOWN_SCHEMAS: Mapping[tuple[str, str], FileSchema] = {
    (CONDITION, condition_types.TOTAL_PRODUCTS.name): _condition(**_limit(), **_scope()),
    (CONDITION, condition_types.TOTAL_PRICE.name): _condition(**_limit(), **_scope()),
    (CONDITION, condition_types.TOTAL_WEIGHT.name): _condition(**_limit(), **_scope()),
    (CONDITION, condition_types.PRODUCT_QUANTITY.name): _condition(
        productId=_needed(scalars.product_id_text), **_limit(), **_scope()
    ),
    (CONDITION, condition_types.VARIANT_SELECTED.name): _condition(
        variantId=_needed(scalars.variant_id_text),
        operation=Scalar(scalars.operation, load_default="gte", allow_none=False),
        value=Scalar(scalars.number_text, load_default="1"),
        **_scope(),
    ),
    (CONDITION, condition_types.SECTION_QUANTITY.name): _condition(sectionId=_needed(scalars.number_id), **_limit()),
    (CONDITION, condition_types.COUNTRY.name): _condition(
        operation=Scalar(scalars.one_of("eq")), value=_needed(scalars.country)
    ),
    (CONDITION, condition_types.SUBSCRIPTION_CHOSEN.name): _condition(),
    (ACTION, action_types.DISCOUNT.name): _action(discount=Item(GraphDiscountSchema(), required=True)),
    (ACTION, action_types.FREE_ITEM.name): _action(
        variantId=_needed(scalars.variant_id_text), quantity=Scalar(scalars.whole_number(minimum=1), load_default=1)
    ),
    (ACTION, action_types.MESSAGE.name): _action(text=_needed(scalars.long_text)),
    (ACTION, action_types.HIDE_SECTION.name): _action(sectionId=_needed(scalars.number_id)),
    (ACTION, action_types.HIDE_PRODUCT.name): _action(productId=_needed(scalars.product_id_text), **_scope()),
    (ACTION, action_types.GOTO_SECTION.name): _action(sectionId=_needed(scalars.number_id)),
    (ACTION, action_types.BLOCK_CART.name): _action(text=_needed(scalars.long_text)),
}


class _UnknownNodeSchema(FileSchema):
    """A node of an unknown kind. It has an id, and its references must be ids."""

    refuses_unknown_keys = False
    id = _needed(scalars.name)
    kind = _needed(scalars.name)
    when = _optional(scalars.name)
    children = _children()


class _UnknownTypeSchema(_UnknownNodeSchema):
    """A condition or an action of unknown type."""

    type = _needed(scalars.name)


UNKNOWN_SCHEMA = _UnknownNodeSchema()
"""The schema of a node of an unknown kind."""

_UNKNOWN_TYPE = _UnknownTypeSchema()


class ConditionNode(fields.Field[dict[str, Any]]):
    """A field for one node of a bundle's conditions."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, Any]:
        schema = _schema_of(value)
        if schema is not None:
            node: dict[str, Any] = schema.load(value)
            return node
        faults = (_UNKNOWN_TYPE if value.get("kind") in (CONDITION, ACTION) else UNKNOWN_SCHEMA).validate(value)
        if faults:
            raise ValidationError(faults)
        return dict(value)


def _schema_of(value: Any) -> FileSchema | None:
    """Return the schema of a node of known kind and type, or None for any other node. For a node that is not a mapping, returns a
    schema that refuses it."""
    if not isinstance(value, dict):
        return UNKNOWN_SCHEMA
    kind, type_ = value.get("kind"), value.get("type")
    if kind == GROUP:
        return GROUP_SCHEMA
    return KNOWN_SCHEMAS.get((kind, type_)) if isinstance(kind, str) and isinstance(type_, str) else None


def check_conditions(bundle: TreeNode, sections: KnownSections, products: KnownProducts) -> Iterator[TreeFault]:
    """Find every fault in the condition graph: faults in ids and in references between nodes, cycles, and references to sections,
    products or variants that do not exist."""
    nodes = [node for node in bundle.items("conditions") if node.is_mapping]
    yield from repeated((node.at("id") for node in nodes), scalars.name, "A node with the id")
    yield from _check_references(nodes)
    yield from _check_cycles(nodes)
    for node in nodes:
        yield from _check_names(node, sections, products)


def _check_references(nodes: list[TreeNode]) -> Iterator[TreeFault]:
    ids = {node.at("id").read(scalars.name) for node in nodes}
    actions = {node.at("id").read(scalars.name) for node in nodes if _is_action(node)}
    for node in nodes:
        for reference in _references(node):
            named = reference.read(scalars.name)
            if named is not None and named not in ids:
                yield reference.fault(f"There is no condition or group {quoted(named)} in this bundle.")
            elif named is not None and named in actions:
                yield reference.fault(f"{quoted(named)} is an action, but this must be a condition or a group.")


def _references(node: TreeNode) -> list[TreeNode]:
    """Return the parts of a node that refer to other nodes."""
    return [*node.items("children"), node.at("when")]


def _is_action(node: TreeNode) -> bool:
    return node.at("kind").value == ACTION


def _check_cycles(nodes: list[TreeNode]) -> Iterator[TreeFault]:
    by_id: dict[str, TreeNode] = {}
    for node in nodes:
        by_id.setdefault(node.at("id").read(scalars.name) or "", node)
    edges = {id_: _named_by(node) for id_, node in by_id.items() if not _is_action(node)}
    for cycle in _cycles(edges):
        first = min(cycle, key=lambda id_: by_id[id_].path)
        start = cycle.index(first)
        around = " -> ".join(quoted(id_) for id_ in (*cycle[start:], *cycle[:start], first))
        held = by_id[first].at("children" if by_id[first].items("children") else "when")
        yield held.fault(f"These nodes depend on each other: {around}.")


def _named_by(node: TreeNode) -> list[str]:
    return [named for reference in _references(node) if (named := reference.read(scalars.name)) is not None]


def _cycles(edges: dict[str, list[str]]) -> Iterator[list[str]]:
    """Yield cycles, each as a list of ids in which every node refers to the next. The nodes of a cycle are not part of any later
    cycle."""
    left = dict(edges)
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as found:
            cycle: list[str] = list(reversed(found.args[1]))[:-1]
            yield cycle
            left = {id_: named for id_, named in left.items() if id_ not in cycle}
        else:
            return


def _check_names(node: TreeNode, sections: KnownSections, products: KnownProducts) -> Iterator[TreeFault]:
    """Check that the sections, products and variants that a node refers to exist. Nodes of unknown types are not checked."""
    if not isinstance(node.value, dict) or "kind" not in node.value:
        return
    if node.at("kind").value != GROUP and is_known(node.value):
        yield from sections.missing(node.at("sectionId"))
        yield from products.missing_product(node.at("productId"))
        yield from products.missing_variant(node.at("variantId"))
        yield from check_percentage(node.at("discount"), node.at("discount").at("value"))


def check_percentage(discount: TreeNode, value: TreeNode) -> Iterator[TreeFault]:
    """Report a percentage above 100. The schema checks that the value is an amount."""
    if discount.at("type").value == PERCENTAGE and value.read(scalars.amount) is not None:
        yield from value.unfit(scalars.percentage)
