"""The OpenAPI document of the management API."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import orjson
from aiohttp import web

from bundlesvc.api.manage.part import Part

DOCUMENT_PATH = "/openapi/manage.json"

DESCRIPTION = """For the servers of one shop. Covers everything that happens to the shop's bundles.

Every request needs `Authorization: Bearer <API_KEY>`, with a key that has the scope named by the endpoint. All errors are
JSON objects of the same form. A 400 response lists every fault."""


class ManageDocument:
    """The OpenAPI document of all mounted parts of the management API, built on the first request to keep start-up fast."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._parts: list[Part] = []

    def add(self, part: Part) -> None:
        """Add a part to the document."""
        self._parts.append(part)

    @cached_property
    def body(self) -> bytes:
        """The document as JSON."""
        from bundlesvc.api.openapi.document import CORE_ERRORS, ApiInfo, openapi_document  # noqa: PLC0415 - slow to import

        errors = CORE_ERRORS.with_refusals(*(refusal for part in self._parts for refusal in part.refusals))
        tags = tuple({"name": part.tag, "description": part.description} for part in self._parts)
        names = {schema: name for part in self._parts for schema, name in part.names.items()}
        about = ApiInfo("bundlesvc management API", DESCRIPTION, tags, errors, names)
        endpoints = [
            replace(
                each,
                path=f"{self._path}{each.path}",
                description=f"{each.description} The key needs the scope `{scope}`.",
            )
            for part in self._parts
            for scope, each in part.rows()
        ]
        document = openapi_document("", endpoints, about)
        schemas = _schemas_with(document["components"]["schemas"], self._parts)
        return orjson.dumps({**document, "components": {**document["components"], "schemas": schemas}})

    async def respond(self, _: web.Request) -> web.Response:
        """Respond with the document. Any website may read it: it contains nothing about a shop."""
        headers = {"Access-Control-Allow-Origin": "*"}
        return web.Response(body=self.body, content_type="application/json", headers=headers)


def _schemas_with(schemas: Mapping[str, Any], parts: Iterable[Part]) -> dict[str, Any]:
    """Merge the schemas with those that the parts add. Raises ValueError when two schemas have the same name; rename one of them
    in `Part.names`."""
    error = dict(schemas["Error"]["properties"])
    made = {**schemas, "Error": {**schemas["Error"], "properties": error}}
    for part in parts:
        error |= part.error_fields
        components = part.components()
        if twice := made.keys() & components.keys():
            raise ValueError(f"Several schemas have the same name: {', '.join(sorted(twice))}.")
        made |= components
    return made
