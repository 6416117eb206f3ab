"""The management API's handlers for preview links."""

from functools import cache
from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import web

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.manage.responses import json_response
from bundlesvc.api.manage.revisions.parsing import draft_number, write
from bundlesvc.api.requests.parsing import load_object, path_id
from bundlesvc.domain.revisions.preview_link import DAYS, NOW, PreviewLink
from bundlesvc.domain.revisions.revision import Act, Response
from bundlesvc.studio.sharing.preview_links import PreviewLinks
from bundlesvc.studio.sharing.requests import NewLinkSchema
from bundlesvc.studio.sharing.responses import link_body

SHARED_PATH = "/studio/shared"
PREVIEW_LINKS = web.AppKey("preview_links", PreviewLinks)


async def make_link(request: web.Request) -> web.Response:
    number, caller, links = draft_number(request), request[CALLER], request.app[PREVIEW_LINKS]

    async def change(act: Act, body: dict[str, Any]) -> PreviewLink:
        sent = load_object(body, NewLinkSchema())
        days, time = sent.get("days") or DAYS, sent.get("time") or NOW
        return await links.make(caller, act, number, sent["bundleId"], time, days)

    @cache  # the response that is stored for a retry must contain the same token
    def render(link: PreviewLink) -> Response:
        body = {**link_body(link), "address": f"{SHARED_PATH}#{links.token(caller.tenant, link)}"}
        return Response(HTTPStatus.OK, None, orjson.dumps(body))

    return await write(request, change, render)


async def list_links(request: web.Request) -> web.Response:
    found = await request.app[PREVIEW_LINKS].valid(request[CALLER].tenant)
    return json_response([*map(link_body, found)])


async def end_link(request: web.Request) -> web.Response:
    link_id, tenant = path_id(request), request[CALLER].tenant

    async def change(act: Act, _: dict[str, Any]) -> PreviewLink:
        return await request.app[PREVIEW_LINKS].end(tenant, act, link_id)

    def render(link: PreviewLink) -> Response:
        return Response(HTTPStatus.OK, None, orjson.dumps(link_body(link)))

    return await write(request, change, render)
