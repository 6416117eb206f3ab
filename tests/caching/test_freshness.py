"""How long an answer serves: fresh, aging, old, too old for money; and what is said of its age (design 9 and 13)."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from bundlesvc.caching.fetcher import PAUSE_SECONDS
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.queries import STALE_LIFETIME
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.product import Variant
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import TTLS, counted
from tests.caching.live import LivePlatform
from tests.fakes import FakeClock

DAY = 24 * 60 * 60
FAILURES = [PlatformUnavailable(), PlatformFailed(), PlatformTimeout()]

Ask = Callable[[], Awaitable[object]]


async def price_of(cached: CachedPlatform, tenant: Tenant, max_age: float | None = None) -> str:
    """The price of the first product's first variant."""
    found = (await cached.products(tenant, [1], max_age)).value[1]
    return str(found.variants[0].price)


async def settled(cached: CachedPlatform) -> None:
    """Returns when nothing is being asked behind requests any more."""
    flights = cached._cache._fetcher._fetches._tasks
    await asyncio.gather(*flights, return_exceptions=True)
    await asyncio.sleep(0)  # for the callbacks of what ended


async def test_what_is_fresh_is_served(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock, statistics: CacheStatistics
) -> None:
    first = await cached.products(tenant, [1, 2])
    clock.move(TTLS.products)
    second = await cached.products(tenant, [2, 1])
    assert second.value == first.value == {each: live.known[each] for each in (1, 2)}
    assert live.asked == [("products", (1, 2))]
    assert counted(statistics) == {
        "reads product miss": 2, "reads product hit": 2, "fetches product ok": 1, "corrupt": 0
    }  # fmt: skip


async def test_what_is_no_longer_fresh_is_served_while_it_is_renewed(
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
async def test_a_failing_platform_is_stood_in_for(
    failure: Unavailable, age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """For a day, and the answer says how old it is."""
    await cached.products(tenant, [1])
    live.error = failure
    clock.move(age)
    reading = await cached.products(tenant, [1])
    assert reading.value == {1: live.known[1]}
    assert reading.age == pytest.approx(age)
    assert reading.lifetime == STALE_LIFETIME


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
async def test_nothing_serves_for_longer_than_a_day(
    failure: Unavailable, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    live.error = failure
    clock.move(DAY + 1)
    with pytest.raises(type(failure)):
        await cached.products(tenant, [1])


async def test_what_is_old_is_asked_for_first(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Nobody sees yesterday's price in the morning, except when there is no other."""
    await price_of(cached, tenant)
    live.reprice(1, "11.00")
    clock.move(DAY / 2)
    assert await price_of(cached, tenant) == "11.00"


async def test_while_the_platform_fails_nobody_waits_for_it_again(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """What is old is asked for first; once that failed, it is served at once, and asked for behind the requests, in turns."""
    await price_of(cached, tenant)
    live.error = PlatformTimeout()
    clock.move(DAY / 2)
    await price_of(cached, tenant)
    assert live.calls["products"] == 2
    live.hold()
    for _ in range(100):
        assert await price_of(cached, tenant) == "10.00"
    assert live.calls["products"] == 2, "a question that failed is let rest"
    clock.move(PAUSE_SECONDS)
    for _ in range(100):
        assert await price_of(cached, tenant) == "10.00"
    await live.waiting.wait()
    assert live.calls["products"] == 3


async def test_a_platform_that_is_back_is_noticed(
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


async def test_a_failure_is_forgotten_once_the_platform_has_answered(
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
    assert await price_of(cached, tenant) == "13.00", "what is old is asked for first again"


@pytest.mark.parametrize("age", [61, 601, DAY])
async def test_a_shop_whose_token_was_revoked(
    age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """What is kept serves on; what is not, and money, says that the shop is not connected."""
    await price_of(cached, tenant)
    live.error = PlatformNotConnected()
    clock.move(age)
    assert await price_of(cached, tenant) == "10.00"
    with pytest.raises(PlatformNotConnected):
        await cached.products(tenant, [2])
    with pytest.raises(PlatformNotConnected):
        await price_of(cached, tenant, max_age=30)


@pytest.mark.parametrize("age", [61, 200])
async def test_money_takes_what_is_young_enough(
    age: float, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed()
    clock.move(age)
    assert await price_of(cached, tenant, max_age=200) == "10.00"


async def test_money_is_read_again_when_it_is_too_old(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.reprice(1, "11.00")
    clock.move(200.1)
    assert await price_of(cached, tenant, max_age=200) == "11.00"
    assert live.calls["products"] == 2


async def test_money_may_be_asked_to_be_fresher_than_fresh(
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
async def test_money_is_never_made_of_what_is_too_old(
    failure: Unavailable, cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    (variant, *_) = live.known[1].variants
    asks: list[Ask] = [
        lambda: cached.products(tenant, [1], 200),
        lambda: cached.market_prices(tenant, [variant], "US", 200),
        lambda: cached.market_terms(tenant, "US"),
    ]
    for ask in asks:
        await ask()
    live.error = failure
    clock.move(201)
    for ask in asks:
        with pytest.raises(PlatformUnavailable):
            await ask()
    assert (await cached.products(tenant, [1])).value == {1: live.known[1]}  # a read may be older


async def test_money_that_was_never_read_fails_as_the_platform_does(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.error = PlatformTimeout()
    with pytest.raises(PlatformTimeout):
        await price_of(cached, tenant, max_age=200)


async def test_how_long_to_wait_is_passed_on(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await price_of(cached, tenant)
    live.error = PlatformFailed(retry_after=17)
    clock.move(201)
    with pytest.raises(PlatformUnavailable) as refused:
        await price_of(cached, tenant, max_age=200)
    assert refused.value.retry_after == 17


async def test_what_the_platform_does_not_know_is_remembered_briefly(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    asks: list[Ask] = [
        lambda: cached.products(tenant, [404]),
        lambda: cached.product_by_handle(tenant, "hat"),
        lambda: cached.variant(tenant, 404),
    ]
    for ask in asks:
        before = live.calls.total()
        for _ in range(50):
            found = await ask()
            assert (found.value if isinstance(found, Reading) else found) in ({}, None)
        assert live.calls.total() == before + 1
    clock.move(TTLS.negative + 0.1)
    for ask in asks:
        before = live.calls.total()
        await ask()
        assert live.calls.total() == before + 1


async def test_that_it_was_unknown_serves_no_longer_when_the_platform_fails(
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
async def test_age_and_lifetime(
    age: float,
    expected: tuple[float, float],
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    clock: FakeClock,
) -> None:
    """Fresh answers have no age to tell of, and may be kept for as long as they stay fresh."""
    await cached.products(tenant, [1])
    clock.move(age)
    reading = await cached.products(tenant, [1])
    assert (reading.age, reading.lifetime) == pytest.approx(expected, abs=1e-3)


async def test_age_and_lifetime_are_those_of_the_oldest(
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


async def test_prices_have_their_own_freshness(
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


async def test_another_computer_s_clock_may_be_ahead(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    clock.move(-20)
    reading = await cached.products(tenant, [1])
    assert (reading.age, reading.lifetime) == pytest.approx((0.0, 60), abs=1e-3)
    assert live.calls["products"] == 1
