"""When the deadline of a request has passed, the request stops waiting, but a fetch continues if other requests may be waiting
for it."""

import asyncio
from decimal import Decimal

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformTimeout, PlatformUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from tests.caching.conftest import TTLS
from tests.caching.live import LivePlatform
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock

pytestmark = pytest.mark.usefixtures("skipped_waits")

SECONDS = 0.3
"""The deadline in seconds; the platform's timeout per call is many times as long."""


def short() -> RequestDeadline:
    return RequestDeadline(SECONDS)


async def test_all_reads_of_a_request_share_its_deadline(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    loop = asyncio.get_running_loop()
    deadline, begun = short(), loop.time()
    live.hold()
    loop.call_later(SECONDS / 2, live.release)
    await cached.shop(tenant, deadline)
    live.hold()
    with pytest.raises(PlatformTimeout):
        await cached.products(tenant, [1], deadline=deadline)
    assert loop.time() - begun == pytest.approx(SECONDS)


async def test_fetch_finishes_after_the_deadline(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    with pytest.raises(PlatformTimeout):
        await cached.products(tenant, [1], deadline=short())
    live.release()
    await settled(cached)
    live.error = ZeroDivisionError("the platform gets no second request")
    await cached.products(tenant, [1], deadline=short())


async def test_deadline_of_one_request_does_not_end_the_wait_of_another(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    first = asyncio.create_task(cached.products(tenant, [1], deadline=short()))
    second = asyncio.create_task(cached.products(tenant, [1], deadline=RequestDeadline(60)))
    with pytest.raises(PlatformTimeout):
        await first
    live.release()
    assert list((await second).value) == [1]
    assert live.calls["products"] == 1


async def test_old_entry_is_served_at_the_deadline(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await cached.products(tenant, [1])
    clock.move(3600)
    live.hold()
    reading = await cached.products(tenant, [1], deadline=short())
    assert reading.age == pytest.approx(3600)
    with pytest.raises(PlatformUnavailable):
        await cached.products(tenant, [1], TTLS.price_max_age, short())


async def test_fresh_entry_is_served_after_the_deadline(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await cached.products(tenant, [1])
    deadline = short()
    live.hold()
    with pytest.raises(PlatformTimeout):
        await cached.shop(tenant, deadline)
    assert list((await cached.products(tenant, [1], deadline=deadline)).value) == [1]


@pytest.mark.parametrize(
    "read", ["shop", "products", "market_prices", "variant", "handle", "handle of", "plans", "terms", "ghost"]
)
async def test_every_read_and_ghost_variant_obeys_the_deadline(
    read: str, cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    calls = {
        "shop": cached.shop(tenant, short()),
        "products": cached.products(tenant, [1], deadline=short()),
        "market_prices": cached.market_prices(tenant, live.known[1].variants, "US", deadline=short()),
        "variant": cached.variant(tenant, 10, short()),
        "handle": cached.product_by_handle(tenant, "product-1", short()),
        "handle of": cached.handle_of(tenant, 1, short()),
        "plans": cached.selling_plans(tenant, [1], short()),
        "terms": cached.market_terms(tenant, "US", short()),
        "ghost": cached.create_ghost_variant(tenant, 1, "identity", Decimal(5), short()),
    }
    live.hold()
    with pytest.raises(PlatformTimeout):
        await calls.pop(read)
    for other in calls.values():
        other.close()


async def test_product_of_a_variant_obeys_the_deadline(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    """The fetch of a variant's product obeys the deadline, here when the variant is cached but its product is not."""
    await cached.variant(tenant, 10)
    await cached._cache.delete(cached._products(tenant).names([1]))
    live.hold()
    with pytest.raises(PlatformTimeout):
        await cached.variant(tenant, 10, short())


async def test_ghost_variant_is_created_after_the_deadline(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    with pytest.raises(PlatformTimeout):
        await cached.create_ghost_variant(tenant, 1, "identity", Decimal(5), short())
    again = asyncio.create_task(cached.create_ghost_variant(tenant, 1, "identity", Decimal(5), RequestDeadline(60)))
    await asyncio.sleep(0)
    live.release()
    assert await again == 8000
    assert live.calls["create_ghost_variant"] == 1


async def test_time_runs_from_the_first_wait(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    """The time until a deadline is counted from the first wait, so that a client that sends its body slowly still gets its
    response."""
    deadline = short()
    await asyncio.sleep(SECONDS * 2)
    live.hold()
    asyncio.get_running_loop().call_soon(live.release)
    assert list((await cached.products(tenant, [1], deadline=deadline)).value) == [1]


async def test_without_a_deadline_a_read_waits(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    waits = asyncio.create_task(cached.products(tenant, [1], deadline=NO_DEADLINE))
    await asyncio.wait([waits], timeout=SECONDS * 2)
    assert not waits.done()
    live.release()
    assert list((await waits).value) == [1]
