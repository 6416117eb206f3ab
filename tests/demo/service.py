"""The service in demo mode, over the demo shop, and a client of it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bundlesvc.settings import Settings
from tests.api.conftest import Api, Response, Serve
from tests.api.selection import Json
from tests.api.shared import RATE_LIMIT
from tests.conftest import LoadShop, MakeKey
from tests.demo.orders import Order

DEMO_SHOP = Path(__file__).parents[2] / "config" / "demo-shop.yaml"


class Demo(Api):
    """Sends requests to the API and to the demo's own routes."""

    async def configured(self, order: Order, country: str | None = None) -> Json:
        """The configure result."""
        body = order.body | ({"countryCode": country} if country else {})
        result: Json = (await self.post(f"/bundles/{order.bundle}/configure", body)).held().json
        return result

    async def receipt(self, cart: Json) -> Json:
        receipt: Json = (await self.checkout(cart)).held().json
        return receipt

    async def checkout(self, cart: object) -> Response:
        async with self.client.post("/demo/checkout", json=cart) as sent:
            return Response(sent.status, sent.headers, await sent.read())

    async def fetch(self, path: str) -> Response:
        """GET a path outside the base path."""
        async with self.client.get(path) as sent:
            return Response(sent.status, sent.headers, await sent.read())


MakeDemo = Callable[..., Awaitable[Demo]]


@pytest.fixture
def make_demo(serve: Serve, load_shop: LoadShop, make_key: MakeKey, settings: Settings) -> MakeDemo:
    """Starts the service in demo mode; takes the keywords of `create_app`."""

    async def make(**overrides: object) -> Demo:
        await load_shop(DEMO_SHOP)
        key = await make_key(rate_limit=RATE_LIMIT)
        client = await serve(settings=replace(settings, demo=True), **{"demo_key": key, **overrides})
        demo = Demo(client, key)
        await demo.refresh()
        return demo

    return make


@pytest.fixture
async def demo(make_demo: MakeDemo) -> Demo:
    return await make_demo()


def cart_of(result: Json, country: str | None = None) -> Json:
    """A cart with only this result in it, in the platform's format."""
    cart = result["cart"]
    return {
        "items": cart["line_items"] if cart else [{"id": int(result["variant_id"]), "quantity": 1, "properties": {}}],
        "attributes": cart["attributes"] if cart else {},
        "countryCode": country,
    }


def amounts(lines: Iterable[Json], name: str = "total") -> Decimal:
    """The sum of the amounts with this name."""
    return sum((Decimal(line[name]) for line in lines), Decimal(0))
