"""The handlers that change drafts."""

from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.manage.revisions.app_keys import DRAFTS
from bundlesvc.api.manage.revisions.parsing import draft_number, item_name, seen_tags, write
from bundlesvc.api.manage.revisions.rendering import item_response, revision_response
from bundlesvc.api.manage.revisions.requests import NewRevisionSchema
from bundlesvc.api.requests.parsing import load_object
from bundlesvc.domain.revisions.items import BUNDLES, THE_SHOP, ItemName
from bundlesvc.domain.revisions.plain import Plain
from bundlesvc.domain.revisions.revision import Act, Revision


async def create(request: web.Request) -> web.Response:
    async def change(act: Act, body: dict[str, Any]) -> Revision:
        sent = load_object(body, NewRevisionSchema())
        return await request.app[DRAFTS].create(request[CALLER].tenant, act, sent.get("message") or "")

    return await write(request, change, revision_response)


async def revert(request: web.Request) -> web.Response:
    number = draft_number(request)

    async def change(act: Act, body: dict[str, Any]) -> Revision:
        sent = load_object(body, NewRevisionSchema())
        return await request.app[DRAFTS].revert(request[CALLER].tenant, act, number, sent.get("message") or "")

    return await write(request, change, revision_response)


async def discard(request: web.Request) -> web.Response:
    number, seen = draft_number(request), seen_tags(request)

    async def change(act: Act, _: dict[str, Any]) -> Revision:
        return await request.app[DRAFTS].discard(request[CALLER].tenant, act, number, seen)

    return await write(request, change, revision_response)


async def add_bundle(request: web.Request) -> web.Response:
    number, seen = draft_number(request), seen_tags(request)

    async def change(act: Act, body: dict[str, Any]) -> tuple[Revision, Plain]:
        return await request.app[DRAFTS].add(request[CALLER].tenant, act, number, seen, body)

    return await write(request, change, item_response)


async def duplicate_bundle(request: web.Request) -> web.Response:
    number, seen = draft_number(request), seen_tags(request)
    item = item_name(BUNDLES, request.match_info["id"])

    async def change(act: Act, _: dict[str, Any]) -> tuple[Revision, Plain]:
        return await request.app[DRAFTS].duplicate(request[CALLER].tenant, act, number, seen, item)

    return await write(request, change, item_response)


def putting(kind: str) -> Handler:
    """Create the handler that adds or replaces items of this kind."""

    async def put(request: web.Request) -> web.Response:
        number, seen, item = draft_number(request), seen_tags(request), _named(kind, request)

        async def change(act: Act, body: dict[str, Any]) -> tuple[Revision, Plain]:
            return await request.app[DRAFTS].put(request[CALLER].tenant, act, number, seen, item, body)

        return await write(request, change, item_response)

    return put


def patching(kind: str) -> Handler:
    """Create the handler that applies a merge patch to an item of the given kind."""

    async def patch(request: web.Request) -> web.Response:
        number, seen, item = draft_number(request), seen_tags(request), _named(kind, request)

        async def change(act: Act, body: dict[str, Any]) -> tuple[Revision, Plain]:
            return await request.app[DRAFTS].patch(request[CALLER].tenant, act, number, seen, item, body)

        return await write(request, change, item_response)

    return patch


def deleting(kind: str) -> Handler:
    """Create the handler that deletes items of the given kind."""

    async def delete(request: web.Request) -> web.Response:
        number, seen, item = draft_number(request), seen_tags(request), _named(kind, request)

        async def change(act: Act, _: dict[str, Any]) -> Revision:
            return await request.app[DRAFTS].delete(request[CALLER].tenant, act, number, seen, item)

        return await write(request, change, revision_response)

    return delete


def _named(kind: str, request: web.Request) -> ItemName:
    return THE_SHOP if kind == THE_SHOP.kind else item_name(kind, request.match_info["id"])
