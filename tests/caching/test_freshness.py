"""How long an entry is served (fresh, stale, old, too old for pricing), and which age is reported
(docs/contract.md#live-data)."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from bundlesvc.caching.freshness import STALE_LIFETIME
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import PAUSE_SECONDS
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Variant
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import TTLS, counted
from tests.caching.live import LivePlatform
from tests.fakes import FakeClock

DAY = 24 * 60 * 60
FAILURES = [PlatformUnavailable(), PlatformFailed(), PlatformTimeout()]

Read = Callable[[], Awaitable[object]]


async def price_of(cached: CachedPlatform, tenant: Tenant, max_age: float | None = None) -> str:
    """Return the price of the first product's first variant."""
    found = (await cached.products(tenant, [1], max_age)).value[1]
    return str(found.variants[0].price)


async def settled(cached: CachedPlatform) -> None:
    """Wait until no fetch is running."""
    fetches = cached._cache._fetcher._fetches._tasks
    await asyncio.gather(*fetches, return_exceptions=True)
    await asyncio.sleep(0)  # lets callbacks of finished tasks run


async def test_fresh_entries_are_served_without_a_fetch(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock, statistics: CacheStatistics
) -> None:
    first = await cached.products(tenant, [1, 2])
    clock.move(TTLS.products)
    second = await cached.products(tenant, [2, 1])
    assert second.value == first.value == {each: live.known[each] for each in (1, 2)}
    assert live.requests == [("products", (1, 2))]
    assert counted(statistics) == {
        "reads product miss": 2, "reads product hit": 2, "fetches product ok": 1, "corrupt": 0
    }  # fmt: skip


async def test_stale_entry_is_served_while_it_is_refreshed(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    assert await price_of(cached, tenant) == "10.00"
    clock.move(TTLS.products + 1)
    live.reprice(1, "11.00")
    live.hold()
    for _ in range(100):
        assert await price_of(cached, tenant) == "10.00"
    await live.waiting.wait()
    assert live.calls["products"] == 2
    live.release()
    await settled(cached)
    assert await price_of(cached, tenant) == "11.00"
    assert live.calls["products"] == 2


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
@pytest.mark.parametrize("age", [61, 599, 601, 4000, DAY])
async def test_entries_are_served_for_a_day_while_the_platform_fails(
    failure: Unavailable, age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """While the platform fails, entries are served for up to a day, and the `Reading` that contains them reports their age."""
    await cached.products(tenant, [1])
    live.error = failure
    clock.move(age)
    reading = await cached.products(tenant, [1])
    assert reading.value == {1: live.known[1]}
    assert reading.age == pytest.approx(age)
    assert reading.lifetime == STALE_LIFETIME


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
async def test_entries_are_not_served_after_a_day(
    failure: Unavailable, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    live.error = failure
    clock.move(DAY + 1)
    with pytest.raises(type(failure)):
        await cached.products(tenant, [1])


async def test_old_entry_is_fetched_before_it_is_served(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """An old entry is fetched again before it is served, so nobody sees yesterday's price unless the platform fails."""
    await price_of(cached, tenant)
    live.reprice(1, "11.00")
    clock.move(DAY / 2)
    assert await price_of(cached, tenant) == "11.00"


async def test_reads_do_not_wait_again_while_the_platform_fails(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Reads do not wait again while the platform fails.

    An old entry is fetched again before it is served. After a failure, the entry is served immediately, and fetched in the
    background after a pause."""
    await price_of(cached, tenant)
    live.error = PlatformTimeout()
    clock.move(DAY / 2)
    await price_of(cached, tenant)
    assert live.calls["products"] == 2
    live.hold()
    for _ in range(100):
        assert await price_of(cached, tenant) == "10.00"
    assert live.calls["products"] == 2, "there is a pause after a failure"
    clock.move(PAUSE_SECONDS)
    for _ in range(100):
        assert await price_of(cached, tenant) == "10.00"
    await live.waiting.wait()
    assert live.calls["products"] == 3


async def test_recovered_platform_is_fetched_from_again(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    clock: FakeClock,
    statistics: CacheStatistics,
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed()
    clock.move(TTLS.products + 1)
    await price_of(cached, tenant)
    await settled(cached)
    assert counted(statistics)["fetches product failed"] == 1
    live.error = None
    live.reprice(1, "12.00")
    clock.move(PAUSE_SECONDS)
    assert await price_of(cached, tenant) == "10.00"
    await settled(cached)
    assert await price_of(cached, tenant) == "12.00"
    reading = await cached.products(tenant, [1])
    assert reading.age == 0


async def test_success_ends_the_pause_after_a_failure(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed()
    clock.move(TTLS.products + 1)
    await price_of(cached, tenant)
    await settled(cached)
    live.error = None
    clock.move(PAUSE_SECONDS)
    await price_of(cached, tenant)
    await settled(cached)
    live.reprice(1, "13.00")
    clock.move(DAY / 2)
    assert await price_of(cached, tenant) == "13.00", "an old value is fetched first again"


@pytest.mark.parametrize("age", [61, 601, DAY])
async def test_shop_with_a_revoked_token_serves_cached_reads_and_refuses_money(
    age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """A shop with a revoked token serves cached reads. Reads without a cache entry, and reads for pricing, fail with
    PlatformNotConnected."""
    await price_of(cached, tenant)
    live.error = PlatformNotConnected()
    clock.move(age)
    assert await price_of(cached, tenant) == "10.00"
    with pytest.raises(PlatformNotConnected):
        await cached.products(tenant, [2])
    with pytest.raises(PlatformNotConnected):
        await price_of(cached, tenant, max_age=30)


@pytest.mark.parametrize("age", [61, 200])
async def test_money_uses_entries_within_its_max_age(
    age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed()
    clock.move(age)
    assert await price_of(cached, tenant, max_age=200) == "10.00"


async def test_money_fetches_again_when_the_entry_is_too_old(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.reprice(1, "11.00")
    clock.move(200.1)
    assert await price_of(cached, tenant, max_age=200) == "11.00"
    assert live.calls["products"] == 2


async def test_max_age_may_be_shorter_than_the_ttl(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    clock.move(1)
    await price_of(cached, tenant, max_age=1)
    assert live.calls["products"] == 1
    await price_of(cached, tenant, max_age=0.5)
    assert live.calls["products"] == 2
    clock.move(1)
    await price_of(cached, tenant, max_age=0)
    assert live.calls["products"] == 3


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
async def test_money_never_uses_entries_older_than_its_max_age(
    failure: Unavailable, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    (variant, *_) = live.known[1].variants
    reads: list[Read] = [
        lambda: cached.products(tenant, [1], 200),
        lambda: cached.market_prices(tenant, [variant], "US", 200),
        lambda: cached.market_terms(tenant, "US"),
    ]
    for read in reads:
        await read()
    live.error = failure
    clock.move(201)
    for read in reads:
        with pytest.raises(PlatformUnavailable):
            await read()
    assert (await cached.products(tenant, [1])).value == {1: live.known[1]}  # a read may use an older value


async def test_money_without_an_entry_fails_as_the_platform_does(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.error = PlatformTimeout()
    with pytest.raises(PlatformTimeout):
        await price_of(cached, tenant, max_age=200)


async def test_refusal_has_the_retry_after_of_the_platform(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed(retry_after=17)
    clock.move(201)
    with pytest.raises(PlatformUnavailable) as refused:
        await price_of(cached, tenant, max_age=200)
    assert refused.value.retry_after == 17


async def test_negative_entries_have_a_short_ttl(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    reads: list[Read] = [
        lambda: cached.products(tenant, [404]),
        lambda: cached.product_by_handle(tenant, "hat"),
        lambda: cached.variant(tenant, 404),
    ]
    for read in reads:
        before = live.calls.total()
        for _ in range(50):
            found = await read()
            assert (found.value if isinstance(found, Reading) else found) in ({}, None)
        assert live.calls.total() == before + 1
    clock.move(TTLS.negative + 0.1)
    for read in reads:
        before = live.calls.total()
        await read()
        assert live.calls.total() == before + 1


async def test_negative_entry_is_not_served_after_its_ttl(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    assert await cached.product_by_handle(tenant, "hat") is None
    live.error = PlatformFailed()
    clock.move(TTLS.negative + 0.1)
    with pytest.raises(PlatformFailed):
        await cached.product_by_handle(tenant, "hat")


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (0, (0.0, 60.0)),
        (20, (0.0, 40.0)),
        (59.5, (0.0, 0.5)),
        (60.5, (60.5, STALE_LIFETIME)),
        (300, (300.0, STALE_LIFETIME)),
    ],
)
async def test_reading_reports_its_age_and_lifetime(
    age: float,
    expected: tuple[float, float],
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    clock: FakeClock,
) -> None:
    """Fresh values report age 0, and may be cached for as long as they stay fresh."""
    await cached.products(tenant, [1])
    clock.move(age)
    reading = await cached.products(tenant, [1])
    assert (reading.age, reading.lifetime) == pytest.approx(expected, abs=1e-3)


async def test_age_and_lifetime_are_those_of_the_oldest_entry(
    cached: CachedPlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    clock.move(25)
    await cached.products(tenant, [2])
    reading = await cached.products(tenant, [1, 2])
    assert (reading.age, reading.lifetime) == pytest.approx((0.0, 35), abs=1e-3)
    reading = await cached.products(tenant, [1, 2, 404])
    assert (reading.age, reading.lifetime) == pytest.approx((0.0, TTLS.negative), abs=1e-3)
    reading = await cached.products(tenant, [])
    assert (reading.value, reading.age, reading.lifetime) == ({}, 0.0, 60.0)


async def test_prices_have_a_ttl_of_their_own(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    variants: tuple[Variant, ...] = live.known[1].variants
    reading = await cached.market_prices(tenant, variants, "US")
    assert reading.lifetime == pytest.approx(TTLS.prices)
    assert reading.value[10].presentment_price == Decimal("11.00")
    clock.move(TTLS.prices + 1)
    live.rate = Decimal(2)
    await cached.market_prices(tenant, variants, "US")
    await settled(cached)
    assert (await cached.market_prices(tenant, variants, "US")).value[10].presentment_price == Decimal("20.00")


async def test_entry_read_by_a_clock_ahead_of_ours_is_fresh(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    clock.move(-20)
    reading = await cached.products(tenant, [1])
    assert (reading.age, reading.lifetime) == pytest.approx((0.0, 60), abs=1e-3)
    assert live.calls["products"] == 1
