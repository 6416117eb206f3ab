"""Where live platforms tell what changed. Outside the base path: the signature of the body is the key."""

from aiohttp import web

from bundlesvc.api.app_keys import WEBHOOK_MEMORY, WEBHOOKS
from bundlesvc.api.endpoint import OPERATIONS, Endpoint, Parameter
from bundlesvc.api.responses.operations import HealthSchema

MAX_WEBHOOK_BYTES = 8 * 1024 * 1024
"""A product with two thousand variants takes some megabytes."""


async def receive(request: web.Request) -> web.Response:
    """Answered as soon as it is on disk; every process acts on it within a second or two. What its headers rule out is
    refused before the body is read, and the signature is computed while it comes."""
    inbox = request.app[WEBHOOKS]
    incoming = await inbox.expect(request.match_info["shop"], request.headers)
    await request.app[WEBHOOK_MEMORY].receive(request, MAX_WEBHOOK_BYTES, incoming.message.feed)
    await inbox.receive(incoming)
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
    errors=(
        "signature_invalid",
        "invalid_json",
        "invalid_request",
        "body_too_large",
        "body_too_slow",
        "storage_unavailable",
    ),
    tag=OPERATIONS,
    public=True,
)
