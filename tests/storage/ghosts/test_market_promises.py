"""Prices promised for ghost variants in markets: the first promise stored for a price list remains valid."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.ghosts.prices import MarketPromise
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from tests.storage.configured_bundles import NOW

D = Decimal
GHOST, OTHER = 8 * 10**15, 9 * 10**15


@pytest.fixture
def promises(database: Database) -> SqlMarketPromises:
    return SqlMarketPromises(database)


async def test_a_promise_is_stored_with_its_newest_price(promises: SqlMarketPromises, tenant: Tenant) -> None:
    assert await promises.find(tenant, GHOST, "US") is None
    promise = MarketPromise("US", D("14.09"))
    assert await promises.add(tenant, GHOST, "US", promise) == promise
    assert await promises.find(tenant, GHOST, "US") == promise
    for price in (D("15.49"), D("15.50")):
        await promises.priced(tenant, GHOST, "US", price, NOW)
    priced = replace(promise, price=D("15.50"), priced_at=NOW)
    assert await promises.find(tenant, GHOST, "US") == priced
    assert await promises.add(tenant, GHOST, "US", replace(promise, promise=D(20))) == priced


async def test_promises_are_stored_per_ghost_price_list_and_shop(promises: SqlMarketPromises, tenant: Tenant) -> None:
    for ghost, price_list, promise in ((GHOST, "US", 1), (GHOST, "JP", 2), (OTHER, "US", 3)):
        await promises.add(tenant, ghost, price_list, MarketPromise(price_list, D(promise)))
    await promises.priced(tenant, GHOST, "US", D(1), NOW)
    assert await promises.all_of(tenant, GHOST) == [
        MarketPromise("JP", D(2)),
        MarketPromise("US", D(1), D(1), NOW),
    ]
    assert await promises.all_of(tenant, OTHER) == [MarketPromise("US", D(3))]
    assert await promises.all_of(replace(tenant, id=999), GHOST) == []


async def test_the_first_of_simultaneous_promises_counts(promises: SqlMarketPromises, tenant: Tenant) -> None:
    made = [promises.add(tenant, GHOST, "US", MarketPromise("US", D(promise))) for promise in range(1, 21)]
    stand = set(await asyncio.gather(*made))
    assert stand == {await promises.find(tenant, GHOST, "US")}
