"""The definitions of a JSON Schema, generated from the schemas that read a shop file.

An editor parses YAML itself and distinguishes numbers, booleans and strings, whereas the format treats every value as text. The
schema of a single value therefore accepts every type whose values can be written in the form that the format reads. Rules about
several values together (references, sums, duplicate ids) are left to `bundlesvc load`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from marshmallow import Schema, fields

from bundlesvc.domain.conditions.graph import ACTION, CONDITION, GROUP
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.conditions import GROUP_SCHEMA, KNOWN_SCHEMAS, UNKNOWN_SCHEMA, ConditionNode
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, KeyedMapping, Scalar
from bundlesvc.shop_file.json_schema.descriptions import described
from bundlesvc.shop_file.json_schema.single_values import key_schema, nullable, value_schema

JsonSchema: TypeAlias = dict[str, Any]


class Definitions:
    """The definitions in a JSON Schema document, by name. Each is added when it is first referred to. `prefix` is the path of the
    definitions in the document."""

    def __init__(self, prefix: str = "#/$defs/") -> None:
        self.by_name: dict[str, JsonSchema] = {}
        self._prefix = prefix

    def reference(self, schema: Schema) -> JsonSchema:
        """Return a reference to the definition of one of the schemas that read a shop file."""
        return self._named(_name(schema), lambda: self._mapping(schema, _name(schema), self._field))

    def input_reference(self, schema: Schema, key: str) -> JsonSchema:
        """Return a reference to the definition of a client's input, which may omit the key because the request path contains
        it."""
        optional = frozenset((key,))
        return self._named(f"{_name(schema)}Input", lambda: self._mapping(schema, _name(schema), self._field, optional))

    def patch_reference(self, schema: Schema) -> JsonSchema:
        """Return a reference to the definition of a merge patch (RFC 7386). Any key may be omitted, including in nested patches.
        Lists are replaced as a whole."""
        return self._named(f"{_name(schema)}Patch", lambda: self._patch(schema))

    def _named(self, name: str, make: Callable[[], JsonSchema]) -> JsonSchema:
        if name not in self.by_name:
            self.by_name[name] = {}  # a schema that contains itself refers to this entry
            self.by_name[name] = make()
        return {"$ref": f"{self._prefix}{name}"}

    def _patch(self, schema: Schema) -> JsonSchema:
        whole = self._mapping(schema, _name(schema), self._patch_field)
        return {word: value for word, value in whole.items() if word != "required"}

    def _mapping(
        self,
        schema: Schema,
        subject: str,
        schema_of: Callable[[fields.Field[Any]], JsonSchema],
        optional: frozenset[str] = frozenset(),
    ) -> JsonSchema:
        properties, required = {}, []
        given = schema.given_by_position if isinstance(schema, FileSchema) else frozenset()
        for name, field in schema.fields.items():
            key = str(field.data_key)
            is_required = field.required and name not in given and key not in optional
            inner = schema_of(field)
            properties[key] = described(subject, key, inner if is_required else _or_absent(field, inner))
            if is_required:
                required.append(key)
        mapping: JsonSchema = {"type": "object", "properties": properties}
        if required:
            mapping["required"] = required
        if not isinstance(schema, FileSchema) or schema.refuses_unknown_keys:
            mapping["additionalProperties"] = False
        return mapping

    def _field(self, field: fields.Field[Any]) -> JsonSchema:
        match field:
            case Scalar():
                return value_schema(field.read)
            case Item():
                return self.reference(field.item_schema)
            case Items():
                return {"type": "array", "items": self._field(field.inner)}
            case KeyedMapping():
                return _keyed(field, self._field(field.inner))
            case ConditionNode():
                return self._named("ConditionNode", self._condition_node)
        raise TypeError(f"No JSON Schema is known for {type(field).__name__}.")

    def _patch_field(self, field: fields.Field[Any]) -> JsonSchema:
        match field:
            case Item():
                return self.patch_reference(field.item_schema)
            case KeyedMapping():
                return _keyed(field, self._patch_field(field.inner))
        return self._field(field)

    def _condition_node(self) -> JsonSchema:
        """Define a node of the condition graph. The keys of a known type are checked; a node of an unknown type may have any
        keys."""
        known = [
            self._node_of(kind, type_, self._mapping(schema, f"{kind} {type_}", self._field))
            for (kind, type_), schema in KNOWN_SCHEMAS.items()
        ]
        group = self._node_of(GROUP, None, self._mapping(GROUP_SCHEMA, GROUP, self._field))
        anything = self._mapping(UNKNOWN_SCHEMA, "ConditionNode", self._field)
        anything["properties"]["kind"] = described(
            "ConditionNode", "kind", _suggested([CONDITION, GROUP, ACTION], value_schema(scalars.name))
        )
        anything["properties"]["type"] = described(
            "ConditionNode", "type", _suggested([type_ for _, type_ in KNOWN_SCHEMAS], {})
        )
        return anything | {"allOf": [_TYPED_NODE, group, *known]}

    def _node_of(self, kind: str, type_: str | None, mapping: JsonSchema) -> JsonSchema:
        name = f"{kind}-{type_}" if type_ else kind
        chosen = {"kind": {"const": kind}} | ({"type": {"const": type_}} if type_ else {})
        condition = {"properties": chosen, "required": list(chosen)}
        return {"if": condition, "then": self._named(name, lambda: mapping)}


def _name(schema: Schema) -> str:
    return type(schema).__name__.removesuffix("Schema")


def _keyed(field: KeyedMapping, inner: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": key_schema(field.read_key), "additionalProperties": nullable(inner)}


def _or_absent(field: fields.Field[Any], schema: JsonSchema) -> JsonSchema:
    """Extend the schema with the values that count as absent: null, and an empty mapping where the format treats it as null."""
    if isinstance(field, Item) and field.allow_none:
        return {"anyOf": [schema, {"type": ["object", "null"], "maxProperties": 0}]}
    return nullable(schema)


def _suggested(words: list[str], others: JsonSchema) -> JsonSchema:
    """Extend a schema with suggested words, which an editor offers; any value that `others` allows stays valid."""
    return {"anyOf": [{"enum": words}, others]}


_TYPED_NODE: JsonSchema = {
    "if": {"properties": {"kind": {"enum": [CONDITION, ACTION]}}, "required": ["kind"]},
    "then": {"properties": {"type": value_schema(scalars.name)}, "required": ["type"]},
}
"""The rule that every condition and every action has a type, which is text."""
