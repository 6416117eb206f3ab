"""Configure, which the main API and the embed API share."""

from aiohttp import web

from bundlesvc.api.app_keys import BUNDLES, CONFIGURE_BUNDLE
from bundlesvc.api.posts.idempotency import idempotency_key, replay_response
from bundlesvc.api.posts.request import PostRequest
from bundlesvc.api.requests.parsing import body_digest
from bundlesvc.api.requests.schemas import configure_request
from bundlesvc.api.responses import rendering
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse


async def configure(request: PostRequest) -> bytes | web.StreamResponse:
    """Check in the order of docs/contract.md#order-of-checks: Idempotency-Key, stored response, bundle, body. Raises the error
    of the first check that fails."""
    app, bundle_id, caller, sent, body, deadline = request
    sent_key = idempotency_key(sent)  # an invalid key is refused before the body has arrived
    content = body if isinstance(body, bytes) else await body()
    stored_key = sent_key and IdempotencyKey(caller.key.test, sent.method, sent.path, sent_key, body_digest(content))
    configure_bundle = app[CONFIGURE_BUNDLE]
    response: StoredResponse | None = None
    if stored_key:
        response = await configure_bundle.stored_response(caller, stored_key)
    if response is None:
        bundle = await app[BUNDLES].find(caller, bundle_id)
        selection = configure_request(content)
        response = await configure_bundle.configure(
            caller, bundle, selection, stored_key or None, rendering.configure_result, deadline
        )
    return replay_response(response.body) if response.replayed else response.body
