"""The handlers for orders in the management API: each parses the request, calls one service and renders the result."""

import re

from aiohttp import hdrs, web

from bundlesvc.api.app_keys import CALLER, DEADLINE
from bundlesvc.api.manage.fields import TIME_FAULT, parse_time
from bundlesvc.api.manage.orders import rendering
from bundlesvc.api.manage.orders.app_keys import INTAKE, ORDERS, REFUND_QUOTES
from bundlesvc.api.manage.orders.requests import OrderSchema, RefundQuoteSchema
from bundlesvc.api.manage.orders.sent_order import returned_units, sent_order
from bundlesvc.api.manage.responses import json_response, next_part
from bundlesvc.api.requests.paging import CURSOR_FAULT, LIMIT_FAULT, parse_limit, text_of
from bundlesvc.api.requests.parsing import NO_ID, QueryReader, load_body, read_body
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.verdict import CAUSES, OUTCOMES
from bundlesvc.services.bundles import MAX_LISTED

ORDER_BYTES, QUOTE_BYTES = 1024 * 1024, 64 * 1024
"""The maximum sizes of two request bodies, in bytes: an order, and a request for a refund quote."""

_ORDER, _REFUND_QUOTE = OrderSchema(), RefundQuoteSchema()  # creating one takes longer than loading an order with it

VERDICTS = (*OUTCOMES, *CAUSES)
_CURSOR = re.compile(r"([0-9]{1,16}):(.{1,64})\Z", re.DOTALL)


async def take_order(request: web.Request) -> web.Response:
    sent = sent_order(load_body(await read_body(request, ORDER_BYTES), _ORDER))
    taken = await request.app[INTAKE].take(request[CALLER], sent.order, sent.rate, request[DEADLINE])
    return json_response({"result": taken.result, "order": rendering.order_summary(taken.judged)})


async def list_orders(request: web.Request) -> web.Response:
    wanted = _filter(request)
    found = await request.app[ORDERS].list(request[CALLER].tenant, wanted)
    response = json_response([rendering.order_summary(judged) for judged in found])
    if len(found) == wanted.limit:
        response.headers[hdrs.LINK] = next_part(request, _cursor(found[-1]))
    return response


async def read_order(request: web.Request) -> web.Response:
    found = await request.app[ORDERS].find(request[CALLER].tenant, request.match_info["id"])
    return json_response(rendering.order_body(found))


async def quote_refund(request: web.Request) -> web.Response:
    asked = load_body(await read_body(request, QUOTE_BYTES), _REFUND_QUOTE)
    returns, policy = returned_units(asked["lines"]), asked["policy"]
    tenant, order_id = request[CALLER].tenant, request.match_info["id"]
    order, quoted = await request.app[REFUND_QUOTES].quote(tenant, order_id, returns, policy, request[DEADLINE])
    return json_response(rendering.refund_body(order, policy, quoted))


def _filter(request: web.Request) -> OrderFilter:
    """Parse the query parameters that filter orders. Raises InvalidRequest with every fault."""
    query = QueryReader(request)
    wanted = OrderFilter(
        bundle_id=query.take("bundle", parse_id, NO_ID),
        verdict=query.take("verdict", _verdict, f"Must be one of {', '.join(VERDICTS)}."),
        since=query.take("since", _time, TIME_FAULT),
        after=query.take("cursor", _after, CURSOR_FAULT),
        limit=query.take("limit", parse_limit, LIMIT_FAULT) or MAX_LISTED,
    )
    if query.faults:
        raise InvalidRequest(query.faults)
    return wanted


def _verdict(text: str) -> str | None:
    return text if text in VERDICTS else None


def _time(text: str) -> int | None:
    return parse_time(text.replace(" ", "+"))  # an unescaped + in the offset arrives as a space


def _cursor(judged: JudgedOrder) -> str:
    return f"{judged.order.placed_at}:{judged.order.id}"


def _after(cursor: str) -> tuple[int, str] | None:
    """Decode a cursor: the time and id of the last order already listed. Returns None when the cursor is invalid."""
    parts = _CURSOR.match(text_of(cursor) or "")
    return None if parts is None else (int(parts[1]), parts[2])
