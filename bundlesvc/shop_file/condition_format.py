"""The format of condition nodes: mappings with the keys of the wire, their values converted.

Each known type has its keys. Nodes of a kind or type that the engine does not know stay as they are written.
"""

from typing import Any

from marshmallow import ValidationError, fields

from bundlesvc.domain.bundle import DISCOUNT_TYPES
from bundlesvc.domain.conditions import ACTION, CONDITION, GROUP, GROUP_MODES
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, Scalar


class GraphDiscountSchema(FileSchema):
    """The discount of an action: like a bundle's own, but without minimum and tiers."""

    type = Scalar(scalars.one_of(*DISCOUNT_TYPES), required=True)
    value = Scalar(scalars.amount_text, required=True)


def _needed(read: scalars.Reader[Any]) -> fields.Field[Any]:
    return Scalar(read, required=True)


def _optional(read: scalars.Reader[Any]) -> fields.Field[Any]:
    return Scalar(read, allow_none=True)


def _node_schema(**keys: fields.Field[Any]) -> FileSchema:
    schema = FileSchema.from_dict({"id": _needed(scalars.name), "kind": _needed(scalars.name)} | keys)
    return schema()  # type: ignore[return-value]  # its annotation says Schema, but it returns a subclass of this class


def _condition(**keys: fields.Field[Any]) -> FileSchema:
    return _node_schema(type=_needed(scalars.name), **keys)


def _action(**keys: fields.Field[Any]) -> FileSchema:
    return _node_schema(type=_needed(scalars.name), when=_optional(scalars.name), **keys)


def _limit() -> dict[str, fields.Field[Any]]:
    """The comparison of a measure with a value."""
    return {"operation": _needed(scalars.operation), "value": _needed(scalars.number_text)}


def _children() -> fields.Field[Any]:
    return Items(Scalar(scalars.name), list)


def _scope() -> dict[str, fields.Field[Any]]:
    return {"sectionId": _optional(scalars.number_id)}


_GROUP = _node_schema(mode=_needed(scalars.one_of(*GROUP_MODES)), children=_children())
_KNOWN = {
    (CONDITION, "total-products"): _condition(**_limit(), **_scope()),
    (CONDITION, "total-price"): _condition(**_limit(), **_scope()),
    (CONDITION, "total-weight"): _condition(**_limit(), **_scope()),
    (CONDITION, "product-quantity"): _condition(productId=_needed(scalars.product_id_text), **_limit(), **_scope()),
    (CONDITION, "variant-selected"): _condition(
        variantId=_needed(scalars.variant_id_text),
        operation=Scalar(scalars.operation, load_default="gte", allow_none=False),
        value=Scalar(scalars.number_text, load_default="1"),
        **_scope(),
    ),
    (CONDITION, "section-quantity"): _condition(sectionId=_needed(scalars.number_id), **_limit()),
    (CONDITION, "country"): _condition(operation=Scalar(scalars.one_of("eq")), value=_needed(scalars.country)),
    (CONDITION, "subscription-chosen"): _condition(),
    (ACTION, "discount"): _action(discount=Item(GraphDiscountSchema(), required=True)),
    (ACTION, "free-item"): _action(
        variantId=_needed(scalars.variant_id_text), quantity=Scalar(scalars.whole_number(minimum=1), load_default=1)
    ),
    (ACTION, "message"): _action(text=_needed(scalars.long_text)),
    (ACTION, "hide-section"): _action(sectionId=_needed(scalars.number_id)),
    (ACTION, "hide-product"): _action(productId=_needed(scalars.product_id_text), **_scope()),
    (ACTION, "goto-section"): _action(sectionId=_needed(scalars.number_id)),
    (ACTION, "block-cart"): _action(text=_needed(scalars.long_text)),
}


class _UnknownNodeSchema(FileSchema):
    """Any node has an id, and its references are ids."""

    refuses_unknown_keys = False
    id = _needed(scalars.name)
    kind = _needed(scalars.name)
    when = _optional(scalars.name)
    children = _children()


class _UnknownTypeSchema(_UnknownNodeSchema):
    """A condition or an action also has a type."""

    type = _needed(scalars.name)


_UNKNOWN_NODE = _UnknownNodeSchema()
_UNKNOWN_TYPE = _UnknownTypeSchema()


class ConditionNode(fields.Field[dict[str, Any]]):
    """One node of a bundle's conditions."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, Any]:
        schema = _schema_of(value)
        if schema is not None:
            node: dict[str, Any] = schema.load(value)
            return node
        faults = (_UNKNOWN_TYPE if value.get("kind") in (CONDITION, ACTION) else _UNKNOWN_NODE).validate(value)
        if faults:
            raise ValidationError(faults)
        return dict(value)


def _schema_of(value: Any) -> FileSchema | None:
    """The schema of a node that the engine knows, or of a node that is not a mapping, which every schema refuses."""
    if not isinstance(value, dict):
        return _UNKNOWN_NODE
    kind, type_ = value.get("kind"), value.get("type")
    if kind == GROUP:
        return _GROUP
    return _KNOWN.get((kind, type_)) if isinstance(kind, str) and isinstance(type_, str) else None
