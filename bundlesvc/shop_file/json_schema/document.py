"""Generates the JSON Schema of a shop file from the schemas that read it.

An editor reads YAML by itself and knows numbers and booleans, where the format has text. So a single value may be of any type
that is written in the way the format reads. What concerns several values at a time (references, sums, duplicate ids) is left
to `bundlesvc load`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from marshmallow import Schema, fields

from bundlesvc.domain.conditions.graph import ACTION, CONDITION, GROUP
from bundlesvc.shop_file.bundle_format import BundleSchema
from bundlesvc.shop_file.conditions import GROUP_SCHEMA, KNOWN_SCHEMAS, UNKNOWN_SCHEMA, ConditionNode
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, Keyed, Scalar
from bundlesvc.shop_file.json_schema.descriptions import described
from bundlesvc.shop_file.json_schema.single_values import key_schema, nullable, value_schema
from bundlesvc.shop_file.shop_format import ExperimentSchema, MarketSchema, ProductSchema, ShopSchema

JsonSchema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ID = "urn:bundlesvc:shop-file:1"

_LISTS: dict[str, type[FileSchema]] = {
    "markets": MarketSchema,
    "products": ProductSchema,
    "bundles": BundleSchema,
    "experiments": ExperimentSchema,
}


def shop_file_schema() -> JsonSchema:
    """The schema of a whole shop file (JSON Schema 2020-12)."""
    definitions = _Definitions()
    lists = {
        key: described("shop file", key, nullable({"type": "array", "items": definitions.reference(schema())}))
        for key, schema in _LISTS.items()
    }
    shop = described("shop file", "shop", definitions.reference(ShopSchema()))
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "A shop file of bundlesvc",
        "description": "One shop: its settings, markets, products, bundles and experiments.",
        "type": "object",
        "properties": {"shop": shop, **lists},
        "required": ["shop"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.by_name.items())),
    }


class _Definitions:
    """The definitions of the document, by name: one for each schema, added when something first refers to it."""

    def __init__(self) -> None:
        self.by_name: dict[str, JsonSchema] = {}

    def reference(self, schema: Schema) -> JsonSchema:
        """A reference to the definition of a schema of the format."""
        return self._named(_name(schema), lambda: self._mapping(schema, _name(schema)))

    def _named(self, name: str, make: Callable[[], JsonSchema]) -> JsonSchema:
        if name not in self.by_name:
            self.by_name[name] = {}  # a schema that contains itself refers to this one
            self.by_name[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    def _mapping(self, schema: Schema, subject: str) -> JsonSchema:
        properties, required = {}, []
        given = schema.given_by_place if isinstance(schema, FileSchema) else frozenset()
        for name, field in schema.fields.items():
            is_required = field.required and name not in given
            key = str(field.data_key)
            inner = self._field(field)
            properties[key] = described(subject, key, inner if is_required else nullable(inner))
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
            case Keyed():
                inner = nullable(self._field(field.inner))
                return {"type": "object", "propertyNames": key_schema(field.read_key), "additionalProperties": inner}
            case ConditionNode():
                return self._named("ConditionNode", self._condition_node)
        raise TypeError(f"No JSON Schema is known for {type(field).__name__}.")

    def _condition_node(self) -> JsonSchema:
        """A node of the graph. The keys of a known type are checked; a node of an unknown type may have any."""
        known = [
            self._node_of(kind, type_, self._mapping(schema, f"{kind} {type_}"))
            for (kind, type_), schema in KNOWN_SCHEMAS.items()
        ]
        group = self._node_of(GROUP, None, self._mapping(GROUP_SCHEMA, GROUP))
        anything = self._mapping(UNKNOWN_SCHEMA, "ConditionNode")
        anything["properties"]["kind"] = described("ConditionNode", "kind", _suggested([CONDITION, GROUP, ACTION]))
        anything["properties"]["type"] = described(
            "ConditionNode", "type", _suggested([type_ for _, type_ in KNOWN_SCHEMAS])
        )
        return anything | {"allOf": [group, *known]}

    def _node_of(self, kind: str, type_: str | None, mapping: JsonSchema) -> JsonSchema:
        name = f"{kind}-{type_}" if type_ else kind
        chosen = {"kind": {"const": kind}} | ({"type": {"const": type_}} if type_ else {})
        condition = {"properties": chosen, "required": list(chosen)}
        return {"if": condition, "then": self._named(name, lambda: mapping)}


def _name(schema: Schema) -> str:
    return type(schema).__name__.removesuffix("Schema")


def _suggested(words: list[str]) -> JsonSchema:
    """Any text; an editor offers these words."""
    return {"anyOf": [{"enum": words}, {"type": "string"}]}
