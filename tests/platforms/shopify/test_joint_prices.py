"""Questions for prices of one country that come at the same moment are one, whoever asks them (design 13)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from bundlesvc.caching.kinds import Freshness
from bundlesvc.caching.memory import MemoryStore
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.market_prices import CombinedPrices, Prices
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.domain.builders import variant
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import TENANT
from tests.standin import generated
from tests.standin.server import Standin

PRICE = MarketPrice(Decimal(1), "EUR", Decimal(1), available_for_sale=True)


@dataclass
class Shop:
    """Knows a price of every variant but those that are gone; fails when told to. Boarding ends when the gate is opened."""

    asked: list[tuple[str, set[int]]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    error: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, tenant: Tenant, variants: Iterable[Variant], country: str) -> Prices:
        ids = {each.id for each in variants}
        self.asked.append((country, ids))
        if self.error is not None:
            raise self.error
        return dict.fromkeys(ids - self.gone, PRICE)

    async def sleep(self, _: float) -> None:
        await self.gate.wait()


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def joint(shop: Shop) -> CombinedPrices:
    return CombinedPrices(shop.ask, shop.sleep)


def ask(joint: CombinedPrices, *numbers: int, country: str = "US") -> asyncio.Task[Mapping[int, MarketPrice]]:
    return asyncio.create_task(joint.prices(TENANT, [variant(number) for number in numbers], country))


async def begun() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_each_is_answered_what_it_asked(joint: CombinedPrices, shop: Shop) -> None:
    shop.gone = {3}
    questions = [ask(joint, 1, 2), ask(joint, 2, 3), ask(joint, 1, country="JP"), ask(joint)]
    await begun()
    assert shop.asked == []
    shop.gate.set()
    assert [sorted(await each) for each in questions] == [[1, 2], [2], [1], []]
    assert shop.asked == [("US", {1, 2, 3}), ("JP", {1})]


async def test_who_comes_when_it_was_put_asks_anew(joint: CombinedPrices, shop: Shop) -> None:
    """What is answered was read after it was asked for."""
    shop.gate.set()
    await ask(joint, 1)
    await ask(joint, 1)
    assert shop.asked == [("US", {1})] * 2


async def test_a_failure_is_everybodys_and_not_the_next_ones(joint: CombinedPrices, shop: Shop) -> None:
    shop.gate.set()
    shop.error = PlatformFailed()
    found = await asyncio.gather(ask(joint, 1), ask(joint, 2), return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 2
    shop.error = None
    assert sorted(await ask(joint, 1)) == [1]


async def test_who_goes_away_takes_the_answer_from_nobody(joint: CombinedPrices, shop: Shop) -> None:
    goes, stays = ask(joint, 1), ask(joint, 2)
    await begun()
    goes.cancel()
    shop.gate.set()
    assert sorted(await stays) == [2]
    assert goes.cancelled()


@pytest.mark.parametrize("steps", range(4))
async def test_what_all_went_away_from_holds_nobody_up(joint: CombinedPrices, shop: Shop, steps: int) -> None:
    goes = ask(joint, 1)
    for _ in range(steps):
        await asyncio.sleep(0)
    goes.cancel()
    await asyncio.gather(goes, return_exceptions=True)
    shop.gate.set()
    assert sorted(await ask(joint, 2)) == [2]
    assert shop.asked == [("US", {2})]


BUNDLE, CHOSEN = range(1, 201), (3, 4, 5)


async def price_of(cached: CachedPlatform, product_ids: Sequence[int]) -> int:
    """What a list or a price asks for; how many prices were found."""
    products = (await cached.products(TENANT, product_ids)).value
    variants = [each for product in products.values() for each in product.variants]
    return len((await cached.market_prices(TENANT, variants, "DE")).value)


@pytest.mark.parametrize("order", [(BUNDLE, CHOSEN, CHOSEN), (CHOSEN, BUNDLE, CHOSEN), (CHOSEN, CHOSEN, BUNDLE)])
async def test_a_cold_list_with_prices_and_purchases_beside_it_is_two_calls_for_the_market(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock, order: Sequence[Sequence[int]]
) -> None:
    standin.shop.add(*generated.products(200, 3))
    cached = CachedPlatform(platform, ReadThrough(MemoryStore(), clock, CacheStatistics(), 10), Freshness())
    await cached.products(TENANT, BUNDLE)
    standin.calls.clear()
    assert await asyncio.gather(*(price_of(cached, ids) for ids in order)) == [len(ids) * 3 for ids in order]
    assert standin.calls == {"ResolvedMarket": 1, "MarketPricesByProduct": 1}
