"""The resources that the application opens when it starts and closes when it stops."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from bundlesvc import lifecycle
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.usage import READ, UsageBatch
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.live_platform.platform_change import NumberedChange
from bundlesvc.domain.retention import Retention
from bundlesvc.lifecycle import background_jobs, counted_usage, pruned_daily
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.access.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.access.usage import UsageCounter
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shoppers.shopper_requests import ShopperRequests
from bundlesvc.services.shops import Tenants
from bundlesvc.serving.background import PRUNE_SECONDS
from tests.fakes import FakeClock
from tests.services.fakes import FakeAccess


class QuietLog:
    """A change log without entries."""

    async def after(self, number: int) -> Sequence[NumberedChange]:
        return ()


@pytest.mark.parametrize("down", [False, True])
async def test_last_used_times_are_written_at_the_end(
    clock: FakeClock, caplog: pytest.LogCaptureFixture, down: bool
) -> None:
    access, log = FakeAccess(), QuietLog()
    tenants = Tenants(access, clock)
    authentication = Authentication(access, tenants, GuessLimit(MemoryBuckets(clock)), LastUse(access, clock))
    key = access.add_key(7)
    unasked: Any = None
    changes: Any = log
    follower = ChangeFollower(changes, tenants, unasked)
    ghosts = GhostUpkeep(unasked, tenants, follower, unasked, unasked, clock, 0)
    requests = ShopperRequests(unasked, unasked, tenants, unasked, unasked, clock)
    life = background_jobs(authentication, follower, unasked, changes, ghosts, requests, clock)(web.Application())
    await anext(life)
    await authentication.identify(f"Bearer {key}", "198.51.100.7")
    access.down = down
    with pytest.raises(StopAsyncIteration):
        await anext(life)
    assert access.touched == [{7: int(clock.now())}]
    assert ["last-used times" in message for message in caplog.messages] == [True] * down


async def test_old_data_is_deleted_soon_after_the_start_and_then_daily(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[int] = []
    tasks: list[Callable[[], Awaitable[None]]] = []

    async def prune(_database: object, now: int, _retention: Retention) -> dict[str, int]:
        passes.append(now)
        return {}

    @asynccontextmanager
    async def collected(_name: str, _seconds: float, task: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
        tasks.append(task)
        yield

    monkeypatch.setattr(lifecycle, "prune", prune)
    monkeypatch.setattr(lifecycle, "periodically", collected)
    unasked: Any = None
    async with asynccontextmanager(pruned_daily(unasked, Retention(), clock))(web.Application()):
        [run] = tasks
        start, day = int(clock.now()), int(PRUNE_SECONDS)
        for seconds in (0, 600, day - 601, 1, 600):
            clock.move(seconds)
            await run()
    assert passes == [start, start + day]


class UsageStore:
    """A store for usage data that works, fails or hangs, depending on `state`."""

    def __init__(self, state: str) -> None:
        self._state = state
        self.batches: list[UsageBatch] = []

    async def add(self, batch: UsageBatch, now: int) -> None:
        del now
        if self._state == "hangs":
            await asyncio.Event().wait()
        if self._state == "fails":
            raise StorageUnavailable
        self.batches.append(batch)


@pytest.mark.parametrize(("state", "logged"), [("works", False), ("fails", True), ("hangs", True)])
async def test_usage_is_written_at_the_end_and_a_database_that_hangs_is_not_waited_for(
    state: str, logged: bool, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lifecycle, "LAST_WRITE_SECONDS", 0.05)
    store, access = UsageStore(state), FakeAccess()
    usage = UsageCounter(store, clock, "w" * 32)
    access.add_key(7)
    (key,) = await access.active_keys()
    (tenant,) = await access.tenants()
    async with asynccontextmanager(counted_usage(usage))(web.Application()):
        usage.count(Caller(key, tenant), READ)
    assert len(store.batches) == (not logged)
    assert ["latest usage of keys" in message for message in caplog.messages] == [True] * logged
