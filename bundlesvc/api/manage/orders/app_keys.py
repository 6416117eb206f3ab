"""The application keys for the order services that the management API uses."""

from aiohttp import web

from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.reading import Orders
from bundlesvc.services.orders.refunds import RefundQuotes

INTAKE = web.AppKey("order_intake", OrderIntake)
ORDERS = web.AppKey("orders", Orders)
REFUND_QUOTES = web.AppKey("refund_quotes", RefundQuotes)
