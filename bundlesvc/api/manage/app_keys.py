"""The services behind the management API, and who may call it."""

from aiohttp import web

from bundlesvc.api.middleware.gate import Gate
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.reading import Orders
from bundlesvc.services.orders.refunds import RefundQuotes

GATE = web.AppKey("manage_gate", Gate)
INTAKE = web.AppKey("order_intake", OrderIntake)
ORDERS = web.AppKey("orders", Orders)
REFUND_QUOTES = web.AppKey("refund_quotes", RefundQuotes)
