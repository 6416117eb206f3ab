"""The OpenAPI document of the management API."""

from dataclasses import replace
from functools import cached_property

import orjson
from aiohttp import web

DOCUMENT_PATH = "/openapi/orders.json"

DESCRIPTION = """Orders of one shop: whether each bundle was charged as promised, and what parts are worth when they come back.

Every request needs `Authorization: Bearer <API_KEY>`, a key with the scope `orders`. Amounts are strings with all decimals of the
order's currency. Errors are JSON of one shape. A 400 names every fault at once."""


class ManageDocument:
    """The document, made when it is first requested to keep the start fast."""

    @cached_property
    def body(self) -> bytes:
        from bundlesvc.api.manage.routes import ENDPOINTS, MANAGE_PATH, TAG  # noqa: PLC0415 - the routes serve the document
        from bundlesvc.api.openapi import CORE_ERRORS, About, openapi_document  # noqa: PLC0415 - slow to import
        from bundlesvc.domain.orders.refusals import OrderInvalid, OrderVersionReused, RefundInvalid  # noqa: PLC0415

        errors = CORE_ERRORS.with_refusals(
            (OrderInvalid, {"path": "rate", "code": "rate_required", "message": "An order in CHF needs its rate."}),
            (RefundInvalid, {"path": "lines.0.line", "code": "unknown_line", "message": "The order has no line 7."}),
            (OrderVersionReused, {}),
        )
        tags = ({"name": TAG, "description": "For servers of the shop."},)
        about = About("bundlesvc management API", DESCRIPTION, tags, errors)
        paths = [replace(each, path=f"{MANAGE_PATH}{each.path}") for each in ENDPOINTS]
        return orjson.dumps(openapi_document("", paths, about))


async def document(request: web.Request) -> web.Response:
    """Respond with the document. Any page may read it: it contains nothing about a shop."""
    headers = {"Access-Control-Allow-Origin": "*"}
    return web.Response(body=request.app[DOCUMENT].body, content_type="application/json", headers=headers)


DOCUMENT = web.AppKey("manage_document", ManageDocument)
