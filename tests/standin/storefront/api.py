"""The stand-in's Storefront API and checkout page, and the page of a shop that sells bundles."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
from aiohttp import web
from graphql import GraphQLError

from bundlesvc.ports import Clock
from tests.platform_schema import STOREFRONT, schema
from tests.standin.data.carts import Cart
from tests.standin.data.shop import Shop
from tests.standin.graph.items import Arguments, Node
from tests.standin.operations.documents import Refused, operation_of, read_document
from tests.standin.operations.execution import Context, run_on
from tests.standin.operations.variables import check_sizes, read_variables
from tests.standin.storefront.checkout import Checkout, check_out
from tests.standin.storefront.graph import cart_node
from tests.standin.storefront.mutations import (
    CartChange,
    add_lines,
    create_cart,
    find_cart,
    remove_lines,
    update_attributes,
    update_buyer,
    update_lines,
)
from tests.standin.storefront.pages import checkout_page

TOKEN = "standin-storefront-token"
"""The public access token. Carts work without a token, but a wrong token is refused."""
TOKEN_HEADER = "X-Shopify-Storefront-Access-Token"

SHOP_FOLDER = Path(__file__).with_name("shop_page")
_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": f"Content-Type, {TOKEN_HEADER}",
}
_MUTATIONS: Mapping[str, Callable[[Shop, Arguments], CartChange]] = {
    "cartCreate": create_cart,
    "cartLinesAdd": add_lines,
    "cartLinesUpdate": update_lines,
    "cartLinesRemove": remove_lines,
    "cartAttributesUpdate": update_attributes,
    "cartBuyerIdentityUpdate": update_buyer,
}


class Storefront:
    """The shop as shoppers see it."""

    def __init__(self, shop: Shop, clock: Clock) -> None:
        self._shop = shop
        self._clock = clock
        self.url = ""
        self.settings: Callable[[], Mapping[str, str]] = dict
        """The settings that the shop's page needs to show bundles: `service` (the address of the service) and `key`."""
        self.own_faults: list[Exception] = []

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/api/{version}/graphql.json", self._graphql)
        app.router.add_route("OPTIONS", "/api/{version}/graphql.json", self._preflight)
        app.router.add_get("/cart/c/{token}", self._checkout)
        app.router.add_get("/", self._page)
        app.router.add_get("/settings.json", self._settings)
        app.router.add_static("/page/", SHOP_FOLDER)

    def checkout(self, cart: Cart) -> Checkout:
        """Calculate what would be charged for the cart now."""
        return check_out(self._shop, cart, self._clock.now())

    async def _preflight(self, request: web.Request) -> web.Response:
        return web.Response(status=204, headers=_CORS)

    async def _graphql(self, request: web.Request) -> web.Response:
        if request.headers.get(TOKEN_HEADER, TOKEN) != TOKEN:
            return _json({"errors": [{"message": "", "extensions": {"code": "UNAUTHORIZED"}}]})
        try:
            given = orjson.loads(await request.read())
            return _json(self._respond(str(given["query"]), given.get("variables") or {}))
        except (orjson.JSONDecodeError, TypeError, KeyError, AttributeError):
            return _json({"errors": "Bad request"}, 400)
        except Exception as fault:  # noqa: BLE001  # raised when the stand-in stops, where the test sees it
            self.own_faults.append(fault)
            return _json({"errors": "The stand-in failed"}, 500)

    def _respond(self, text: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        api = schema(STOREFRONT)
        try:
            document = read_document(api, text)
            operation = operation_of(document, None)
            read_variables(api, operation, given)
            check_sizes(api, operation, given)
        except Refused as refusal:
            return _errors(refusal.errors)
        result = run_on(self._root(), api, document, operation, given, Context(self._shop, frozenset()))
        return {"data": result.data, **(_errors(result.errors) if result.errors else {})}

    def _root(self) -> Node:
        def mutation(change: Callable[[Shop, Arguments], CartChange]) -> Callable[[Arguments], Node]:
            return lambda arguments: self._payload(change(self._shop, arguments))

        def cart(arguments: Arguments) -> Node | None:
            found = find_cart(self._shop, arguments["id"])
            return None if found is None else self._cart(found, self.checkout(found))

        return {"cart": cart, **{name: mutation(change) for name, change in _MUTATIONS.items()}}

    def _payload(self, change: CartChange) -> Node:
        errors, node = list(change.errors), None
        if change.cart is not None:
            checkout = self.checkout(change.cart)
            node = self._cart(change.cart, checkout)
            if checkout.blocked:
                message = "An error occurred while processing cart transformations."
                code = "MERCHANDISE_LINE_TRANSFORMERS_RUN_ERROR"
                errors.append({"field": None, "message": message, "code": code})
        return {"cart": node, "userErrors": errors, "warnings": []}

    def _cart(self, cart: Cart, checkout: Checkout) -> Node:
        return cart_node(cart, checkout, self.url)

    async def _checkout(self, request: web.Request) -> web.Response:
        cart = self._shop.carts.get(request.match_info["token"])
        if cart is None:
            return web.Response(status=404, text="There is no such cart.")
        return web.Response(text=checkout_page(self._shop, cart, self.checkout(cart)), content_type="text/html")

    async def _page(self, request: web.Request) -> web.FileResponse:
        return web.FileResponse(SHOP_FOLDER / "index.html")

    async def _settings(self, request: web.Request) -> web.Response:
        return _json(self.settings())


def _errors(errors: Any) -> Mapping[str, Any]:
    formatted: list[GraphQLError] = list(errors)
    return {"errors": [error.formatted for error in formatted]}


def _json(body: Any, status: int = 200) -> web.Response:
    return web.Response(status=status, body=orjson.dumps(body), content_type="application/json", headers=_CORS)
