"""Requests that need the same answers share one question to the platform; what happens to one of them is not the others'."""

import asyncio
from collections.abc import Sequence

import pytest

from bundlesvc.caching import fetcher
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import TTLS, MakeCache
from tests.caching.live import LivePlatform, live_tenant
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock


def ask(
    cached: CachedPlatform, tenant: Tenant, *product_ids: int, max_age: float | None = None
) -> asyncio.Task[list[int]]:
    """A request for products, under way; which ones it found."""

    async def found() -> list[int]:
        return sorted((await cached.products(tenant, product_ids, max_age)).value)

    return asyncio.create_task(found())


async def begun(live: LivePlatform, *requests: asyncio.Task[list[int]]) -> None:
    """Returns when the requests wait for the platform."""
    await live.waiting.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not any(request.done() for request in requests)


def asked_for(live: LivePlatform) -> list[Sequence[object]]:
    return [ids for name, ids in live.asked if name == "products"]


async def test_five_hundred_cold_requests_are_one_question(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    requests = [ask(cached, tenant, 1, 2, 3) for _ in range(500)]
    await begun(live, *requests)
    live.release()
    assert await asyncio.gather(*requests) == [[1, 2, 3]] * 500
    assert asked_for(live) == [(1, 2, 3)]


async def test_requests_that_overlap_ask_only_for_what_is_not_under_way(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    first = ask(cached, tenant, 2, 3, 4)
    await begun(live, first)
    second = ask(cached, tenant, 1, 2, 3)
    third = ask(cached, tenant, 5, 4, 3, 2, 1)
    await begun(live, first, second, third)
    live.release()
    assert [await each for each in (first, second, third)] == [[2, 3, 4], [1, 2, 3], [1, 2, 3, 4, 5]]
    assert asked_for(live) == [(2, 3, 4), (1,), (5,)]


async def test_reads_and_money_share_a_flight(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.hold()
    requests = [ask(cached, tenant, 1), ask(cached, tenant, 1, max_age=200)]
    await begun(live, *requests)
    live.release()
    assert await asyncio.gather(*requests) == [[1], [1]]
    assert len(asked_for(live)) == 1


async def test_money_does_not_take_what_a_slow_flight_brings_too_late(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """How old an answer is counts from when it was asked for."""
    live.hold()
    slow = ask(cached, tenant, 1)
    await begun(live, slow)
    clock.move(100)
    request = ask(cached, tenant, 1, max_age=50)
    await begun(live, slow, request)
    live.release()
    assert [await slow, await request] == [[1], [1]]
    assert len(asked_for(live)) == 2


async def test_a_client_that_goes_takes_no_other_s_answer_with_it(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    gone, stays = ask(cached, tenant, 1), ask(cached, tenant, 1)
    await begun(live, gone, stays)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    live.release()
    assert await stays == [1]
    assert len(asked_for(live)) == 1


async def test_what_all_clients_went_away_from_is_kept_all_the_same(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    requests = [ask(cached, tenant, 1) for _ in range(3)]
    await begun(live, *requests)
    for request in requests:
        request.cancel()
    await asyncio.gather(*requests, return_exceptions=True)
    live.release()
    await settled(cached)
    assert await ask(cached, tenant, 1) == [1]
    assert len(asked_for(live)) == 1


async def test_a_failure_reaches_all_who_wait_and_is_not_kept(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    requests = [ask(cached, tenant, 1) for _ in range(20)]
    await begun(live, *requests)
    live.release()
    found = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(each) for each in found] == [PlatformFailed] * 20
    assert len(asked_for(live)) == 1
    live.error = None
    assert await ask(cached, tenant, 1) == [1]


async def test_one_flight_s_failure_is_not_another_s(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    live.hold()
    live.error = PlatformFailed()
    fails = ask(cached, tenant, 1)
    await begun(live, fails)
    live.release()
    await asyncio.gather(fails, return_exceptions=True)
    live.error = None
    assert await ask(cached, tenant, 1, 2) == [1, 2]


async def test_a_failure_that_nobody_waits_for_is_no_fault(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, caplog: pytest.LogCaptureFixture
) -> None:
    live.hold()
    live.error = PlatformFailed()
    request = ask(cached, tenant, 1)
    await begun(live, request)
    request.cancel()
    await asyncio.gather(request, return_exceptions=True)
    live.release()
    await settled(cached)
    assert caplog.records == []


async def test_a_fault_of_our_own_behind_a_request_is_logged(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await ask(cached, tenant, 1)
    clock.move(TTLS.products + 1)
    live.error = ZeroDivisionError("a bug")
    assert await ask(cached, tenant, 1) == [1]
    await settled(cached)
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


async def test_a_fault_of_our_own_reaches_who_waits(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    live.error = ZeroDivisionError("a bug")
    with pytest.raises(ZeroDivisionError):
        await ask(cached, tenant, 1)


async def test_a_platform_that_never_answers(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It should keep its own time; when it does not, nobody waits for ever, and the next request asks again."""
    cached = make_cache(timeout=0.02)
    live.hold()
    with pytest.raises(PlatformTimeout):
        await ask(cached, tenant, 1)
    live.release()
    assert await ask(cached, tenant, 1) == [1]


async def test_shops_do_not_share(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    await cached.products(tenant, [1])
    for other in (live_tenant(shop_id=2), live_tenant(domain="other.example")):
        await cached.products(other, [1])
    assert len(asked_for(live)) == 3


async def test_a_new_revision_of_the_shop_asks_a_live_platform_nothing(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    """A revoked key or a changed bundle says nothing about the platform's data."""
    await cached.products(tenant, [1])
    await cached.products(live_tenant(revision=2), [1])
    assert len(asked_for(live)) == 1


async def test_renewing_in_passing_is_one_question(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    await ask(cached, tenant, 1, 2)
    clock.move(TTLS.products + 1)
    live.hold()
    for _ in range(50):
        assert await ask(cached, tenant, 1, 2) == [1, 2]
    await live.waiting.wait()
    live.release()
    await settled(cached)
    assert asked_for(live) == [(1, 2), (1, 2)]


async def test_what_is_under_way_is_given_up_at_the_end(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    cached = make_cache()
    await ask(cached, tenant, 1)
    clock.move(TTLS.products + 1)
    live.hold()
    await ask(cached, tenant, 1)
    await live.waiting.wait()
    await cached.aclose()
    assert cached._cache._fetcher._fetches._tasks == set()


async def test_the_list_of_what_fails_is_bounded(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetcher, "MAX_FAILING", 10)
    live.error = PlatformFailed()
    for number in range(50):
        with pytest.raises(PlatformFailed):
            await ask(cached, tenant, number)
    assert len(cached._cache._fetcher._failing) == 10
