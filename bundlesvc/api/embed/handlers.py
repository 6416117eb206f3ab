"""The embed API's handlers: parse, call one service, render."""

from collections.abc import Sequence
from dataclasses import replace

import orjson
from aiohttp import web

from bundlesvc.api.app_keys import (
    BUNDLES,
    CALLER,
    CONFIGURED_CONTENTS,
    DEADLINE,
    EMBED_BUNDLES,
    EMBED_PATH,
    PLATFORM,
    PRODUCTS,
    RENDERED,
    STOCK_REMINDERS,
)
from bundlesvc.api.configure import posted
from bundlesvc.api.embed import rendering
from bundlesvc.api.embed.queries import bundle_request, languages
from bundlesvc.api.embed.requests import ContentRequestSchema, NotifyRequestSchema
from bundlesvc.api.embed.texts import texts_by_language, texts_in
from bundlesvc.api.parsing import load_body, path_ids, read_body
from bundlesvc.api.rendered import PRODUCTS_FRESHNESS, RenderKey
from bundlesvc.domain.caller import Caller
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.translation import translate_bundle, translate_product
from bundlesvc.services.embed_bundles import response_language

_CONTENT = ContentRequestSchema()
_NOTIFY = NotifyRequestSchema()


async def get_bundle(request: web.Request) -> web.Response:
    caller = request[CALLER]
    asked, country = bundle_request(request, caller.tenant.shop.templates)
    found = await request.app[EMBED_BUNDLES].find(caller, asked, request[DEADLINE])
    locale = _locale(caller, asked.languages)

    async def make() -> Reading[object]:
        tenant, deadline = caller.tenant, request[DEADLINE]
        view = await request.app[BUNDLES].describe(tenant, translate_bundle(found.bundle, found.language), deadline)
        listed = await request.app[PRODUCTS].of_bundle(tenant, found.bundle, country, deadline)
        products = tuple(translate_product(product, found.language) for product in listed.value.products)
        own = await request.app[PRODUCTS].own_product(tenant, found.bundle, deadline)
        settings = await _settings(request, caller, locale)
        body = rendering.embed_bundle(
            found,
            view,
            replace(listed.value, products=products),
            own.handle if own else "",
            request.app[EMBED_PATH],
            settings,
        )
        return Reading(body, listed.age, listed.lifetime)

    hot = RenderKey(
        "embed-bundle",
        found.bundle.id,
        country,
        test=caller.key.test,
        language=f"{found.language} {locale}",
        template=found.template,
        routed=f"{found.routed.experiment_id} {found.routed.arm}" if found.routed else "",
    )
    answer = await request.app[RENDERED].answer(request, caller.tenant, hot, PRODUCTS_FRESHNESS, make)
    return _in_language(answer, found.language)


async def get_settings(request: web.Request) -> web.Response:
    caller = request[CALLER]
    locale = _locale(caller, languages(request))

    async def make() -> Reading[object]:
        return Reading(await _settings(request, caller, locale))

    hot = RenderKey("embed-settings", language=locale)
    answer = await request.app[RENDERED].answer(request, caller.tenant, hot, PRODUCTS_FRESHNESS, make)
    return _in_language(answer, locale)


async def get_variant(request: web.Request) -> web.Response:
    caller = request[CALLER]
    bundle_id, variant_id = path_ids(request, "id", "variantId")
    bundle = await request.app[BUNDLES].find(caller, bundle_id)
    items = await request.app[CONFIGURED_CONTENTS].items(caller.tenant, bundle, variant_id, request[DEADLINE])
    answer = request.app[RENDERED].answer_once(request, rendering.found_items(items), PRODUCTS_FRESHNESS)
    return _varying_by_language(answer)


async def content(request: web.Request) -> web.Response:
    asked = load_body(await read_body(request), _CONTENT)
    found = await request.app[CONFIGURED_CONTENTS].contents(request[CALLER].tenant, asked["bundles"])
    return posted(orjson.dumps(rendering.contents(found)))


async def notify(request: web.Request) -> web.Response:
    caller = request[CALLER]
    reminders = request.app[STOCK_REMINDERS]
    reminders.check_offered(caller.tenant)
    code = await reminders.register(caller, load_body(await read_body(request), _NOTIFY), request[DEADLINE])
    return posted(orjson.dumps({"message_code": code}))


async def _settings(request: web.Request, caller: Caller, locale: str) -> rendering.Json:
    of_platform = await request.app[PLATFORM].shop(caller.tenant, request[DEADLINE])
    return rendering.embed_settings(caller.tenant.shop, of_platform, locale, texts_in(locale))


def _locale(caller: Caller, asked: Sequence[str]) -> str:
    """The language of the component's own words, which follows the visitor even where a bundle does not."""
    return response_language(caller.tenant.shop, asked, list(texts_by_language()))


def _in_language(answer: web.Response, language: str) -> web.Response:
    answer.headers["Content-Language"] = language
    return _varying_by_language(answer)


def _varying_by_language(answer: web.Response) -> web.Response:
    answer.headers["Vary"] = f"{answer.headers['Vary']}, Accept-Language"
    return answer
