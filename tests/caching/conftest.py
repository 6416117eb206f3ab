"""Fixtures: an in-memory cache in front of the test's live platform, with a clock that the test controls."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bundlesvc.caching.entries import CacheTtls
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import MemoryStore, Store
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Platform
from tests.caching.live import LivePlatform, live_tenant, product
from tests.fakes import FakeClock

TTLS = CacheTtls(products=60, prices=30, shop=300, negative=10, price_max_age=200)
TIMEOUT = 5.0

MakeCache = Callable[..., CachedPlatform]


@pytest.fixture
async def skipped_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip waits: when all tasks wait, the next timer fires immediately. Only for tests that use neither sockets nor threads, and
    so wait for nothing but timers."""
    loop: Any = asyncio.get_running_loop()
    now, select = loop.time(), loop._selector.select

    def skip(timeout: float | None) -> Any:
        nonlocal now
        now += timeout or 0
        return select(timeout and 0)

    monkeypatch.setattr(loop, "time", lambda: now)
    monkeypatch.setattr(loop._selector, "select", skip)


@pytest.fixture
def tenant() -> Tenant:
    return live_tenant()


@pytest.fixture
def live() -> LivePlatform:
    return LivePlatform(*(product(number) for number in range(1, 6)))


@pytest.fixture
def statistics() -> CacheStatistics:
    return CacheStatistics()


@pytest.fixture
async def make_cache(live: LivePlatform, clock: FakeClock, statistics: CacheStatistics) -> AsyncIterator[MakeCache]:
    """A function that creates a process's cache of the live platform. The cache is in memory unless another store is given."""
    made: list[CachedPlatform] = []

    def make(store: Store | None = None, platform: Platform | None = None, timeout: float = TIMEOUT) -> CachedPlatform:
        reading = ReadThrough(store or MemoryStore(), clock, statistics, timeout)
        made.append(CachedPlatform(platform or live, reading, TTLS))
        return made[-1]

    yield make
    for cached in made:
        await cached.aclose()


@pytest.fixture
def cached(make_cache: MakeCache) -> CachedPlatform:
    return make_cache()


def counted(statistics: CacheStatistics) -> dict[str, float]:
    """The cache metrics by name and labels, such as `reads product hit`, `fetches price ok` and `corrupt`."""
    return {
        " ".join(
            [_short(sample.name), *(value for name, value in sample.labels.items() if name != "tier")]
        ): sample.value
        for metric in statistics.collect()
        for sample in metric.samples
    }


def _short(name: str) -> str:
    return name.removeprefix("bundlesvc_cache_").removesuffix("_total")
