"""The configure handler, which the main API and the embed API share."""

from collections.abc import Awaitable, Callable
from functools import partial

from aiohttp import web

from bundlesvc.api import rendering
from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.app_keys import BUNDLES, CALLER, CONFIGURE_BUNDLE, DEADLINE
from bundlesvc.api.body_limits import SELECTION_BYTES
from bundlesvc.api.post_response import Posted, replayed
from bundlesvc.api.requests.parsing import Body, body_digest, idempotency_key, path_id, read_body
from bundlesvc.api.requests.schemas import configure_request
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.request_deadline import RequestDeadline


async def configure(request: web.Request) -> web.Response:
    """Check in the order of docs/contract.md#order-of-checks: path id, Idempotency-Key, stored response, bundle, body."""
    bundle_id, read = path_id(request), partial(read_body, request, SELECTION_BYTES)
    return await configured(request.app, bundle_id, request[CALLER], request, read, request[DEADLINE])


async def configured(
    app: web.Application,
    bundle_id: int,
    caller: Caller,
    sent: web.Request | RawRequestMessage,
    body: bytes | Callable[[], Awaitable[Body]],
    deadline: RequestDeadline,
) -> web.Response:
    """The response to a request whose body is there, or is yet to be read. Raises the error of the first check that fails."""
    sent_key = idempotency_key(sent)  # an invalid one is refused before the body has come
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
            caller, bundle, selection, stored_key or None, rendering.configured, deadline
        )
    return replayed(response.body) if response.replayed else Posted(response.body)
