"""The page of one bundle, complete without scripts, for shoppers with a slow connection and for search engines."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web
from markupsafe import Markup

from bundlesvc.api.app_keys import EMBED_BUNDLES, EMBED_PATH, LISTINGS, OWN_ADDRESSES
from bundlesvc.api.embed.rendering import embed_bundle, own_languages
from bundlesvc.api.embed.requests import languages
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.first_paint.drawing import is_installed
from bundlesvc.api.first_paint.routes import DRAWING
from bundlesvc.api.requests.parsing import NO_COUNTRY, QueryReader, path_id
from bundlesvc.compact_json import compact_json
from bundlesvc.demo.handlers import PAGE_HEADERS, PAGE_POLICY, SERVICES, demo_caller, not_found
from bundlesvc.demo.routes import DEMO_PATH, NOT_FOUND_PAGE
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.identifiers import parse_country
from bundlesvc.domain.money import amount_text
from bundlesvc.domain.shop import SEARCH_ENGINES
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.services.embed_bundles import BundleRequest
from bundlesvc.services.listings import ListRequest, Offer

if TYPE_CHECKING:
    from jinja2 import Environment

_WORDS = {
    "en": {"demo": "Demo.", "notice": "Nothing is sold or charged here.", "back": "All bundles"},
    "de": {"demo": "Demo.", "notice": "Hier wird nichts verkauft oder berechnet.", "back": "Alle Pakete"},
}
BUNDLE_PAGES = f"{DEMO_PATH}/bundles"
_STYLE_SOURCE = "style-src 'self'"


@dataclass(frozen=True, slots=True)
class _PageRequest:
    """A request for a bundle page: the bundle, the preferred languages, and the country."""

    bundle_id: int
    languages: tuple[str, ...]
    country: str | None


async def bundle_page(request: web.Request) -> web.Response:
    """Serve the page of the bundle in the path. Raises NotFound, and InvalidRequest for an invalid country."""
    caller, drawing = await demo_caller(request), request.app[DRAWING]
    services, origin = request.app[SERVICES], request.app[OWN_ADDRESSES].of(request)
    wanted = _wanted(request)
    found = await request.app[EMBED_BUNDLES].find(caller, _bundle_request(wanted), NO_DEADLINE)
    view = await request.app[EMBED_BUNDLES].view(caller, found, wanted.country, NO_DEADLINE)
    own = own_languages(caller.tenant.shop, found.bundle, wanted.languages)
    body = embed_bundle(found, view.value, request.app[EMBED_PATH], own)
    offer = await _offer(request, caller, wanted.bundle_id, found.language)
    base_url, address = f"{origin}{services.base_path}", f"{origin}{request.path}{_language(request)}"
    bundle, style = compact_json(body), await drawing.style()
    html = await drawing.html(bundle, {"baseUrl": base_url, "countryCode": wanted.country, "hasHeader": True})
    from_price = None if wanted.country or offer.from_price is None else amount_text(offer.from_price)
    data = await drawing.structured_data(
        bundle, {"url": address, "baseUrl": base_url, "countryCode": wanted.country, "fromPrice": from_price}
    )
    text = (
        _templates()
        .get_template("bundle.html.j2")
        .render(
            shop=caller.tenant.shop.name,
            bundle=body,
            summary=offer.discount_summary,
            html=Markup(html.decode()),  # noqa: S704 - all values in the HTML are escaped
            data=Markup(data.decode()),  # noqa: S704 - the JSON contains no "<"
            key=services.key,
            base_url=base_url,
            country=wanted.country,
            canonical=address,
            indexed=caller.tenant.shop.has(SEARCH_ENGINES),
            words=_WORDS.get(own.texts, _WORDS["en"]),
        )
    )
    headers = {
        **PAGE_HEADERS,
        "Content-Security-Policy": _policy(style),
        "Content-Language": found.language,
        "Vary": "Accept-Language",
    }
    response = web.Response(text=text, content_type="text/html", headers=headers)
    response.enable_compression()
    return response


async def redirect_to_storefront(request: web.Request) -> web.Response:
    """Redirect to the bundle in the demo storefront, which renders it in the browser. Serves in place of `bundle_page` when no
    JavaScript engine is installed. Raises NotFound, and InvalidRequest for an invalid country."""
    wanted = _wanted(request)
    await request.app[EMBED_BUNDLES].find(await demo_caller(request), _bundle_request(wanted), NO_DEADLINE)
    query = urlencode({**request.query, "bundle": wanted.bundle_id})
    return web.Response(status=302, headers={"Location": f"{DEMO_PATH}?{query}", "Cache-Control": NO_STORE})


def _wanted(request: web.Request) -> _PageRequest:
    query = QueryReader(request)
    country = query.take("country", parse_country, NO_COUNTRY)
    if query.faults:
        raise InvalidRequest(query.faults)
    return _PageRequest(path_id(request), languages(request), country)


def _language(request: web.Request) -> str:
    """Return the query string that selects a language, or an empty string. Each language of a page has its own URL; countries do
    not."""
    lang = request.query.get("lang")
    return f"?{urlencode({'lang': lang})}" if lang else ""


def _bundle_request(wanted: _PageRequest) -> BundleRequest:
    """Build the request for the bundle itself, outside any A/B test, because search engines do not take part in tests."""
    return BundleRequest(wanted.bundle_id, None, wanted.languages, None, None, ab_bypass=True)


async def _offer(request: web.Request, caller: Caller, bundle_id: int, language: str) -> Offer:
    listings = request.app[LISTINGS]
    wanted = ListRequest(language=language, after=bundle_id - 1, limit=1, with_offers=True)
    view = await listings.view(caller, await listings.find(caller, wanted, NO_DEADLINE), NO_DEADLINE)
    return view.value[0].offer or Offer("", None, None)


def _policy(style: bytes) -> str:
    digest = b64encode(sha256(style).digest()).decode()
    return PAGE_POLICY.replace(_STYLE_SOURCE, f"{_STYLE_SOURCE} 'sha256-{digest}'")


def add_bundle_pages(app: web.Application) -> None:
    """Mount the bundle pages on the application."""
    page = bundle_page if is_installed() else redirect_to_storefront
    app.router.add_get(f"{BUNDLE_PAGES}/{{id}}", not_found(NOT_FOUND_PAGE, page))


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only pages need it

    return Environment(
        loader=PackageLoader("bundlesvc.demo", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
