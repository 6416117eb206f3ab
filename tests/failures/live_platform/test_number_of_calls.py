"""The number of platform calls, counted by the stand-in while services run against it (docs/contract.md#live-data)."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.failures.live_platform.crowd import Call, call_at_once
from tests.failures.live_platform.large import COUNTRY, CRATE, all_selected, platform_shop, write_shop_file
from tests.failures.service import WITH_LONG_REDIS_TIMEOUT, Service, Setup, started
from tests.servers.redis_server import RedisServer

READ = Call(f"/bundles/{CRATE}/products?countryCode={COUNTRY}")
PRICE = Call(f"/bundles/{CRATE}/price", all_selected())
CONFIGURE = Call(f"/bundles/{CRATE}/configure", all_selected())

ONE_BY_ONE, CROWD, MIXED, WARM = "one-by-one", "crowd", "mixed", "warm"
"""Shops without cached data, one per test."""

OF_A_MARKET = ("ResolvedMarket", "MarketPricesByProduct", "MarketPricesByVariant", "FixedPricesPage")


@pytest.fixture(scope="module", params=[1, 2], ids=["one process", "two processes and Redis"])
def service(
    request: pytest.FixtureRequest, running_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("large")
    setup = Setup.prepared((ONE_BY_ONE, CROWD, MIXED), folder, source=write_shop_file(folder))
    running_redis.repair()
    redis = {"REDIS_URL": running_redis.url} if request.param > 1 else {}
    with started(setup, redis, WITH_LONG_REDIS_TIMEOUT, request.param, platform_shop()) as service:
        yield service
        assert service.end() == []


def shop_in(service: Service, handle: str, calls: Sequence[Call]) -> None:
    received = call_at_once(service.servers, service.setup.shops[handle].key, calls)
    assert {each.status for each in received} == {200}


def market_calls(service: Service) -> int:
    return sum(service.platform.calls.get(operation, 0) for operation in OF_A_MARKET)


def test_calls_for_a_cold_bundle_of_two_hundred_products(service: Service) -> None:
    """A product list, a price and a configure request, one after another in every process, need at most five platform calls in
    total."""
    service.platform.forget()
    for call in (READ, PRICE, CONFIGURE):
        shop_in(service, ONE_BY_ONE, [call] * len(service.servers))
    assert service.platform.calls["ProductsById"] <= 2
    assert market_calls(service) <= 2
    assert service.platform.calls["ShopSettings"] == 1
    assert sum(service.platform.calls.values()) <= 5


def test_five_hundred_requests_at_once_take_the_same_calls(service: Service) -> None:
    service.platform.forget()
    shop_in(service, CROWD, [READ] * 500)
    assert service.platform.calls["ProductsById"] <= 2
    assert market_calls(service) <= 2
    assert service.platform.calls["ShopSettings"] == 1


def test_mixed_requests_at_once_share_calls(service: Service) -> None:
    """Mixed concurrent requests share platform calls. A configure request fetches only the prices of its selection, or, if a
    product-list request is already fetching prices, waits for that fetch. Another process may already have fetched the other
    prices."""
    service.platform.forget()
    shop_in(service, MIXED, [READ, PRICE, CONFIGURE] * 70)
    assert service.platform.calls["ProductsById"] <= 2
    assert market_calls(service) <= 2 * len(service.servers)
    assert service.platform.calls["ShopSettings"] == 1


SECONDS, A_SECOND = 5, 100


def test_calls_at_a_hundred_requests_a_second(tmp_path: Path) -> None:
    """Cached data is fetched once per lifetime, however many requests arrive. The lifetime is one second here."""
    setup = Setup.prepared([WARM], tmp_path, source=write_shop_file(tmp_path))
    ttls = {f"BUNDLESVC_CACHE_{kind}_TTL": "1" for kind in ("PRODUCTS", "PRICES", "SHOP", "NEGATIVE")}
    with started(setup, ttls, platform_shop=platform_shop()) as service:
        shop_in(service, WARM, [READ])
        service.platform.forget()
        begun = time.monotonic()
        for tenth in range(10 * SECONDS):
            shop_in(service, WARM, [READ] * (A_SECOND // 10))
            time.sleep(max(0.0, begun + tenth / 10 - time.monotonic()))
        seconds = time.monotonic() - begun
        assert 2 <= service.platform.calls["ProductsById"] <= seconds + 1
        assert all(times <= seconds + 1 for times in service.platform.calls.values())
