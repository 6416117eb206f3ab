"""The routes for buying in the demo."""

from aiohttp import web

from bundlesvc.api.manage.orders.app_keys import INTAKE, ORDERS, REFUND_QUOTES
from bundlesvc.api.middleware.gate import Gate, behind_gate
from bundlesvc.demo.buying import handlers
from bundlesvc.demo.buying.buying import Buying
from bundlesvc.demo.handlers import CAN_BUY, SERVICES
from bundlesvc.demo.routes import DEMO_PATH
from bundlesvc.ports import Clock, Ids, Platform

ORDERS_PATH = f"{DEMO_PATH}/orders"


def add_buying(app: web.Application, gate: Gate, platform: Platform, clock: Clock, ids: Ids) -> None:
    """Let the demo page place test orders. The demo and the orders API must already be added to the application; `gate` is the
    gate of the main API."""
    checkout = app[SERVICES].simulate_checkout
    app[handlers.BUYING] = Buying(checkout, platform, app[INTAKE], app[ORDERS], app[REFUND_QUOTES], clock, ids)
    app[CAN_BUY] = True
    routes = app.router
    routes.add_post(ORDERS_PATH, behind_gate(gate, handlers.buy))
    routes.add_get(f"{ORDERS_PATH}/{{id}}", behind_gate(gate, handlers.read))
    routes.add_post(f"{ORDERS_PATH}/{{id}}/returns", behind_gate(gate, handlers.quote_return))
