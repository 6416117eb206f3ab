"""The platform calls that a webhook causes, and how soon clients see the change, with two processes
(docs/contract.md#live-data)."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import aiohttp
import orjson
import pytest

from tests.failures.service import WITH_LONG_REDIS_TIMEOUT, Service, Setup, started
from tests.failures.shopping import READ, Shopper, at_once, seconds_until
from tests.process.serving import Server
from tests.process.shop import SCARCE_SHIRT, SHIRT
from tests.servers.postgres_server import PostgresServer
from tests.servers.redis_server import RedisServer
from tests.standin.app.webhooks import Webhook, inventory_level_body, product_body
from tests.standin.data.gids import gid

TITLE, STOCK = "title", "stock"
"""Shops, one per test."""

SHOWS_WITHIN = 2.0
SLACK = 3.0

Shown = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module", params=[True, False], ids=["with Redis", "without Redis"])
def service(
    request: pytest.FixtureRequest,
    postgres: PostgresServer,
    running_redis: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Service]:
    """The service in two processes that share one PostgreSQL server, with or without Redis."""
    running_redis.repair()
    settings = {"REDIS_URL": running_redis.url} if request.param else {}
    with postgres.lent(postgres.new_database()) as address:
        setup = Setup.prepared((TITLE, STOCK), tmp_path_factory.mktemp("news"), address)
        with started(setup, settings, WITH_LONG_REDIS_TIMEOUT, servers=2) as service:
            yield service
            assert service.end() == []


def shown(server: Server, service: Service, handle: str) -> Shown:
    """Return the products that a process lists for a shop, by id."""
    observed = Shopper(server, service.setup.shops[handle]).do(READ)
    assert observed.ok
    return {product["platformProductId"]: product for product in orjson.loads(observed.body)["products"]}


def deliver(webhook: Webhook, server: Server, handle: str) -> int:
    async def send() -> int:
        async with aiohttp.ClientSession() as session:
            return await webhook.send(session, f"{server.address}/webhooks/platform/{handle}")

    return asyncio.run(send())


def deliver_change(service: Service, handle: str, topic: str, body: Mapping[str, Any]) -> None:
    """Send the first process a webhook about a change, and check that it accepts the webhook."""
    service.platform.forget()
    webhook = Webhook(topic, body, domain=service.setup.shops[handle].domain)
    assert deliver(webhook, service.server, handle) == 200


def shows_everywhere(service: Service, handle: str, condition: Callable[[Shown], bool]) -> None:
    def shows(server: Server) -> float:
        return seconds_until(lambda: condition(shown(server, service, handle)), SHOWS_WITHIN + SLACK)

    at_once({server.port: partial(shows, server) for server in service.servers})


def check_cost(service: Service, product_id: int, variants: int) -> None:
    """Check that only this product and its prices were fetched again, at most once by each process."""
    requests = service.platform.standin.requests
    read = [list(each.variables["ids"]) for each in requests if each.operation == "ProductsById"]
    priced = [each.variables["ids"] for each in requests if each.operation == "MarketPricesByVariant"]
    assert 1 <= len(read) <= len(service.servers)
    assert all(ids == [gid("Product", product_id)] for ids in read)
    assert all(len(ids) == variants for ids in priced)
    others = {"ProductsById", "MarketPricesByVariant", "ResolvedMarket"}
    assert {each.operation for each in requests} <= others
    assert len(priced) <= len(service.servers)


def test_only_the_changed_product_is_fetched_again(service: Service) -> None:
    product = service.platform.standin.shop.products[SHIRT]
    for server in service.servers:
        assert shown(server, service, TITLE)[str(SHIRT)]["title"] == "Shirt"
    service.platform.change(lambda: setattr(product, "title", "Linen Shirt"))
    deliver_change(service, TITLE, "products/update", product_body(product))
    shows_everywhere(service, TITLE, lambda products: products[str(SHIRT)]["title"] == "Linen Shirt")
    check_cost(service, SHIRT, variants=2)


def test_only_the_product_with_changed_stock_is_fetched_again(service: Service) -> None:
    found = service.platform.standin.shop.variant(SCARCE_SHIRT)
    assert found is not None
    for server in service.servers:
        assert shown(server, service, STOCK)[str(SHIRT)]["variants"][0]["available"]
    service.platform.change(lambda: setattr(found[1], "quantity", 0))
    deliver_change(service, STOCK, "inventory_levels/update", inventory_level_body(found[1]))
    shows_everywhere(service, STOCK, lambda products: not products[str(SHIRT)]["variants"][0]["available"])
    check_cost(service, SHIRT, variants=2)
