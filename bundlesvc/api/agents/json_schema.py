"""JSON Schemas (2020-12) of arguments and results, generated from the marshmallow schemas that load and describe them."""

from typing import Any

from marshmallow import Schema


def schema_of(schema: Schema) -> dict[str, Any]:
    """Return the self-contained JSON Schema of a marshmallow schema, without examples."""
    from apispec import APISpec  # noqa: PLC0415 - only the list of tools needs it
    from apispec.ext.marshmallow import MarshmallowPlugin  # noqa: PLC0415

    from bundlesvc.api.openapi.document import OPENAPI_VERSION  # noqa: PLC0415

    plugin = MarshmallowPlugin(schema_name_resolver=lambda _: "")  # without a name, a schema is written inline
    APISpec("", "", OPENAPI_VERSION, plugins=[plugin])
    made = plugin.converter.schema2jsonschema(schema)  # type: ignore[union-attr] # set by init_spec
    return {"type": "object", **_without_examples(made)}


def _without_examples(schema: Any) -> Any:
    """Copy a JSON Schema without `example`, a keyword that only OpenAPI defines."""
    if isinstance(schema, dict):
        return {key: _without_examples(value) for key, value in schema.items() if key != "example"}
    return [_without_examples(each) for each in schema] if isinstance(schema, list | tuple) else schema
