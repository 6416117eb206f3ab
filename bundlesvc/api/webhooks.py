"""Receives webhooks from live platforms. The routes are outside the base path, and requests are authenticated by the signature of
the body, not by a key."""

from aiohttp import web

from bundlesvc.api.app_keys import WEBHOOK_MEMORY, WEBHOOKS
from bundlesvc.api.bodies.memory import Sender
from bundlesvc.api.bodies.reading import receive_body
from bundlesvc.api.endpoint import OPERATIONS, Endpoint, Parameter
from bundlesvc.api.responses.health import HealthSchema
from bundlesvc.api.visitors import VISITORS

MAX_WEBHOOK_BYTES = 8 * 1024 * 1024
"""The maximum size of a webhook, in bytes. The webhook for a product with thousands of variants takes several megabytes."""


async def receive(request: web.Request) -> web.Response:
    """Receive a webhook, and respond once it is on disk. Every process acts on the webhook shortly afterwards. Invalid headers
    are refused before the body is read, and the signature is computed while the body arrives."""
    inbox = request.app[WEBHOOKS]
    incoming = await inbox.expect(request.match_info.get("shop"), request.headers)

    def sender(request: web.Request) -> Sender:
        return Sender(request.app[VISITORS].of(request.remote, request.headers), incoming.shop_ids)

    await receive_body(request, request.app[WEBHOOK_MEMORY], sender, MAX_WEBHOOK_BYTES, incoming.feed)
    await inbox.receive(incoming)
    return web.json_response({"status": "ok"})


_ERRORS = (
    "signature_invalid",
    "invalid_json",
    "invalid_request",
    "body_too_large",
    "body_too_slow",
    "storage_unavailable",
)

WEBHOOK = Endpoint(
    "POST",
    "/webhooks/platform/{shop}",
    receive,
    name="webhook",
    summary="Receive a webhook",
    description="A live platform calls this endpoint when its data changes. A delivery may arrive more than once. The body is "
    "signed with the app's secret.",
    response=HealthSchema(),
    parameters=(Parameter("shop", "path", "The shop's handle.", "demo"),),
    errors=_ERRORS,
    tag=OPERATIONS,
    public=True,
)

APP_WEBHOOK = Endpoint(
    "POST",
    "/webhooks/platform",
    receive,
    name="app_webhook",
    summary="Receive a webhook for any shop of an app",
    description="Like `/webhooks/platform/{shop}`, but for all shops of an app: a header names the shop's domain. Platforms also "
    "send their requests about shoppers' data here.",
    response=HealthSchema(),
    errors=_ERRORS,
    tag=OPERATIONS,
    public=True,
)
