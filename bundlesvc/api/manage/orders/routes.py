"""The route table for orders in the management API."""

from dataclasses import dataclass

from aiohttp import web

from bundlesvc.api.app_keys import COLLECTORS
from bundlesvc.api.endpoint import BODY_ERRORS, ID_SCHEMA, PLATFORM_ERRORS, Endpoint, Parameter
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.manage.orders import handlers
from bundlesvc.api.manage.orders.app_keys import INTAKE, ORDERS, REFUND_QUOTES
from bundlesvc.api.manage.orders.handlers import VERDICTS
from bundlesvc.api.manage.orders.requests import OrderSchema, RefundQuoteSchema
from bundlesvc.api.manage.orders.responses import (
    OrderBodySchema,
    OrderSummarySchema,
    RefundQuoteBodySchema,
    TakenSchema,
)
from bundlesvc.api.manage.orders.statistics import OrderStatistics
from bundlesvc.api.manage.part import Part
from bundlesvc.domain.access.key import ORDERS as ORDERS_SCOPE
from bundlesvc.domain.orders.refusals import OrderInvalid, OrderVersionReused, RefundInvalid
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.services.bundles import MAX_LISTED
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.platform_orders import PlatformOrderIntake
from bundlesvc.services.orders.reading import Orders
from bundlesvc.services.orders.refunds import RefundQuotes

TAG = "orders"
ORDER_ID = Parameter("id", "path", "Order ID.", "1001")

ENDPOINTS = (
    Endpoint(
        "POST",
        "/orders",
        handlers.take_order,
        name="takeOrder",
        summary="Send an order",
        description="Send the whole order, and send it again with a higher version whenever it changes. Orders may arrive late, "
        "more than once and in any sequence. The response contains a verdict on each bundle. Of an order without a bundle, only "
        "the id, version, time, currency and total are stored.",
        request=OrderSchema(),
        response=TakenSchema(),
        errors=(*BODY_ERRORS, OrderInvalid.code, OrderVersionReused.code, *PLATFORM_ERRORS),
        tag=TAG,
    ),
    Endpoint(
        "GET",
        "/orders",
        handlers.list_orders,
        name="listOrders",
        summary="List orders",
        description="Orders that contain a bundle, with their verdicts, newest first.",
        response=OrderSummarySchema(many=True),
        parameters=(
            Parameter("bundle", "query", "Only orders with this bundle.", 101, ID_SCHEMA),
            Parameter(
                "verdict",
                "query",
                "Only orders with this outcome or cause.",
                "differs",
                {"type": "string", "enum": [*VERDICTS]},
            ),
            Parameter("since", "query", "Only orders placed at this time or later.", "2026-11-23T10:00:00Z"),
            Parameter(
                "limit",
                "query",
                "The largest number of orders to return.",
                20,
                {"type": "integer", "minimum": 1, "maximum": MAX_LISTED},
            ),
            Parameter(
                "cursor",
                "query",
                "The cursor from the `Link` header of the previous page.",
                "MTc5MDAwMDAwMDoxMDAx",
            ),
        ),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    ),
    Endpoint(
        "GET",
        "/orders/{id}",
        handlers.read_order,
        name="readOrder",
        summary="Read an order",
        description="An order line by line, with its verdicts, edits and refunds, and the revenue of each component.",
        response=OrderBodySchema(),
        parameters=(ORDER_ID,),
        errors=("not_found",),
        tag=TAG,
        stored_by_caches=False,
    ),
    Endpoint(
        "POST",
        "/orders/{id}/refund-quote",
        handlers.quote_refund,
        name="quoteRefund",
        summary="Quote a refund",
        description="What the returned units are worth under a policy, line by line, with the tax as it was charged. Nothing is "
        "stored: once the refund has been made, send it in a new version of the order.",
        request=RefundQuoteSchema(),
        response=RefundQuoteBodySchema(),
        parameters=(ORDER_ID,),
        errors=("not_found", *BODY_ERRORS, RefundInvalid.code, *PLATFORM_ERRORS),
        tag=TAG,
    ),
)


PART = Part(
    TAG,
    "Whether each bundle was charged as promised, and what returned parts are worth. Amounts have all decimal places of the "
    "order's currency.",
    {ORDERS_SCOPE: ENDPOINTS},
    (
        (OrderInvalid, {"path": "rate", "code": "rate_required", "message": "An order in CHF needs its rate."}),
        (RefundInvalid, {"path": "lines.0.line", "code": "unknown_line", "message": "The order has no line 7."}),
        (OrderVersionReused, {}),
    ),
)


@dataclass(frozen=True, slots=True)
class OrderServices:
    """The services behind the endpoints for orders."""

    intake: OrderIntake
    orders: Orders
    refund_quotes: RefundQuotes
    platform_orders: PlatformOrderIntake


def add_orders(app: web.Application, api: ManagementApi, services: OrderServices, shops: ShopLabels) -> None:
    """Serve orders in the management API."""
    app[INTAKE], app[ORDERS], app[REFUND_QUOTES] = services.intake, services.orders, services.refund_quotes
    app[COLLECTORS].append(OrderStatistics(services.intake, services.platform_orders, shops))
    api.mount(PART)
