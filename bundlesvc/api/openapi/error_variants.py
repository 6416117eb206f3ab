"""Variants of the error and detail schemas, distinguished by `code`, which determines the other fields."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Any

from bundlesvc.api.responses.errors import DETAIL_FIELDS

_DETAIL = {"$ref": "#/components/schemas/Detail"}
_NO_FIELDS: Mapping[str, Any] = {}


FaultCodes = Mapping[str, Iterable[str]]
"""The codes that details can have, by the code of their error."""


def add_variants(schemas: dict[str, Any], codes: Collection[str], fault_codes: FaultCodes) -> None:
    """Add the variants, which differ in `code`, to the `Error` and `Detail` schemas, and list the possible codes in each of these
    schemas."""
    detail_codes = sorted({*chain.from_iterable(fault_codes.values())})
    schemas["Detail"]["properties"]["code"]["enum"] = detail_codes
    schemas["Error"]["properties"]["code"]["enum"] = list(codes)
    schemas["Detail"]["oneOf"] = _detail_variants(schemas["Detail"]["properties"], detail_codes)
    schemas["Error"]["oneOf"] = _error_variants(codes, fault_codes)


def _detail_variants(properties: Mapping[str, Any], detail_codes: Iterable[str]) -> list[dict[str, Any]]:
    """Return the schema variants for the details of errors. Codes whose details have the same required fields share a variant."""
    codes: dict[tuple[str, ...], list[str]] = {}
    for code in detail_codes:
        codes.setdefault(DETAIL_FIELDS.get(code, ()), []).append(code)
    return [_variant(own, {name: _bare(properties[name]) for name in names}) for names, own in codes.items()]


def _error_variants(codes: Collection[str], fault_codes: FaultCodes) -> list[dict[str, Any]]:
    """Return one variant for each code that has details, and one for all other codes."""
    with_details = [code for code in codes if fault_codes.get(code)]
    return [
        *(_variant([code], optional={"details": _details(fault_codes[code])}) for code in with_details),
        _variant([code for code in codes if code not in with_details]),
    ]


def _details(codes: Iterable[str]) -> dict[str, Any]:
    return {"type": "array", "items": {"allOf": [_DETAIL, _variant(codes)]}}


def _variant(
    codes: Iterable[str], required: Mapping[str, Any] = _NO_FIELDS, optional: Mapping[str, Any] = _NO_FIELDS
) -> dict[str, Any]:
    """Return the schema of one variant of an error or a detail, with the possible codes and the fields that belong to them."""
    return {
        "type": "object",
        "properties": {"code": {"type": "string", "enum": list(codes)}, **required, **optional},
        "required": ["code", *required],
    }


def _bare(field: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the schema of a field without its description and example, which the full schema already contains."""
    return {name: value for name, value in field.items() if name not in ("description", "example")}
