"""The handlers for purchases in the demo: each parses the request, calls one service, and renders the result."""

from aiohttp import web

from bundlesvc.api.app_keys import CALLER, DEADLINE
from bundlesvc.api.manage.orders.requests import ReturnedPartsSchema
from bundlesvc.api.manage.orders.sent_order import returned_units
from bundlesvc.api.requests.parsing import load_body, read_body
from bundlesvc.demo.buying import rendering
from bundlesvc.demo.buying.buying import Buying
from bundlesvc.demo.buying.requests import PurchaseSchema
from bundlesvc.demo.handlers import CART_BYTES, json_response

BUYING = web.AppKey("demo_buying", Buying)

_PURCHASE, _RETURN = PurchaseSchema(), ReturnedPartsSchema()


async def buy(request: web.Request) -> web.Response:
    purchase = load_body(await read_body(request, CART_BYTES), _PURCHASE)
    caller, buying = request[CALLER], request.app[BUYING]
    bought = await buying.buy(caller, purchase.cart, purchase.visitor_id, request[DEADLINE])
    return json_response({"order": None if bought is None else rendering.bought_order(bought)})


async def read(request: web.Request) -> web.Response:
    bought = await request.app[BUYING].find(request[CALLER].tenant, request.match_info["id"])
    return json_response(rendering.bought_order(bought))


async def quote_return(request: web.Request) -> web.Response:
    returns = returned_units(load_body(await read_body(request, CART_BYTES), _RETURN)["lines"])
    tenant, order_id = request[CALLER].tenant, request.match_info["id"]
    quotes = await request.app[BUYING].quotes(tenant, order_id, returns, request[DEADLINE])
    return json_response(rendering.policy_quotes(quotes))
