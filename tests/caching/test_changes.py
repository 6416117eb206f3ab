"""Exactly which data a change invalidates, including data whose fetch is in flight when the change arrives
(docs/contract.md#live-data)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.caching import freshness
from bundlesvc.caching.freshness import ChangeTimes
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.stores import MemoryStore
from bundlesvc.domain.live_platform.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
    NumberedChange,
)
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform, live_tenant
from tests.fakes import FakeClock

ITEM_OF_1 = 1_000_011
"""The inventory item of the second variant of product 1."""

READS: dict[str, Callable[[CachedPlatform, LivePlatform, Tenant], Awaitable[object]]] = {
    "product 1": lambda cached, _, tenant: cached.products(tenant, [1]),
    "product 2": lambda cached, _, tenant: cached.products(tenant, [2]),
    "prices of 1 in US": lambda cached, live, tenant: cached.market_prices(tenant, live.known[1].variants, "US"),
    "prices of 1 in JP": lambda cached, live, tenant: cached.market_prices(tenant, live.known[1].variants, "JP"),
    "prices of 2 in US": lambda cached, live, tenant: cached.market_prices(tenant, live.known[2].variants, "US"),
    "handle of 1": lambda cached, _, tenant: cached.product_by_handle(tenant, "product-1"),
    "handle of 2": lambda cached, _, tenant: cached.product_by_handle(tenant, "product-2"),
    "handle for 1": lambda cached, _, tenant: cached.handle_of(tenant, 1),
    "variant of 1": lambda cached, _, tenant: cached.variant(tenant, 10),
    "shop": lambda cached, _, tenant: cached.shop(tenant),
    "plans of 1": lambda cached, _, tenant: cached.selling_plans(tenant, [1]),
    "terms": lambda cached, _, tenant: cached.market_terms(tenant, "US"),
}

OUTDATES: list[tuple[Change, set[str]]] = [
    (
        Change(PRODUCT, 1),
        {"product 1", "prices of 1 in US", "prices of 1 in JP", "handle of 1", "handle for 1", "variant of 1"},
    ),
    # The variant identifies the product, which is read again.
    (Change(INVENTORY_ITEM, ITEM_OF_1), {"product 1", "variant of 1"}),
    (Change(SHOP_SETTINGS), {"shop"}),
    (Change(MARKETS), {"prices of 1 in US", "prices of 1 in JP", "prices of 2 in US", "terms"}),
    (Change(SELLING_PLANS), {"plans of 1"}),
    (Change(PRODUCT, 404), set()),
    (Change(INVENTORY_ITEM, 404), set()),
]


async def fetched_again(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> set[str]:
    """Run all reads, and return the names of those that send a request to the platform."""
    found = set()
    for name, read in READS.items():
        before = live.calls.total()
        await read(cached, live, tenant)
        if live.calls.total() > before:
            found.add(name)
    return found


@pytest.mark.parametrize(("change", "outdated"), OUTDATES, ids=[f"{change.kind}-{change.id}" for change, _ in OUTDATES])
async def test_change_outdates_exactly_what_depends_on_it(
    change: Change, outdated: set[str], live: LivePlatform, cached: CachedPlatform, tenant: Tenant
) -> None:
    for name, read in READS.items():
        await fetched_again(cached, live, tenant)
        assert await fetched_again(cached, live, tenant) == set()
        await cached.drop(tenant, [change])
        before = live.calls.total()
        await read(cached, live, tenant)
        assert (live.calls.total() > before) == (name in outdated), name


async def test_change_does_not_outdate_entries_of_other_shops(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    other = live_tenant(shop_id=2)
    await cached.products(other, [1])
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    await cached.products(other, [1])
    assert live.calls["products"] == 1


async def test_several_changes_can_be_dropped_together(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await fetched_again(cached, live, tenant)
    await cached.drop(tenant, [change for change, _ in OUTDATES])
    await cached.drop(tenant, [])
    assert "product 1" in await fetched_again(cached, live, tenant)


async def test_new_handle_is_found_and_the_old_one_is_not(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await cached.product_by_handle(tenant, "product-1")
    live.known[1] = replace(live.known[1], handle="renamed")
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    assert await cached.product_by_handle(tenant, "renamed") == 1
    assert await cached.product_by_handle(tenant, "product-1") is None


async def test_deleted_product_is_not_served(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    await cached.products(tenant, [1])
    del live.known[1]
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    assert (await cached.products(tenant, [1])).value == {}


async def test_outdated_entry_is_not_served_when_the_platform_fails(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await cached.products(tenant, [1])
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    live.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await cached.products(tenant, [1])


def sold_out(product: Product) -> Product:
    return replace(product, variants=tuple(replace(one, inventory_quantity=0) for one in product.variants))


@pytest.mark.parametrize("change", [Change(PRODUCT, 1), Change(INVENTORY_ITEM, ITEM_OF_1)], ids=str)
async def test_response_sent_for_before_a_change_is_not_cached(
    change: Change, cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    """A response that was requested before a change is not cached if it arrives after the webhook about the change."""
    live.hold()
    request = asyncio.create_task(cached.products(tenant, [1]))
    await live.waiting.wait()
    live.known[1] = sold_out(live.known[1])
    await cached.drop(tenant, [change])
    live.release()
    await request
    assert await cached._cache._store._store.read([*cached._products(tenant).names([1])]) == [None]
    found = (await cached.products(tenant, [1])).value[1]
    assert not any(one.available for one in found.variants)
    assert live.calls["products"] == 2
    await cached.products(tenant, [1])
    assert live.calls["products"] == 2


async def test_read_after_a_change_does_not_use_an_earlier_fetch(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    """A read after a change does not use an earlier fetch, even one that is still in flight."""
    live.hold()
    before = asyncio.create_task(cached.products(tenant, [1]))
    await live.waiting.wait()
    live.known[1] = sold_out(live.known[1])
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    after = asyncio.create_task(cached.products(tenant, [1]))
    for _ in range(5):
        await asyncio.sleep(0)
    live.release()
    await before
    assert not any(one.available for one in (await after).value[1].variants)


async def test_prices_sent_for_before_a_change_are_not_cached(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    variants = live.known[1].variants
    live.hold()
    request = asyncio.create_task(cached.market_prices(tenant, variants, "US"))
    await live.waiting.wait()
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    live.rate = Decimal(3)
    live.release()
    await request
    found = await cached.market_prices(tenant, variants, "US")
    assert found.value[10].presentment_price == Decimal("30.00")


async def test_constant_changes_do_not_block_reads(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    """Constant changes do not block reads. Each response is outdated on arrival, but a request may use any response that was
    fetched after the request began."""

    async def change_again() -> None:
        while True:
            await cached.drop(tenant, [Change(INVENTORY_ITEM, ITEM_OF_1)])
            await asyncio.sleep(0)

    changing = asyncio.create_task(change_again())
    async with asyncio.timeout(5):
        for _ in range(20):
            assert list((await cached.products(tenant, [1])).value) == [1]
    changing.cancel()
    assert live.calls["products"] <= 40


@pytest.mark.parametrize(
    ("read", "fetches"),
    [(-10, 1), (-1, 1), (0.5, 1), (1.5, 0), (30, 0)],
    ids=["long before", "before", "in that second", "after", "long after"],
)
async def test_starting_process_ignores_entries_read_before_recalled_changes(
    read: float, fetches: int, make_cache: MakeCache, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """When a process starts and loads earlier changes, it ignores cache entries that were read before these changes. Here,
    another process fetched the entry `read` seconds after a change."""
    store, changed_at = MemoryStore(), int(clock.now())
    clock.move(read)
    await make_cache(store).products(tenant, [1])
    live.requests.clear()
    clock.time = changed_at + 40
    starts = make_cache(store)
    item = Change(INVENTORY_ITEM, ITEM_OF_1)
    starts.recall(tenant, [NumberedChange(2, 1, item, changed_at), NumberedChange(1, 1, item, changed_at - 100)])
    await starts.products(tenant, [1])
    assert live.calls["products"] == fetches


async def test_recalled_change_of_the_current_second_outdates_earlier_reads_only(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    cached.recall(tenant, [NumberedChange(1, 1, Change(PRODUCT, 1), int(clock.now()))])
    for _ in range(2):
        await cached.products(tenant, [1])
    assert live.calls["products"] == 1


def test_number_of_remembered_changes_is_bounded(monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> None:
    monkeypatch.setattr(freshness, "MAX_SUBJECTS", 100)
    changes = ChangeTimes(clock)
    for number in range(1000):
        changes.note("shop:", [(PRODUCT, number)])
    assert list(changes.moment("shop:").changed) == [(PRODUCT, number) for number in range(900, 1000)]


def test_times_always_advance(clock: FakeClock) -> None:
    changes = ChangeTimes(clock)
    given = [changes.next() for _ in range(3)]
    changes.note("shop:", [(MARKETS, None)])
    given += [changes.moment("shop:").latest, changes.next()]
    clock.move(-10)
    given.append(changes.next())
    assert given == sorted(set(given))
