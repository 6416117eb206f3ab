"""The endpoint that configures a selection, shared by the main API and the embed API."""

from functools import partial

from aiohttp import web

from bundlesvc.api.app_keys import BUNDLES, CONFIGURE_BUNDLE
from bundlesvc.api.posts.idempotency import idempotency_key, replay_response
from bundlesvc.api.posts.request import PostRequest
from bundlesvc.api.requests.parsing import BodyOrError, body_digest
from bundlesvc.api.requests.schemas import configure_request
from bundlesvc.api.responses import rendering
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse


async def configure(request: PostRequest) -> bytes | web.StreamResponse:
    """Configure a selection. The checks follow docs/contract.md#order-of-checks: Idempotency-Key, stored response, bundle, body.
    Raises the error of the first check that fails."""
    sent_key = idempotency_key(request.sent)  # an invalid key is refused before the body has arrived
    content = request.body if isinstance(request.body, bytes) else await request.body()
    if sent_key is None:
        return (await _configure(request, content, None)).body
    sent, caller = request.sent, request.caller
    key = IdempotencyKey(caller.key.test, sent.method, sent.path, sent_key, body_digest(content))
    response = await request.app[CONFIGURE_BUNDLE].once(caller, key, partial(_configure, request, content, key))
    return replay_response(response.body) if response.replayed else response.body


async def _configure(request: PostRequest, content: BodyOrError, key: IdempotencyKey | None) -> StoredResponse:
    """Configure the bundle of a request, and store the response under the idempotency key, if there is one."""
    bundle = await request.app[BUNDLES].find(request.caller, request.path_id)
    selection = configure_request(content)
    return await request.app[CONFIGURE_BUNDLE].configure(
        request.caller, bundle, selection, key, rendering.configure_result, request.deadline
    )
