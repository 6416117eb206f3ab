"""The handlers that publish, schedule and unschedule revisions."""

from typing import Any

from aiohttp import web

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.manage.revisions.app_keys import PUBLISHING
from bundlesvc.api.manage.revisions.parsing import draft_number, seen_tags, write
from bundlesvc.api.manage.revisions.rendering import revision_response
from bundlesvc.api.manage.revisions.requests import PublicationSchema
from bundlesvc.api.requests.parsing import load_object
from bundlesvc.domain.revisions.revision import Act, Revision


async def publish(request: web.Request) -> web.Response:
    number, seen, tenant = draft_number(request), seen_tags(request), request[CALLER].tenant
    publishing = request.app[PUBLISHING]

    async def change(act: Act, body: dict[str, Any]) -> Revision:
        sent = load_object(body, PublicationSchema())
        message, publish_at = sent.get("message"), sent.get("publishAt")
        if publish_at is None:
            return await publishing.publish(tenant, act, number, seen, message)
        return await publishing.schedule(tenant, act, number, seen, message, publish_at)

    return await write(request, change, revision_response)


async def unschedule(request: web.Request) -> web.Response:
    number, seen = draft_number(request), seen_tags(request)

    async def change(act: Act, _: dict[str, Any]) -> Revision:
        return await request.app[PUBLISHING].unschedule(request[CALLER].tenant, act, number, seen)

    return await write(request, change, revision_response)
