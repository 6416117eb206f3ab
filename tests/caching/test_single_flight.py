"""Requests that need the same data share one fetch, and do not affect each other."""

import asyncio
from collections.abc import Sequence

import pytest

from bundlesvc.caching import read_through
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import TTLS, MakeCache
from tests.caching.live import LivePlatform, live_tenant
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock


def read(
    cached: CachedPlatform, tenant: Tenant, *product_ids: int, max_age: float | None = None
) -> asyncio.Task[list[int]]:
    """Start a request for products. The result of the returned task is the ids that were found."""

    async def found() -> list[int]:
        return sorted((await cached.products(tenant, product_ids, max_age)).value)

    return asyncio.create_task(found())


async def begun(live: LivePlatform, *requests: asyncio.Task[list[int]]) -> None:
    """Wait until the requests are waiting for the platform."""
    await live.waiting.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not any(request.done() for request in requests)


def fetched(live: LivePlatform) -> list[Sequence[object]]:
    return [ids for name, ids in live.requests if name == "products"]


async def test_five_hundred_cold_reads_share_one_fetch(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    requests = [read(cached, tenant, 1, 2, 3) for _ in range(500)]
    await begun(live, *requests)
    live.release()
    assert await asyncio.gather(*requests) == [[1, 2, 3]] * 500
    assert fetched(live) == [(1, 2, 3)]


async def test_overlapping_reads_fetch_each_product_once(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    first = read(cached, tenant, 2, 3, 4)
    await begun(live, first)
    second = read(cached, tenant, 1, 2, 3)
    third = read(cached, tenant, 5, 4, 3, 2, 1)
    await begun(live, first, second, third)
    live.release()
    assert [await each for each in (first, second, third)] == [[2, 3, 4], [1, 2, 3], [1, 2, 3, 4, 5]]
    assert fetched(live) == [(2, 3, 4), (1,), (5,)]


async def test_reads_and_money_share_a_fetch(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    requests = [read(cached, tenant, 1), read(cached, tenant, 1, max_age=200)]
    await begun(live, *requests)
    live.release()
    assert await asyncio.gather(*requests) == [[1], [1]]
    assert len(fetched(live)) == 1


async def test_money_does_not_use_a_slow_fetch_that_is_too_old(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """A read for pricing does not use a slow fetch that is too old, because an entry's age counts from the moment the request to
    the platform was sent."""
    live.hold()
    slow = read(cached, tenant, 1)
    await begun(live, slow)
    clock.move(100)
    request = read(cached, tenant, 1, max_age=50)
    await begun(live, slow, request)
    live.release()
    assert [await slow, await request] == [[1], [1]]
    assert len(fetched(live)) == 2


async def test_cancelled_request_does_not_cancel_the_fetch_of_others(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    gone, stays = read(cached, tenant, 1), read(cached, tenant, 1)
    await begun(live, gone, stays)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    live.release()
    assert await stays == [1]
    assert len(fetched(live)) == 1


async def test_fetch_without_waiters_is_cached(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    requests = [read(cached, tenant, 1) for _ in range(3)]
    await begun(live, *requests)
    for request in requests:
        request.cancel()
    await asyncio.gather(*requests, return_exceptions=True)
    live.release()
    await settled(cached)
    assert await read(cached, tenant, 1) == [1]
    assert len(fetched(live)) == 1


async def test_failure_reaches_every_request_and_is_not_cached(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    requests = [read(cached, tenant, 1) for _ in range(20)]
    await begun(live, *requests)
    live.release()
    found = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 20
    assert len(fetched(live)) == 1
    live.error = None
    assert await read(cached, tenant, 1) == [1]


async def test_failure_of_one_fetch_does_not_fail_another(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    fails = read(cached, tenant, 1)
    await begun(live, fails)
    live.release()
    await asyncio.gather(fails, return_exceptions=True)
    live.error = None
    assert await read(cached, tenant, 1, 2) == [1, 2]


async def test_failure_that_nobody_waits_for_is_not_logged(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, caplog: pytest.LogCaptureFixture
) -> None:
    live.hold()
    live.error = PlatformFailed()
    request = read(cached, tenant, 1)
    await begun(live, request)
    request.cancel()
    await asyncio.gather(request, return_exceptions=True)
    live.release()
    await settled(cached)
    assert caplog.records == []


async def test_own_fault_during_a_background_refresh_is_logged(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await read(cached, tenant, 1)
    clock.move(TTLS.products + 1)
    live.error = ZeroDivisionError("a bug")
    assert await read(cached, tenant, 1) == [1]
    await settled(cached)
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


async def test_own_fault_reaches_the_request(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.error = ZeroDivisionError("a bug")
    with pytest.raises(ZeroDivisionError):
        await read(cached, tenant, 1)


async def test_hung_platform_ends_in_a_timeout_and_the_next_request_fetches_again(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read from a hung platform that ignores its own timeout ends in a timeout, and the next request fetches again."""
    cached = make_cache(timeout=0.02)
    live.hold()
    with pytest.raises(PlatformTimeout):
        await read(cached, tenant, 1)
    live.release()
    assert await read(cached, tenant, 1) == [1]


async def test_shops_do_not_share_entries(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    await cached.products(tenant, [1])
    for other in (live_tenant(shop_id=2), live_tenant(domain="other.example")):
        await cached.products(other, [1])
    assert len(fetched(live)) == 3


async def test_new_revision_of_the_shop_causes_no_fetch_from_a_live_platform(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    """A new revision of the shop causes no fetch, because a revoked key or a changed bundle does not change the platform's
    data."""
    await cached.products(tenant, [1])
    await cached.products(live_tenant(revision=2), [1])
    assert len(fetched(live)) == 1


async def test_background_refresh_is_one_fetch(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await read(cached, tenant, 1, 2)
    clock.move(TTLS.products + 1)
    live.hold()
    for _ in range(50):
        assert await read(cached, tenant, 1, 2) == [1, 2]
    await live.waiting.wait()
    live.release()
    await settled(cached)
    assert fetched(live) == [(1, 2), (1, 2)]


async def test_closing_cancels_running_work(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    cached = make_cache()
    await read(cached, tenant, 1)
    clock.move(TTLS.products + 1)
    live.hold()
    await read(cached, tenant, 1)
    await live.waiting.wait()
    await cached.aclose()
    assert cached._cache._fetcher._fetches._tasks == set()


async def test_number_of_remembered_failures_is_bounded(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_through, "MAX_FAILING", 10)
    live.error = PlatformFailed()
    for number in range(50):
        with pytest.raises(PlatformFailed):
            await read(cached, tenant, number)
    assert len(cached._cache._fetcher._failing) == 10
