"""Identical ghost variants that are requested at the same moment are created only once (docs/contract.md#ghost-variants)."""

import asyncio
from decimal import Decimal

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform, live_tenant

PRICE = Decimal("22.99")


def create(cached: CachedPlatform, tenant: Tenant, identity: str = "a") -> asyncio.Task[int]:
    return asyncio.create_task(cached.create_ghost_variant(tenant, 1, identity, PRICE))


async def begun(live: LivePlatform) -> None:
    await live.waiting.wait()
    for _ in range(5):
        await asyncio.sleep(0)


async def test_equal_ghost_variants_are_created_once(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    requests = [create(cached, tenant) for _ in range(50)]
    await begun(live)
    live.release()
    assert await asyncio.gather(*requests) == [8000] * 50
    assert live.requests == [("create_ghost_variant", (1, "a", PRICE))]


async def test_different_ghost_variants_are_created_separately(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    requests = [create(cached, tenant), create(cached, tenant, "b"), create(cached, live_tenant(shop_id=2))]
    await begun(live)
    live.release()
    await asyncio.gather(*requests)
    assert len(live.requests) == 3


async def test_failure_reaches_every_waiter_and_is_not_cached(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    requests = [create(cached, tenant) for _ in range(3)]
    await begun(live)
    live.release()
    found = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 3
    live.error = None
    assert await create(cached, tenant) == 8000


async def test_cancelled_waiter_does_not_cancel_the_creation(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    leaves, stays = create(cached, tenant), create(cached, tenant)
    await begun(live)
    leaves.cancel()
    live.release()
    assert await stays == 8000
    assert leaves.cancelled()
    assert len(live.requests) == 1


@pytest.mark.parametrize("error", [None, PlatformFailed()])
async def test_ghost_variant_is_created_after_every_waiter_left(
    error: Exception | None,
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    caplog: pytest.LogCaptureFixture,
) -> None:
    live.hold()
    live.error = error
    leaves = create(cached, tenant)
    await begun(live)
    leaves.cancel()
    live.release()
    await asyncio.gather(*cached._ghosts._tasks, return_exceptions=True)
    await asyncio.sleep(0)
    assert list(cached._ghosts) == []
    assert caplog.records == []


async def test_closing_cancels_running_work(make_cache: MakeCache, live: LivePlatform, tenant: Tenant) -> None:
    cached = make_cache()
    live.hold()
    requests = create(cached, tenant)
    await begun(live)
    await cached.aclose()
    assert list(cached._ghosts) == []
    await asyncio.gather(requests, return_exceptions=True)
