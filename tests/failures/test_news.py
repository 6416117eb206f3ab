"""What the platform's webhooks cost it, and how soon they show, in two processes (design 3 and 13)."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import aiohttp
import orjson
import pytest

from tests.failures.shopping import READ, Shopper, at_once, seconds_until
from tests.failures.stage import PATIENT, Ground, Stage, staged
from tests.postgres_server import PostgresServer
from tests.process.serving import Server
from tests.process.shop import SCARCE_SHIRT, SHIRT
from tests.redis_server import RedisServer
from tests.standin.gids import gid
from tests.standin.webhooks import Webhook, inventory_level_body, product_body

TITLE, STOCK = "title", "stock"
"""Shops, one for each test."""

SHOWS_WITHIN = 2.0
SLACK = 1.5

Shown = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module", params=[True, False], ids=["with Redis", "without Redis"])
def stage(
    request: pytest.FixtureRequest,
    postgres: PostgresServer,
    running_redis: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stage]:
    """Two processes on one PostgreSQL."""
    running_redis.repair()
    settings = {"REDIS_URL": running_redis.url} if request.param else {}
    with postgres.lent(postgres.new_database()) as address:
        ground = Ground.laid_out((TITLE, STOCK), tmp_path_factory.mktemp("news"), address)
        with staged(ground, settings, PATIENT, servers=2) as stage:
            yield stage
            assert stage.end() == []


def shown(server: Server, stage: Stage, handle: str) -> Shown:
    """The products that a process shows, by id."""
    told = Shopper(server, stage.ground.shops[handle]).do(READ)
    assert told.ok
    return {product["platformProductId"]: product for product in orjson.loads(told.body)["products"]}


def deliver(webhook: Webhook, server: Server, handle: str) -> int:
    async def send() -> int:
        async with aiohttp.ClientSession() as session:
            return await webhook.send(session, f"{server.address}/webhooks/platform/{handle}")

    return asyncio.run(send())


def tell(stage: Stage, handle: str, topic: str, body: Mapping[str, Any]) -> None:
    """The first process is told of a change."""
    stage.platform.forget()
    webhook = Webhook(topic, body, domain=stage.ground.shops[handle].domain)
    assert deliver(webhook, stage.server, handle) == 200


def shows_everywhere(stage: Stage, handle: str, condition: Callable[[Shown], bool]) -> None:
    def shows(server: Server) -> float:
        return seconds_until(lambda: condition(shown(server, stage, handle)), SHOWS_WITHIN + SLACK)

    at_once({server.port: partial(shows, server) for server in stage.servers})


def check_cost(stage: Stage, product_id: int, variants: int) -> None:
    """Each process read that product again, its prices, and nothing else."""
    requests = stage.platform.standin.requests
    read = [list(each.variables["ids"]) for each in requests if each.operation == "ProductsById"]
    priced = [each.variables["ids"] for each in requests if each.operation == "MarketPricesByVariant"]
    assert 1 <= len(read) <= len(stage.servers)
    assert all(ids == [gid("Product", product_id)] for ids in read)
    assert all(len(ids) == variants for ids in priced)
    others = {"ProductsById", "MarketPricesByVariant", "ResolvedMarket"}
    assert {each.operation for each in requests} <= others
    assert len(priced) <= len(stage.servers)


def test_a_changed_product_is_read_again_and_no_other(stage: Stage) -> None:
    product = stage.platform.standin.shop.products[SHIRT]
    for server in stage.servers:
        assert shown(server, stage, TITLE)[str(SHIRT)]["title"] == "Shirt"
    stage.platform.change(lambda: setattr(product, "title", "Linen Shirt"))
    tell(stage, TITLE, "products/update", product_body(product))
    shows_everywhere(stage, TITLE, lambda products: products[str(SHIRT)]["title"] == "Linen Shirt")
    check_cost(stage, SHIRT, variants=2)


def test_changed_stock_too(stage: Stage) -> None:
    found = stage.platform.standin.shop.variant(SCARCE_SHIRT)
    assert found is not None
    for server in stage.servers:
        assert shown(server, stage, STOCK)[str(SHIRT)]["variants"][0]["available"]
    stage.platform.change(lambda: setattr(found[1], "quantity", 0))
    tell(stage, STOCK, "inventory_levels/update", inventory_level_body(found[1]))
    shows_everywhere(stage, STOCK, lambda products: not products[str(SHIRT)]["variants"][0]["available"])
    check_cost(stage, SHIRT, variants=2)
