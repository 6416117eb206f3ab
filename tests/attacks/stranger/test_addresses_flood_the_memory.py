"""An attacker sends requests from an unlimited number of addresses. Memory must stay bounded, each request must stay cheap, and
no bucket of another client may be evicted."""

import time
from dataclasses import replace

import pytest

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.memory import MAX_BUCKETS, MemoryBuckets
from bundlesvc.settings.environment import Settings
from tests.api.conftest import MakeApi
from tests.attacks.visitors import SETTINGS, Visitor, page_key
from tests.conftest import MakeKey
from tests.fakes import FakeClock

ADDRESSES = 300
ROOM = 50


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, trusted_proxies=1)


def stored(buckets: MemoryBuckets) -> dict[str, int]:
    """The number of buckets of each kind in memory."""
    return {kind: len(table) for kind, table in buckets._tables.items()}


async def test_guesses_from_many_addresses_evict_no_key(make_api: MakeApi, make_key: MakeKey, clock: FakeClock) -> None:
    buckets = MemoryBuckets(clock, max_buckets=ROOM)
    api = (await make_api(buckets=buckets)).with_key(await page_key(make_key, rate_limit=1))
    assert (await Visitor(api, "198.51.100.1").get()).status == 200

    for number in range(ADDRESSES):
        headers = {"Authorization": "Bearer x", "X-Forwarded-For": f"2001:db8:{number:x}::1"}
        assert (await api.with_key(None).get(SETTINGS, headers)).status == 403

    assert stored(buckets)["guesses"] == ROOM
    assert (await Visitor(api, "198.51.100.1").get()).status == 429, "the key's bucket was evicted"


async def test_visitors_from_many_addresses_evict_no_key_and_no_active_visitor(
    make_api: MakeApi, make_key: MakeKey, clock: FakeClock
) -> None:
    buckets = MemoryBuckets(clock, max_buckets=ROOM)
    api = await make_api(buckets=buckets)
    quiet = api.with_key(await page_key(make_key, rate_limit=1))
    flooded = api.with_key(await page_key(make_key, visitor_limit=2))
    assert (await Visitor(quiet, "198.51.100.1").get()).status == 200
    limited = Visitor(flooded, "203.0.113.7")
    for _ in range(2):
        await limited.get()

    for number in range(ADDRESSES):
        assert (await Visitor(flooded, f"2001:db8:{number:x}::1").get()).status == 200
        if number % 10 == 0:
            assert (await limited.get()).status == 429

    assert stored(buckets)["visitor"] == ROOM
    assert (await Visitor(quiet, "198.51.100.2").get()).status == 429, "the key's bucket was evicted"


async def test_addresses_refused_by_the_key_are_not_stored(
    make_api: MakeApi, make_key: MakeKey, clock: FakeClock
) -> None:
    buckets = MemoryBuckets(clock)
    api = (await make_api(buckets=buckets)).with_key(await page_key(make_key, rate_limit=10))

    statuses = [(await Visitor(api, f"2001:db8:{number:x}::1").get()).status for number in range(ADDRESSES)]

    assert statuses == [200] * 10 + [429] * (ADDRESSES - 10)
    assert stored(buckets)["visitor"] == 10


async def test_a_new_address_is_cheap_when_memory_is_full(clock: FakeClock) -> None:
    """A new address is cheap when memory is full: adding its bucket does not require a search of all other buckets."""
    buckets = MemoryBuckets(clock)
    for number in range(MAX_BUCKETS):
        await buckets.take([Bucket("guesses", str(number), 30)])

    started = time.process_time()
    for number in range(2000):
        await buckets.take([Bucket("guesses", f"more {number}", 30)])

    assert time.process_time() - started < 2
    assert stored(buckets) == {"guesses": MAX_BUCKETS}
