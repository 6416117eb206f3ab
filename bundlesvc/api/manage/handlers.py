"""The handlers of the management API: parse, call one service, render."""

import re
from typing import Any
from urllib.parse import urlencode

import orjson
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from bundlesvc.api.app_keys import CALLER, DEADLINE
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.manage import rendering
from bundlesvc.api.manage.app_keys import GATE, INTAKE, ORDERS, REFUND_QUOTES
from bundlesvc.api.manage.fields import TIME_FAULT, parse_time
from bundlesvc.api.manage.requests import OrderSchema, RefundQuoteSchema
from bundlesvc.api.manage.sent_order import returned_units, sent_order
from bundlesvc.api.middleware.gate import admit_request
from bundlesvc.api.requests.paging import CURSOR_FAULT, LIMIT_FAULT, cursor_of, parse_limit, text_of
from bundlesvc.api.requests.parsing import NO_ID, QueryReader, load_body, read_body
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.verdict import CAUSES, OUTCOMES
from bundlesvc.services.bundles import MAX_LISTED

ORDER_BYTES, QUOTE_BYTES = 1024 * 1024, 64 * 1024
"""The largest bodies of an order and of a request for a refund quote."""

VERDICTS = (*OUTCOMES, *CAUSES)
_CURSOR = re.compile(r"([0-9]{1,16}):(.{1,64})\Z", re.DOTALL)


def admitted(handler: Handler) -> Handler:
    """The handler behind the gate of the management API."""

    async def handle(request: web.Request) -> web.StreamResponse:
        await admit_request(request.app[GATE], request)
        return await handler(request)

    return handle


async def take_order(request: web.Request) -> web.Response:
    sent = sent_order(load_body(await read_body(request, ORDER_BYTES), OrderSchema()))
    taken = await request.app[INTAKE].take(request[CALLER], sent.order, sent.rate, request[DEADLINE])
    return _json({"result": taken.result, "order": rendering.order_summary(taken.judged)})


async def list_orders(request: web.Request) -> web.Response:
    wanted = _filter(request)
    found = await request.app[ORDERS].list(request[CALLER].tenant, wanted)
    response = _json([rendering.order_summary(judged) for judged in found])
    if len(found) == wanted.limit:
        response.headers[hdrs.LINK] = _next(request, found[-1])
    return response


async def read_order(request: web.Request) -> web.Response:
    found = await request.app[ORDERS].find(request[CALLER].tenant, request.match_info["id"])
    return _json(rendering.order_body(found))


async def quote_refund(request: web.Request) -> web.Response:
    asked = load_body(await read_body(request, QUOTE_BYTES), RefundQuoteSchema())
    returns, policy = returned_units(asked["lines"]), asked["policy"]
    tenant, order_id = request[CALLER].tenant, request.match_info["id"]
    order, quoted = await request.app[REFUND_QUOTES].quote(tenant, order_id, returns, policy, request[DEADLINE])
    return _json(rendering.refund_body(order, policy, quoted))


def _json(body: Any) -> web.Response:
    headers = {"Cache-Control": NO_STORE}
    return web.Response(body=orjson.dumps(body), content_type="application/json", headers=headers)


def _filter(request: web.Request) -> OrderFilter:
    """The orders that the query names. Raises InvalidRequest with every fault."""
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
    return parse_time(text.replace(" ", "+"))  # an unescaped + of the offset arrives as a space


def _after(cursor: str) -> tuple[int, str] | None:
    """The time and id of the order after which the part begins; None when this is not a valid cursor."""
    parts = _CURSOR.match(text_of(cursor) or "")
    return None if parts is None else (int(parts[1]), parts[2])


def _next(request: web.Request, last: JudgedOrder) -> str:
    cursor = cursor_of(f"{last.order.placed_at}:{last.order.id}")
    query = urlencode({**request.query, "cursor": cursor})
    return f'<{request.rel_url.raw_path}?{query}>; rel="next"'
