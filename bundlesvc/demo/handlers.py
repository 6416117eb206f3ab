"""The demo's handlers. Each parses the request, calls one service, and renders the result."""

from dataclasses import dataclass
from pathlib import Path

import orjson
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.requests.parsing import load_body, read_body
from bundlesvc.api.storefront_files.static_files import STATIC_PATH, storefront_files
from bundlesvc.demo import rendering
from bundlesvc.demo.requests import CartSchema
from bundlesvc.demo.showcase import Showcase
from bundlesvc.demo.simulate_checkout import SimulateCheckout
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import Forbidden, NotFound
from bundlesvc.domain.shop import SEARCH_ENGINES

# The page loads scripts and styles only from its own origin, sends requests only there, and contains no inline scripts or styles.
# A shop's images may be on another host.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
}
NO_INDEX = '  <meta name="robots" content="noindex">\n'
"""The line that keeps the page out of search engines."""

_CART = CartSchema()
CART_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class DemoServices:
    """The services that the demo's handlers use. `key` is given to every visitor; it is None when no shop was loaded at
    startup."""

    key: str | None
    base_path: str
    showcase: Showcase
    simulate_checkout: SimulateCheckout


SERVICES = web.AppKey("demo_services", DemoServices)
CAN_BUY = web.AppKey("demo_can_buy", bool)
"""Whether test orders can be placed on the page. Set only on a service with orders."""


def page(path: Path) -> Handler:
    """Return a handler that serves the page, and tells the browser early which files the component needs. The page may be indexed
    by search engines only if the shop allows it."""
    text = path.read_text("utf-8")
    public = text.replace(NO_INDEX, "")

    async def serve(request: web.Request) -> web.StreamResponse:
        body = public if await _is_for_search_engines(request) else text
        headers = {**PAGE_HEADERS, "Link": await storefront_files().preload(f"{STATIC_PATH}/")}
        return web.Response(text=body, content_type="text/html", headers=headers)

    return serve


async def _is_for_search_engines(request: web.Request) -> bool:
    """Whether the shop wants search engines to index its pages. False when no shop was loaded."""
    try:
        return (await demo_caller(request)).tenant.shop.has(SEARCH_ENGINES)
    except (NotFound, Forbidden):
        return False


def file(path: Path) -> Handler:
    """Return a handler that serves one of the demo page's files."""

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(path, headers=PAGE_HEADERS)

    return serve


def not_found(path: Path, find: Handler) -> Handler:
    """Return a handler that responds as `find` does. If `find` raises NotFound, browsers receive the page, and other clients the
    API's error."""
    body = path.read_bytes()
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": PAGE_POLICY,
        "Cache-Control": NO_STORE,
        "X-Content-Type-Options": "nosniff",
    }

    async def serve(request: web.Request) -> web.StreamResponse:
        try:
            return await find(request)
        except NotFound:
            if "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
                raise
        return web.Response(status=404, body=body, headers=headers)

    return serve


async def nothing(_: web.Request) -> web.StreamResponse:
    """Handle paths of the demo that do not exist. Raises NotFound."""
    raise NotFound


async def shop(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    caller = await demo_caller(request)
    lang = request.query.get("lang")
    view = await services.showcase.view(caller, [lang] if lang else [])
    can_buy = request.app.get(CAN_BUY, False)
    return json_response(rendering.shop(view, services.key or "", services.base_path, can_buy=can_buy))


async def checkout(request: web.Request) -> web.Response:
    caller = await demo_caller(request)
    cart = load_body(await read_body(request, CART_BYTES), _CART)
    receipt = await request.app[SERVICES].simulate_checkout.receipt(caller.tenant, cart)
    return json_response(rendering.receipt(receipt, cart.country))


async def demo_caller(request: web.Request) -> Caller:
    """Return the caller that the demo's own key identifies. Raises NotFound when no shop was loaded at startup."""
    key = request.app[SERVICES].key
    if key is None:
        raise NotFound("No shop was loaded when the service started. Load a shop, then restart the service.")
    return await request.app[AUTHENTICATION].identify(f"Bearer {key}", request.remote or "")


def json_response(body: rendering.Json) -> web.Response:
    """Build a JSON response that must not be cached."""
    headers = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": NO_STORE}
    return web.Response(body=orjson.dumps(body), headers=headers)
