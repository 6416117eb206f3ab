"""The JSON Schemas of single values: for each `Reader` function of the shop file, a schema of the values that it accepts, with
the types that these values have after an editor has parsed the file."""

from typing import Any

from bundlesvc.domain.identifiers import MAX_ID, country_pattern
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.scalars import OneOf, Reader, Text, WholeNumber

_TEXT_TYPES = ["string", "number", "boolean"]


def _text(limit: int) -> dict[str, Any]:
    return {"type": _TEXT_TYPES, "maxLength": limit}


def _id(*prefixes: str) -> dict[str, Any]:
    prefix = f"({'|'.join(prefixes)})?" if prefixes else ""
    pattern = f"^{prefix}[1-9][0-9]{{0,{len(str(MAX_ID)) - 1}}}$"
    return {"type": ["integer", "string"], "minimum": 1, "maximum": MAX_ID, "pattern": pattern}


def _number(decimals: int, sign: str = "", **bounds: float) -> dict[str, Any]:
    pattern = f"^{sign}[0-9]+(\\.[0-9]{{1,{decimals}}})?$"
    return {"type": ["number", "string"], "pattern": pattern} | bounds


_AMOUNT = _number(2, minimum=0)
_FLAG = {"type": ["boolean", "string"], "pattern": "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$"}
_HANDLE = "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
_HOST_NAME = r"^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"

_NAMED: dict[Reader[Any], dict[str, Any]] = {
    scalars.name: _text(scalars.SHORT) | {"pattern": r"\S"},
    scalars.flag: _FLAG,
    scalars.number_id: _id(),
    scalars.product_id: _id("gid://platform/Product/"),
    scalars.product_id_text: _id("gid://platform/Product/"),
    scalars.variant_id: _id("gid://platform/ProductVariant/"),
    scalars.variant_id_text: _id("gid://platform/ProductVariant/"),
    scalars.own_variant_id: _id("gid://platform/ProductVariant/"),
    scalars.amount: _AMOUNT,
    scalars.amount_text: _AMOUNT,
    scalars.percentage: _AMOUNT | {"maximum": 100},
    scalars.number_text: _number(12, minimum=0),
    scalars.positive_number: _number(12, exclusiveMinimum=0),
    scalars.exchange_rate: _number(12, exclusiveMinimum=0),
    scalars.price_adjustment: _number(12, "-?", exclusiveMinimum=-100),
    scalars.country: {"type": "string", "pattern": country_pattern()},
    scalars.currency: {"type": "string", "pattern": "^[A-Z]{3}$"},
    scalars.language_tag: {"type": "string", "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"},
    scalars.local_time: {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?$"},
    scalars.timezone: {"type": "string", "minLength": 1},
    scalars.shop_handle: {"type": _TEXT_TYPES, "pattern": _HANDLE},
    scalars.host_name: {"type": "string", "pattern": _HOST_NAME},
    scalars.money_format: {"type": "string", "pattern": r"\{\{\s*amount\w*\s*\}\}", "maxLength": scalars.SHORT},
}


def value_schema(read: Reader[Any]) -> dict[str, Any]:
    """Return the schema of a value that `read` converts. Raises KeyError for a reader for which this module defines no schema."""
    match read:
        case OneOf(allowed):
            return {"enum": list(allowed)}
        case Text(limit):
            return _text(limit)
        case WholeNumber(minimum):
            bounds = {} if minimum is None else {"minimum": minimum}
            return {"type": ["integer", "string"], "pattern": "^-?[0-9]+$"} | bounds
        case _:
            return dict(_NAMED[read])


def key_schema(read: Reader[Any]) -> dict[str, Any]:
    """Return the schema of a mapping's keys, which are always strings."""
    return {key: value for key, value in value_schema(read).items() if key in ("enum", "pattern", "maxLength")}


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Extend the schema so that it also allows null, which counts as absent."""
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return schema | {"type": [*types, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
