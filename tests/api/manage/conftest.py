"""Fixtures: a client of the management API, and a configured bundle that can be ordered."""

from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

import orjson
import pytest
from marshmallow import Schema

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.orders.responses import (
    OrderBodySchema,
    OrderSummarySchema,
    RefundQuoteBodySchema,
    TakenSchema,
)
from bundlesvc.domain.access.key import ORDERS
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds
from tests.api.conftest import Api, Client, Response
from tests.api.selection import configure_body
from tests.fakes import FakeClock

Json = dict[str, Any]
MakeKey = Callable[..., Awaitable[str]]


class Manage:
    """A client that calls the management API with a key. Successful responses are checked against the schemas of the OpenAPI
    document."""

    def __init__(self, client: Client, key: str | None) -> None:
        self.client = client
        self.key = key

    async def send(self, order: object) -> Response:
        return await self.request("POST", "/orders", order, TakenSchema())

    async def list(self, query: str = "") -> Response:
        return await self.request("GET", f"/orders{query}", None, OrderSummarySchema(many=True))

    async def read(self, order_id: str) -> Response:
        return await self.request("GET", f"/orders/{order_id}", None, OrderBodySchema())

    async def quote(self, order_id: str, body: object) -> Response:
        return await self.request("POST", f"/orders/{order_id}/refund-quote", body, RefundQuoteBodySchema())

    async def request(self, method: str, path: str, body: object, schema: Schema | None = None) -> Response:
        """Send a request to a path relative to the API's base path."""
        headers = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        data = None if body is None else BytesIO(body if isinstance(body, bytes) else orjson.dumps(body))
        async with self.client.request(method, f"{MANAGE_PATH}{path}", data=data, headers=headers) as sent:
            response = Response(sent.status, sent.headers, await sent.read())
        assert "Access-Control-Allow-Origin" not in response.headers
        if response.status == 200 and schema is not None:
            assert schema.validate(response.json) == {}
        return response


@pytest.fixture
def make_key(database: Database) -> MakeKey:
    """Create a key for a shop."""

    async def make(handle: str = "demo", scope: str = ORDERS, *, test: bool = False) -> str:
        store = SqlKeyStore(database)
        tenant = await store.tenant(handle)
        assert tenant is not None
        request = KeyRequest("orders", test=test, scopes=(scope,), rate_limit=1_000_000)
        return await create_key(store, tenant, request, FakeClock(), RandomIds())

    return make


@pytest.fixture
async def manage(api: Api, make_key: MakeKey) -> Manage:
    """The management API, called with a key of the demo shop that has the scope `orders`."""
    return Manage(api.client, await make_key())


@pytest.fixture
async def configured(api: Api) -> Json:
    """The response to configuring two shirts and a mug, which cost 47.98 before a discount of 10%."""
    response = await api.post("/bundles/20/configure", configure_body("1001@1*2", "2001@2"))
    return dict(response.held().json)


def order_of(configured: Json, **changes: Any) -> Json:
    """Build an order that was charged as promised: 35.98 and 7.20, 43.18 in total."""
    shirts, mug = configured["cart"]["line_items"]
    return {
        "id": "1001",
        "version": 1,
        "name": "#1001",
        "placedAt": "2026-11-21T12:00:00Z",
        "currency": "EUR",
        "attributes": {"_bundles": configured["cart"]["attributes"]["_bundles"]},
        "lines": [
            line("a", shirts, "19.99", "4.00"),
            line("b", mug, "8.00", "0.80"),
        ],
        **changes,
    }


def line(id_: str, item: Json, price: str, off: str) -> Json:
    """Build the order line for a cart item. `off` is the amount of the bundle's discount."""
    return {
        "id": id_,
        "variant": str(item["id"]),
        "quantity": item["quantity"],
        "unitPrice": price,
        "tax": "1.00",
        "discounts": [{"kind": "bundle", "title": "A tenth off", "amount": off}],
        "properties": {**item["properties"], "Engraving": "Mira"},
    }
