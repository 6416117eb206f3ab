"""Where live platforms tell what changed. Outside the base path: the signature of the body is the key."""

from aiohttp import web

from bundlesvc.api.endpoint import OPERATIONS, Endpoint, Parameter
from bundlesvc.api.keys import WEBHOOKS
from bundlesvc.api.parsing import read_body
from bundlesvc.api.responses import HealthSchema

MAX_WEBHOOK_BYTES = 8 * 1024 * 1024
"""A product with two thousand variants takes some megabytes."""


async def receive(request: web.Request) -> web.Response:
    """Answered as soon as it is on disk; every process acts on it within a second or two."""
    body = await read_body(request.clone(client_max_size=MAX_WEBHOOK_BYTES))
    if not isinstance(body, bytes):
        raise body
    await request.app[WEBHOOKS].receive(request.match_info["shop"], request.headers, body)
    return web.json_response({"status": "ok"})


WEBHOOK = Endpoint(
    "POST",
    "/webhooks/platform/{shop}",
    receive,
    name="webhook",
    summary="What the platform says has changed",
    description="Called by a live platform; a delivery may come more than once. The body is signed with the app's secret.",
    response=HealthSchema(),
    parameters=(Parameter("shop", "path", "The shop's handle.", "demo"),),
    errors=("signature_invalid", "invalid_json", "invalid_request", "body_too_large", "storage_unavailable"),
    tag=OPERATIONS,
    public=True,
)
