"""The resources that the application opens at its start and closes at its end."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from bundlesvc import lifecycle
from bundlesvc.domain.live_platform.platform_change import NumberedChange
from bundlesvc.domain.retention import Retention
from bundlesvc.lifecycle import background_jobs, pruned_daily
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.ghost_upkeep import GhostUpkeep
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shopper_requests import ShopperRequests
from bundlesvc.services.shops import Tenants
from bundlesvc.serving.background import PRUNE_SECONDS
from tests.fakes import FakeClock
from tests.services.fakes import FakeAccess


class QuietLog:
    """An empty log of changes."""

    async def after(self, number: int) -> Sequence[NumberedChange]:
        return ()


@pytest.mark.parametrize("down", [False, True])
async def test_last_used_times_are_written_at_the_end(
    clock: FakeClock, caplog: pytest.LogCaptureFixture, down: bool
) -> None:
    access, log = FakeAccess(), QuietLog()
    tenants = Tenants(access)
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
