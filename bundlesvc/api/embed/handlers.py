"""The handlers of the embed API: each parses the request, calls one service and renders the result."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import orjson
from aiohttp import web

from bundlesvc.api.app_keys import (
    BUNDLES,
    CALLER,
    CONFIGURED_CONTENTS,
    DEADLINE,
    EMBED_BUNDLES,
    EMBED_PATH,
    OWN_ADDRESSES,
    RESPONSE_CACHE,
    SHOPS,
    STOCK_REMINDERS,
)
from bundlesvc.api.bodies.limits import CONTENT_BYTES, NOTIFY_BYTES
from bundlesvc.api.embed import rendering
from bundlesvc.api.embed.requests import (
    FRESH,
    ContentRequestSchema,
    NotifyRequestSchema,
    bundle_request,
    languages,
    note_available_languages,
)
from bundlesvc.api.embed.sharing import share
from bundlesvc.api.exposures import note_exposure
from bundlesvc.api.posts.response import PostResponse
from bundlesvc.api.requests.parsing import load_body, path_ids, read_body
from bundlesvc.api.response_cache.entry import SOURCE, RenderKey
from bundlesvc.api.response_cache.freshness import PRODUCTS_FRESHNESS
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import EMBEDDED

_CONTENT = ContentRequestSchema()
_NOTIFY = NotifyRequestSchema()


Write: TypeAlias = Callable[[rendering.Json, str | None], Awaitable[object]]
"""A function that builds the value of a response from the body of GET /bundle and the country."""


async def get_bundle(request: web.Request) -> web.Response:
    async def as_it_is(body: rendering.Json, country: str | None) -> object:
        return body

    return await respond_with_bundle(request, "embed-bundle", as_it_is)


async def respond_with_bundle(
    request: web.Request, route: str, write: Write, origin: str | None = None
) -> web.Response:
    """Respond with what `write` produces for the requested bundle. Pass the `origin` of the request when the response contains
    absolute URLs of this service."""
    caller = request[CALLER]
    wanted, country = bundle_request(request, caller.tenant.shop.templates)
    found = await request.app[EMBED_BUNDLES].find(caller, wanted, request[DEADLINE])
    shop = caller.tenant.shop
    own = rendering.own_languages(shop, found.bundle, wanted.languages)
    note_available_languages(
        request, found.available_languages, rendering.text_languages(), rendering.cadence_languages(shop, found.bundle)
    )
    note_exposure(request, found.served_arm, wanted.visitor_id)

    async def render() -> Reading[object]:
        view = await request.app[EMBED_BUNDLES].view(caller, found, country, request[DEADLINE])
        body = rendering.embed_bundle(found, view.value, request.app[EMBED_PATH], own)
        return Reading(await write(body, country), view.age, view.lifetime)

    if FRESH in request.query or (origin is not None and not request.app[OWN_ADDRESSES].is_cached(origin)):
        response = await request.app[RESPONSE_CACHE].respond_no_store(request, render)
        return _in_language(response, found.language)
    key = RenderKey(
        route,
        found.bundle.id,
        country,
        test=caller.key.test,
        language=f"{found.language} {own.texts} {own.cadences}",
        template=found.template,
        served_arm=f"{found.served_arm.experiment_id} {found.served_arm.arm}" if found.served_arm else "",
        origin=origin or "",
    )
    response = await request.app[RESPONSE_CACHE].respond(request, caller.tenant, key, PRODUCTS_FRESHNESS, render)
    if wanted.bundle_id is None and caller.tenant.shop.platform.kind != EMBEDDED:
        request.pop(SOURCE, None)  # handles on a live platform change without a new revision of the shop
    share(request, response, PRODUCTS_FRESHNESS)
    return _in_language(response, found.language)


async def get_settings(request: web.Request) -> web.Response:
    caller = request[CALLER]
    locale = rendering.text_language(caller.tenant.shop, languages(request))
    note_available_languages(request, rendering.text_languages())

    async def render() -> Reading[object]:
        settings = await request.app[SHOPS].settings(caller.tenant, request[DEADLINE])
        return Reading(rendering.embed_settings(caller.tenant.shop, settings, locale))

    key = RenderKey("embed-settings", language=locale)
    response = await request.app[RESPONSE_CACHE].respond(request, caller.tenant, key, PRODUCTS_FRESHNESS, render)
    share(request, response, PRODUCTS_FRESHNESS)
    return _in_language(response, locale)


async def get_variant(request: web.Request) -> web.Response:
    caller = request[CALLER]
    bundle_id, variant_id = path_ids(request, "id", "variantId")
    bundle = await request.app[BUNDLES].find(caller, bundle_id)
    items = await request.app[CONFIGURED_CONTENTS].items(caller.tenant, bundle, variant_id, request[DEADLINE])
    response = request.app[RESPONSE_CACHE].respond_uncached(
        request, caller.tenant, rendering.variant_items(items), PRODUCTS_FRESHNESS
    )
    return _varying_by_language(response)


async def content(request: web.Request) -> web.Response:
    wanted = load_body(await read_body(request, CONTENT_BYTES), _CONTENT)
    found = await request.app[CONFIGURED_CONTENTS].contents(request[CALLER].tenant, wanted["bundles"])
    return PostResponse(orjson.dumps(rendering.contents(found)))


async def notify(request: web.Request) -> web.Response:
    caller = request[CALLER]
    reminders = request.app[STOCK_REMINDERS]
    reminders.check_offered(caller.tenant)
    code = await reminders.register(
        caller, load_body(await read_body(request, NOTIFY_BYTES), _NOTIFY), request[DEADLINE]
    )
    return PostResponse(orjson.dumps({"message_code": code}))


def _in_language(response: web.Response, language: str) -> web.Response:
    response.headers["Content-Language"] = language
    return _varying_by_language(response)


def _varying_by_language(response: web.Response) -> web.Response:
    response.headers["Vary"] = f"{response.headers['Vary']}, Accept-Language"
    return response
