"""Equal ghost variants that are wanted at once are made once; what happens to one who wants it is not the others' (design 9)."""

import asyncio
from decimal import Decimal

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform, live_tenant

PRICE = Decimal("22.99")


def make(cached: CachedPlatform, tenant: Tenant, identity: str = "a") -> asyncio.Task[int]:
    return asyncio.create_task(cached.create_ghost_variant(tenant, 1, identity, PRICE))


async def begun(live: LivePlatform) -> None:
    await live.waiting.wait()
    for _ in range(5):
        await asyncio.sleep(0)


async def test_many_at_once_are_made_once(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    wanted = [make(cached, tenant) for _ in range(50)]
    await begun(live)
    live.release()
    assert await asyncio.gather(*wanted) == [8000] * 50
    assert live.asked == [("create_ghost_variant", (1, "a", PRICE))]


async def test_different_ones_are_not_shared(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    wanted = [make(cached, tenant), make(cached, tenant, "b"), make(cached, live_tenant(shop_id=2))]
    await begun(live)
    live.release()
    await asyncio.gather(*wanted)
    assert len(live.asked) == 3


async def test_a_failure_reaches_all_and_is_not_kept(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    wanted = [make(cached, tenant) for _ in range(3)]
    await begun(live)
    live.release()
    found = await asyncio.gather(*wanted, return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 3
    live.error = None
    assert await make(cached, tenant) == 8000


async def test_who_goes_away_takes_it_from_nobody(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    goes, stays = make(cached, tenant), make(cached, tenant)
    await begun(live)
    goes.cancel()
    live.release()
    assert await stays == 8000
    assert goes.cancelled()
    assert len(live.asked) == 1


@pytest.mark.parametrize("error", [None, PlatformFailed()])
async def test_what_all_went_away_from_is_made_all_the_same(
    error: Exception | None,
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    caplog: pytest.LogCaptureFixture,
) -> None:
    live.hold()
    live.error = error
    goes = make(cached, tenant)
    await begun(live)
    goes.cancel()
    live.release()
    await asyncio.gather(*cached._ghosts._tasks, return_exceptions=True)
    await asyncio.sleep(0)
    assert list(cached._ghosts) == []
    assert caplog.records == []


async def test_what_is_under_way_is_given_up_at_the_end(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant
) -> None:
    cached = make_cache()
    live.hold()
    wanted = make(cached, tenant)
    await begun(live)
    await cached.aclose()
    assert list(cached._ghosts) == []
    await asyncio.gather(wanted, return_exceptions=True)
