"""The handlers of the main API: each parses the request, calls one service and renders the result."""

import orjson
from aiohttp import web

from bundlesvc.api.app_keys import (
    BUNDLES,
    CALLER,
    CONFIGURED_SELECTIONS,
    DEADLINE,
    PRICE_SELECTION,
    PRODUCTS,
    RESPONSE_CACHE,
    SHOPS,
)
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.headless.lists import PARAMETERS, list_part
from bundlesvc.api.posts.request import PostRequest
from bundlesvc.api.requests.parsing import path_id, query_country
from bundlesvc.api.requests.schemas import price_request
from bundlesvc.api.response_cache.entry import RenderKey
from bundlesvc.api.response_cache.freshness import BUNDLE_FRESHNESS, PRODUCTS_FRESHNESS
from bundlesvc.api.responses import rendering
from bundlesvc.api.visitors import VISITORS
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.live_platform.reading import Reading


async def list_bundles(request: web.Request) -> web.Response:
    if request.query_string and not PARAMETERS.isdisjoint(request.query):
        return await list_part(request)
    caller = request[CALLER]

    async def render() -> Reading[object]:
        bundles = await request.app[BUNDLES].published(caller)
        return Reading([rendering.bundle_summary(bundle) for bundle in bundles])

    return await request.app[RESPONSE_CACHE].respond(
        request, caller.tenant, RenderKey("bundles"), BUNDLE_FRESHNESS, render
    )


async def get_bundle(request: web.Request) -> web.Response:
    caller = request[CALLER]
    bundle_id = path_id(request)

    async def render() -> Reading[object]:
        view = await request.app[BUNDLES].view(caller, bundle_id, request[DEADLINE])
        return Reading(rendering.bundle_whole(view, caller.tenant.shop.locale))

    key = RenderKey("bundle", bundle_id, test=caller.key.test)
    return await request.app[RESPONSE_CACHE].respond(request, caller.tenant, key, BUNDLE_FRESHNESS, render)


async def get_products(request: web.Request) -> web.Response:
    caller = request[CALLER]
    bundle_id = path_id(request)
    country = query_country(request)

    async def render() -> Reading[object]:
        bundle = await request.app[BUNDLES].find(caller, bundle_id)
        listed = await request.app[PRODUCTS].of_bundle(caller.tenant, bundle, country, request[DEADLINE])
        return Reading(rendering.products_of_bundle(listed.value), listed.age, listed.lifetime)

    key = RenderKey("products", bundle_id, country, caller.key.test)
    return await request.app[RESPONSE_CACHE].respond(request, caller.tenant, key, PRODUCTS_FRESHNESS, render)


async def get_settings(request: web.Request) -> web.Response:
    tenant = request[CALLER].tenant

    async def render() -> Reading[object]:
        return Reading(rendering.settings(tenant.shop, await request.app[SHOPS].settings(tenant, request[DEADLINE])))

    return await request.app[RESPONSE_CACHE].respond(request, tenant, RenderKey("settings"), BUNDLE_FRESHNESS, render)


async def price(request: PostRequest) -> bytes:
    app, caller = request.app, request.caller
    content = request.body if isinstance(request.body, bytes) else await request.body()
    bundle = await app[BUNDLES].find(caller, request.path_id)
    selection = price_request(content)
    pricing, presentment = await app[PRICE_SELECTION].price(caller.tenant, bundle, selection, request.deadline)
    return orjson.dumps(rendering.price(pricing, presentment))


async def read_configured(request: web.Request) -> web.Response:
    """Read a configured bundle. If the `id` or the unique id is malformed, the response is the same 404 as for an unknown one."""
    configured_bundle_id, unique_id = parse_id(request.match_info["id"]) or 0, request.query.get("unique", "")
    address = request.app[VISITORS].of(request.remote, request.headers)
    found = await request.app[CONFIGURED_SELECTIONS].read(
        request[CALLER], configured_bundle_id, unique_id, address, request[DEADLINE]
    )
    body = orjson.dumps(rendering.read_configured(found))
    return web.Response(
        body=body, content_type="application/json", charset="utf-8", headers={"Cache-Control": NO_STORE}
    )
