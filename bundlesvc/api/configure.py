"""The configure handler, which the main API and the embed API share."""

from aiohttp import web

from bundlesvc.api import rendering
from bundlesvc.api.app_keys import BUNDLES, CALLER, CONFIGURE_BUNDLE, DEADLINE
from bundlesvc.api.parsing import body_digest, idempotency_key, path_id, read_body
from bundlesvc.api.posted import Posted, replayed
from bundlesvc.api.requests import configure_request
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse


async def configure(request: web.Request) -> web.Response:
    """Check in the order of docs/contract.md#order-of-checks: path id, Idempotency-Key, stored response, bundle, body."""
    caller = request[CALLER]
    bundle_id = path_id(request)
    sent_key = idempotency_key(request)
    body = await read_body(request)
    stored_key = sent_key and IdempotencyKey(caller.key.test, request.method, request.path, sent_key, body_digest(body))
    configure_bundle = request.app[CONFIGURE_BUNDLE]
    response: StoredResponse | None = None
    if stored_key:
        response = await configure_bundle.stored_response(caller, stored_key)
    if response is None:
        bundle = await request.app[BUNDLES].find(caller, bundle_id)
        selection = configure_request(body)
        response = await configure_bundle.configure(
            caller, bundle, selection, stored_key or None, rendering.configured, request[DEADLINE]
        )
    return replayed(response.body) if response.replayed else Posted(response.body)
