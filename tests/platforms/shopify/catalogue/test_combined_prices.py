"""Concurrent price fetches for one country are combined into one (docs/decisions/0009-market-prices.md)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from bundlesvc.caching.entries import CacheTtls
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import MemoryStore
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.catalogue.market_prices import CombinedPrices, Prices
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.domain.builders import variant
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.server import Standin

PRICE = MarketPrice(Decimal(1), "EUR", Decimal(1), available_for_sale=True)


@dataclass
class Shop:
    """A shop that has a price for every variant except those in `gone`, and raises `error` if it is set. Price requests wait
    until the gate opens."""

    fetched: list[tuple[str, set[int]]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    error: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def fetch(self, tenant: Tenant, variants: Iterable[Variant], country: str) -> Prices:
        ids = {each.id for each in variants}
        self.fetched.append((country, ids))
        if self.error is not None:
            raise self.error
        return dict.fromkeys(ids - self.gone, PRICE)

    async def sleep(self, _: float) -> None:
        await self.gate.wait()


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def combined(shop: Shop) -> CombinedPrices:
    return CombinedPrices(shop.fetch, shop.sleep)


def fetch(combined: CombinedPrices, *numbers: int, country: str = "US") -> asyncio.Task[Mapping[int, MarketPrice]]:
    return asyncio.create_task(combined.prices(TENANT, [variant(number) for number in numbers], country))


async def begun() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_each_gets_the_prices_it_wants(combined: CombinedPrices, shop: Shop) -> None:
    shop.gone = {3}
    fetches = [fetch(combined, 1, 2), fetch(combined, 2, 3), fetch(combined, 1, country="JP"), fetch(combined)]
    await begun()
    assert shop.fetched == []
    shop.gate.set()
    assert [sorted(await each) for each in fetches] == [[1, 2], [2], [1], []]
    assert shop.fetched == [("US", {1, 2, 3}), ("JP", {1})]


async def test_a_later_call_starts_a_new_fetch(combined: CombinedPrices, shop: Shop) -> None:
    """A call never uses prices whose fetch began before the call."""
    shop.gate.set()
    await fetch(combined, 1)
    await fetch(combined, 1)
    assert shop.fetched == [("US", {1})] * 2


async def test_all_who_joined_get_the_error_and_the_next_fetch_works(combined: CombinedPrices, shop: Shop) -> None:
    shop.gate.set()
    shop.error = PlatformFailed()
    found = await asyncio.gather(fetch(combined, 1), fetch(combined, 2), return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 2
    shop.error = None
    assert sorted(await fetch(combined, 1)) == [1]


async def test_a_cancelled_caller_does_not_cancel_the_fetch_for_others(combined: CombinedPrices, shop: Shop) -> None:
    goes, stays = fetch(combined, 1), fetch(combined, 2)
    await begun()
    goes.cancel()
    shop.gate.set()
    assert sorted(await stays) == [2]
    assert goes.cancelled()


async def test_a_fetch_without_callers_blocks_nobody(combined: CombinedPrices, shop: Shop) -> None:
    goes = fetch(combined, 1)
    await begun()
    goes.cancel()
    await asyncio.gather(goes, return_exceptions=True)
    shop.gate.set()
    assert sorted(await fetch(combined, 2)) == [2]


async def test_closing_cancels_fetches(combined: CombinedPrices, shop: Shop) -> None:
    waits = fetch(combined, 1)
    await begun()
    await combined.aclose()
    shop.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert shop.fetched == []


BUNDLE, CHOSEN = range(1, 201), (3, 4, 5)


async def price_of(cached: CachedPlatform, product_ids: Sequence[int]) -> int:
    """Fetch the data that a product list or a price request needs. Returns the number of prices."""
    products = (await cached.products(TENANT, product_ids)).value
    variants = [each for product in products.values() for each in product.variants]
    return len((await cached.market_prices(TENANT, variants, "DE")).value)


@pytest.mark.parametrize("order", [(BUNDLE, CHOSEN, CHOSEN), (CHOSEN, BUNDLE, CHOSEN), (CHOSEN, CHOSEN, BUNDLE)])
async def test_a_list_prices_and_purchases_together_take_two_calls_for_the_market(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock, order: Sequence[Sequence[int]]
) -> None:
    standin.shop.add(*generated.products(200, 3))
    cached = CachedPlatform(platform, ReadThrough(MemoryStore(), clock, CacheStatistics(), 10), CacheTtls())
    await cached.products(TENANT, BUNDLE)
    standin.calls.clear()
    assert await asyncio.gather(*(price_of(cached, ids) for ids in order)) == [len(ids) * 3 for ids in order]
    assert standin.calls == {"ResolvedMarket": 1, "MarketPricesByProduct": 1}
