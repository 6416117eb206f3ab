"""The demo's handlers: parse, call one service, render."""

from dataclasses import dataclass
from pathlib import Path

import orjson
from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.api.app_keys import DIRECTORY
from bundlesvc.api.demo import rendering
from bundlesvc.api.demo.requests import CartSchema
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.parsing import load_body, read_body
from bundlesvc.domain.errors import NotFound
from bundlesvc.services.access import Caller
from bundlesvc.services.checking_out import CheckingOut
from bundlesvc.services.showcase import Showcase

# Scripts, styles and calls of this origin only, nothing inline; shops of one's own may have images elsewhere.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_CART = CartSchema()


@dataclass(frozen=True, slots=True)
class DemoServices:
    """What the demo needs. The key is handed to every visitor: it is None where there was no shop to make one for."""

    key: str | None
    base_path: str
    showcase: Showcase
    checking_out: CheckingOut


SERVICES = web.AppKey("demo_services", DemoServices)


def file(path: Path) -> Handler:
    """The handler that serves the page, or what it loads."""
    headers = {
        "Content-Security-Policy": PAGE_POLICY,
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
    }

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(path, headers=headers)

    return serve


async def shop(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    caller = await _caller(request)
    lang = request.query.get("lang")
    shown = await services.showcase.show(caller, [lang] if lang else [])
    return _answer(rendering.shop(shown, services.key or "", services.base_path))


async def checkout(request: web.Request) -> web.Response:
    caller = await _caller(request)
    cart = load_body(await read_body(request), _CART)
    receipt = await request.app[SERVICES].checking_out.check_out(caller.tenant, cart)
    return _answer(rendering.receipt(receipt, cart.country))


async def _caller(request: web.Request) -> Caller:
    """The holder of the demo's own key. Raises NotFound when there was no shop to make one for."""
    key = request.app[SERVICES].key
    if key is None:
        raise NotFound("There was no shop when the service started. Load one, and start the service again.")
    return await request.app[DIRECTORY].identify(f"Bearer {key}", request.remote or "")


def _answer(body: rendering.Json) -> web.Response:
    headers = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": NO_STORE}
    return web.Response(body=orjson.dumps(body), headers=headers)
