"""The service in demo mode with the demo shop, and a client for it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, Response, Serve
from tests.api.loaded import Keys, LoadedDatabase, loaded_file
from tests.api.selection import Json
from tests.demo.orders import Order

DEMO_SHOP = Path(__file__).parents[2] / "config" / "demo-shop.yaml"


class Demo(Api):
    """A client that sends requests to the API and to the demo's own routes."""

    async def configured(self, order: Order, country: str | None = None) -> Json:
        """Configure the selection in `order`, and return the response body."""
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


@pytest.fixture(scope="session")
def loaded_database(tmp_path_factory: pytest.TempPathFactory) -> LoadedDatabase:
    """A database file with the demo shop and the other test shop, created once and copied by the tests."""
    return loaded_file(tmp_path_factory, DEMO_SHOP)


@pytest.fixture
def make_demo(serve: Serve, keys: Keys, settings: Settings) -> MakeDemo:
    """Start the service in demo mode on `loaded_database`. Keyword arguments are passed to `create_app`."""

    async def make(**overrides: object) -> Demo:
        client = await serve(settings=replace(settings, demo=True), **{"demo_key": keys.live, **overrides})
        return Demo(client, keys.live)

    return make


@pytest.fixture
async def demo(make_demo: MakeDemo) -> Demo:
    return await make_demo()


def cart_of(result: Json, country: str | None = None) -> Json:
    """Build a cart, in the platform's format, that contains only the bundle from this configure response."""
    cart = result["cart"]
    return {
        "items": cart["line_items"] if cart else [{"id": int(result["variant_id"]), "quantity": 1, "properties": {}}],
        "attributes": cart["attributes"] if cart else {},
        "countryCode": country,
    }


def amounts(lines: Iterable[Json], name: str = "total") -> Decimal:
    """The sum of this field's amounts over all lines."""
    return sum((Decimal(line[name]) for line in lines), Decimal(0))
