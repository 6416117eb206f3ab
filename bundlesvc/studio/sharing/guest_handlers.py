"""The handlers for guests who open a preview link. The secret is in the fragment of the link's address, so it appears in no log
and is sent to no other site. The page sends the secret as a bearer token."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from aiohttp import hdrs, web
from yarl import URL

from bundlesvc.api.app_keys import CALLER, DEADLINE, REQUEST_ID
from bundlesvc.api.errors import NO_STORE, json_error
from bundlesvc.api.manage.revisions.rendering import time_text
from bundlesvc.api.overload import waiting_of
from bundlesvc.api.visitors import VISITORS
from bundlesvc.domain.errors import InvalidRequest, RateLimited
from bundlesvc.domain.rate_limit import Bucket, decisive
from bundlesvc.domain.revisions.revision import LIVE, OPEN
from bundlesvc.ports import Buckets, TokenInvalid
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.studio.drafts.draft_api import BASE_PATH as DRAFT_PATH
from bundlesvc.studio.drafts.draft_api import DraftApi
from bundlesvc.studio.drafts.draft_previews import DraftPreviews, ShownDraft
from bundlesvc.studio.inner_calls import call
from bundlesvc.studio.own_page import is_own_page
from bundlesvc.studio.sharing.link_handlers import PREVIEW_LINKS, SHARED_PATH
from bundlesvc.studio.sharing.preview_links import SharedBundle

REQUESTS_PER_MINUTE = 300
"""The number of requests that each visitor may send per minute. Viewing a bundle takes about five requests."""

BEARER = "Bearer "

UNSEEN = {hdrs.CACHE_CONTROL: NO_STORE, "X-Robots-Tag": "noindex"}
"""Headers that keep a draft out of caches and search engines."""


@dataclass(frozen=True, slots=True)
class Guests:
    """The services that the handlers for guests use. A request waits up to `platform_timeout` seconds for live platforms."""

    previews: DraftPreviews
    buckets: Buckets
    platform_timeout: float


class OpenedLink(NamedTuple):
    """The bundle that a link shows, and the API that serves it."""

    shared: SharedBundle
    draft: DraftApi


GUESTS = web.AppKey("preview_guests", Guests)


async def read_link(request: web.Request) -> web.Response:
    """Respond with the shop, the bundle that the link shows, and the link's expiry time."""
    opened = await _opened(request)
    if isinstance(opened, web.Response):
        return opened
    (link, _, revision), content = opened.shared, opened.draft.content
    (bundle,) = content.bundles
    body = {
        "shop": content.shop.name,
        "locale": content.shop.locale,
        "languages": sorted(bundle.translations),
        "countries": [market.country_code for market in content.markets],
        "bundleId": bundle.id,
        "name": bundle.name,
        "author": link.actor,
        "time": link.time,
        "expiresAt": time_text(link.expires_at),
        "state": "draft" if revision.state in OPEN else "live" if revision.state == LIVE else "replaced",
    }
    return web.Response(body=orjson.dumps(body), content_type="application/json", headers=UNSEEN)


async def preview(request: web.Request) -> web.StreamResponse:
    """Respond to the component's request with the bundle as it is in the shared draft."""
    opened = await _opened(request)
    if isinstance(opened, web.Response):
        return opened
    rest = request.rel_url.raw_path.removeprefix(f"{SHARED_PATH}/preview/")
    query = request.rel_url.raw_query_string
    address = URL(f"{DRAFT_PATH}/{rest}?{query}" if query else f"{DRAFT_PATH}/{rest}", encoded=True)
    inner, timeout = request.clone(), request.app[GUESTS].platform_timeout
    inner[CALLER], inner[DEADLINE] = opened.draft.caller, RequestDeadline(timeout, waiting_of(request))
    response = await call(inner, opened.draft.app, address, request.headers)
    response.headers.update(UNSEEN)
    return response


async def _opened(request: web.Request) -> OpenedLink | web.Response:
    """Open the preview link in a request. Returns an error response if the link cannot be opened. Raises RateLimited, NotFound if
    the bundle does not exist, and ShopNotEnabled."""
    shared = await _shared(request)
    if isinstance(shared, web.Response):
        return shared
    links, (link, tenant, revision) = request.app[PREVIEW_LINKS], shared

    async def content() -> Mapping[str, Any]:
        return await links.content(shared)

    shown = ShownDraft(tenant.id, str(link.revision), f"{revision.tag}:{link.bundle_id}", link.time)
    try:
        return OpenedLink(shared, await request.app[GUESTS].previews.find(shown, tenant, content))
    except InvalidRequest:  # its details are about the whole draft, which the guest must not see
        sentence = "The draft has faults at the moment, so it cannot be shown. Tell whoever sent you the link."
        return json_error(HTTPStatus.CONFLICT, "draft_invalid", sentence, request[REQUEST_ID])


async def _shared(request: web.Request) -> SharedBundle | web.Response:
    """Find the bundle to which the preview link in a request gives access, or return an error response. Raises RateLimited."""
    if not is_own_page(request):
        sentence = "This request does not come from the page of a preview link. Open the link itself."
        return json_error(HTTPStatus.FORBIDDEN, "foreign_page", sentence, request[REQUEST_ID])
    await _pay(request)
    sent = request.headers.get(hdrs.AUTHORIZATION, "")
    try:
        shared = await request.app[PREVIEW_LINKS].find(sent.removeprefix(BEARER))
    except TokenInvalid:
        sentence = "There is no such preview link. Copy the whole address."
        return json_error(HTTPStatus.NOT_FOUND, "link_unknown", sentence, request[REQUEST_ID])
    if shared is None:
        sentence = "This preview link has ended. Ask whoever sent it for a new one."
        return json_error(HTTPStatus.GONE, "link_ended", sentence, request[REQUEST_ID])
    return shared


async def _pay(request: web.Request) -> None:
    visitor = request.app[VISITORS].of(request.remote, request.headers)
    bucket = Bucket("preview_link", f"{{visitor:{visitor}}}:preview_link", REQUESTS_PER_MINUTE)
    state = decisive(await request.app[GUESTS].buckets.take([bucket]))
    if not state.allowed:
        raise RateLimited(state.retry_after, state.kind)
