"""How gently the platform is treated, counted by the stand-in through running services (design 1 and 13)."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.failures.crowd import Call, call_at_once
from tests.failures.large import COUNTRY, CRATE, all_selected, platform_shop, write_shop_file
from tests.failures.stage import PATIENT, Ground, Stage, staged
from tests.redis_server import RedisServer

READ = Call(f"/bundles/{CRATE}/products?countryCode={COUNTRY}")
PRICE = Call(f"/bundles/{CRATE}/price", all_selected())
CONFIGURE = Call(f"/bundles/{CRATE}/configure", all_selected())

ONE_BY_ONE, CROWD, MIXED, WARM = "one-by-one", "crowd", "mixed", "warm"
"""Shops that nobody has seen, one for each test."""

OF_A_MARKET = ("ResolvedMarket", "MarketPricesByProduct", "MarketPricesByVariant", "FixedPricesPage")


@pytest.fixture(scope="module", params=[1, 2], ids=["one process", "two processes and Redis"])
def stage(
    request: pytest.FixtureRequest, running_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("large")
    ground = Ground.laid_out((ONE_BY_ONE, CROWD, MIXED), folder, source=write_shop_file(folder))
    running_redis.repair()
    redis = {"REDIS_URL": running_redis.url} if request.param > 1 else {}
    with staged(ground, redis, PATIENT, request.param, platform_shop()) as stage:
        yield stage
        assert stage.end() == []


def shop_in(stage: Stage, handle: str, calls: Sequence[Call]) -> None:
    heard = call_at_once(stage.servers, stage.ground.shops[handle].key, calls)
    assert {each.status for each in heard} == {200}


def asked_of_a_market(stage: Stage) -> int:
    return sum(stage.platform.asked.get(operation, 0) for operation in OF_A_MARKET)


def test_a_cold_bundle_of_two_hundred_products(stage: Stage) -> None:
    """Its list, its price and its purchase, one after another, in every process."""
    stage.platform.forget()
    for call in (READ, PRICE, CONFIGURE):
        shop_in(stage, ONE_BY_ONE, [call] * len(stage.servers))
    assert stage.platform.asked["ProductsById"] <= 2
    assert asked_of_a_market(stage) <= 2
    assert stage.platform.asked["ShopSettings"] == 1
    assert sum(stage.platform.asked.values()) <= 5


def test_five_hundred_at_once_cost_the_same(stage: Stage) -> None:
    stage.platform.forget()
    shop_in(stage, CROWD, [READ] * 500)
    assert stage.platform.asked["ProductsById"] <= 2
    assert asked_of_a_market(stage) <= 2
    assert stage.platform.asked["ShopSettings"] == 1


def test_prices_and_purchases_among_them(stage: Stage) -> None:
    """A purchase needs the prices of what was chosen only: at the same moment they are part of the list's question. Another
    process may have put that for the rest."""
    stage.platform.forget()
    shop_in(stage, MIXED, [READ, PRICE, CONFIGURE] * 70)
    assert stage.platform.asked["ProductsById"] <= 2
    assert asked_of_a_market(stage) <= 2 * len(stage.servers)
    assert stage.platform.asked["ShopSettings"] == 1


SECONDS, A_SECOND = 5, 100


def test_a_hundred_requests_a_second(tmp_path: Path) -> None:
    """Of what is kept, each thing is asked for once in the time for which it is fresh: here that is a second."""
    ground = Ground.laid_out([WARM], tmp_path, source=write_shop_file(tmp_path))
    ttls = {f"BUNDLESVC_CACHE_{kind}_TTL": "1" for kind in ("PRODUCTS", "PRICES", "SHOP", "NEGATIVE")}
    with staged(ground, ttls, platform_shop=platform_shop()) as stage:
        shop_in(stage, WARM, [READ])
        stage.platform.forget()
        begun = time.monotonic()
        for tenth in range(10 * SECONDS):
            shop_in(stage, WARM, [READ] * (A_SECOND // 10))
            time.sleep(max(0.0, begun + tenth / 10 - time.monotonic()))
        seconds = time.monotonic() - begun
        assert 2 <= stage.platform.asked["ProductsById"] <= seconds + 1
        assert all(times <= seconds + 1 for times in stage.platform.asked.values())
