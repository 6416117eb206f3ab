"""The OpenAPI document of the management API."""

from dataclasses import replace
from functools import cached_property

import orjson
from aiohttp import web

from bundlesvc.api.manage.part import Part

DOCUMENT_PATH = "/openapi/manage.json"

DESCRIPTION = """For the servers of one shop: what becomes of its bundles.

Every request needs `Authorization: Bearer <API_KEY>`, a key with the scope that the endpoint names. Errors are JSON of one shape.
A 400 names every fault at once."""


class ManageDocument:
    """The document of all mounted parts, made when it is first requested to keep the start fast."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._parts: list[Part] = []

    def add(self, part: Part) -> None:
        """Describe a part."""
        self._parts.append(part)

    @cached_property
    def body(self) -> bytes:
        """The document, as JSON."""
        from bundlesvc.api.openapi import CORE_ERRORS, About, openapi_document  # noqa: PLC0415 - slow to import

        errors = CORE_ERRORS.with_refusals(*(refusal for part in self._parts for refusal in part.refusals))
        tags = tuple({"name": part.tag, "description": part.description} for part in self._parts)
        about = About("bundlesvc management API", DESCRIPTION, tags, errors)
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
        for part in self._parts:
            document["components"]["schemas"]["Error"]["properties"] |= part.error_fields
        return orjson.dumps(document)

    async def respond(self, _: web.Request) -> web.Response:
        """Respond with the document. Any page may read it: it contains nothing about a shop."""
        headers = {"Access-Control-Allow-Origin": "*"}
        return web.Response(body=self.body, content_type="application/json", headers=headers)
