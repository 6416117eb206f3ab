"""One request waits for the platform for so long in all, and what it waits for goes on without it (design 13)."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformTimeout, PlatformUnavailable
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import Tenant
from bundlesvc.patience import limit_waiting, within_patience
from tests.caching.conftest import TTLS
from tests.caching.live import LivePlatform
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock

LIMIT = 0.05
"""Seconds; the platform has a hundred times as many for each question."""


def request(work: Callable[[], Awaitable[object]], seconds: float = LIMIT) -> asyncio.Task[object]:
    """A request, in a context of its own as the server gives it one."""

    async def handled() -> object:
        limit_waiting(seconds)
        return await work()

    return asyncio.create_task(handled())


async def test_its_questions_share_the_time(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    """The first one takes most of it, so the second is given up soon; another request finds both answered."""
    loop = asyncio.get_running_loop()

    async def work() -> None:
        live.hold()
        loop.call_later(LIMIT / 2, live.release)
        await cached.shop(tenant)
        live.hold()
        await cached.products(tenant, [1])

    begun = loop.time()
    with pytest.raises(PlatformTimeout):
        await request(work)
    assert loop.time() - begun < LIMIT * 2
    live.release()
    await settled(cached)
    live.error = ZeroDivisionError("the platform is not asked again")
    await request(lambda: cached.shop(tenant))
    await request(lambda: cached.products(tenant, [1]))


async def test_who_waits_with_it_is_answered(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    hasty = request(lambda: cached.products(tenant, [1]))
    patient = request(lambda: cached.products(tenant, [1]), seconds=60)
    with pytest.raises(PlatformTimeout):
        await hasty
    live.release()
    await patient
    assert live.calls["products"] == 1


async def test_what_is_old_is_served_when_the_time_is_up(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    clock.move(3600)
    live.hold()
    reading = await request(lambda: cached.products(tenant, [1]))
    assert isinstance(reading, Reading)
    assert reading.age == pytest.approx(3600)
    with pytest.raises(PlatformUnavailable):
        await request(lambda: cached.products(tenant, [1], TTLS.price_max_age))


async def test_what_is_at_hand_is_served_without_any_time_left(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await cached.products(tenant, [1])

    async def work() -> None:
        live.hold()
        with pytest.raises(PlatformTimeout):
            await cached.shop(tenant)
        await cached.products(tenant, [1])

    await request(work)


async def test_a_ghost_is_made_though_its_request_was_given_up(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    with pytest.raises(PlatformTimeout):
        await request(lambda: cached.create_ghost_variant(tenant, 1, "identity", Decimal(5)))
    again = request(lambda: cached.create_ghost_variant(tenant, 1, "identity", Decimal(5)), seconds=60)
    await asyncio.sleep(0)
    live.release()
    assert await again == 8000
    assert live.calls["create_ghost_variant"] == 1


async def test_the_clock_runs_from_the_first_wait(cached: CachedPlatform, tenant: Tenant) -> None:
    """A client that sends its body slowly is answered all the same."""

    async def work() -> None:
        await asyncio.sleep(LIMIT * 2)
        await cached.products(tenant, [1])

    await request(work)


async def test_without_a_limit_it_waits(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    async with within_patience():
        await asyncio.sleep(0)
    live.hold()
    waits = asyncio.create_task(cached.products(tenant, [1]))
    await asyncio.wait([waits], timeout=LIMIT * 2)
    assert not waits.done()
    live.release()
    await waits
