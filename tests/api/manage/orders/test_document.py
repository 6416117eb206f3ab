"""Responses about orders match their description in the OpenAPI document of the management API."""

import orjson

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.document import DOCUMENT_PATH
from tests.api.manage.conftest import Json, Manage, order_of
from tests.api.response_check import ResponseCheck


async def test_responses_match_the_document(manage: Manage, configured: Json) -> None:
    async with manage.client.get(DOCUMENT_PATH) as sent:
        check = ResponseCheck(orjson.loads(await sent.read()))
    order, path = order_of(configured), f"{MANAGE_PATH}/orders"
    quote = {"lines": [{"line": "a", "quantity": 1}], "policy": "proportional"}
    for method, below, response in (
        ("POST", "", await manage.send(order)),
        ("POST", "", await manage.send({**order, "name": "#2"})),
        ("POST", "", await manage.send({**order, "rate": "2"})),
        ("GET", "", await manage.list()),
        ("GET", "", await manage.list("?limit=0")),
        ("GET", "/1001", await manage.read("1001")),
        ("GET", "/1002", await manage.read("1002")),
        ("POST", "/1001/refund-quote", await manage.quote("1001", quote)),
        ("POST", "/1001/refund-quote", await manage.quote("1001", {**quote, "lines": [{"line": "x", "quantity": 1}]})),
        ("GET", "", await Manage(manage.client, None).list()),
    ):
        check.check(method, f"{path}{below}", response.status, response.body)
