"""The resources that the application opens at its start and closes at its end."""

from collections.abc import Sequence
from typing import Any

import pytest
from aiohttp import web

from bundlesvc.domain.platform_change import NumberedChange
from bundlesvc.lifecycle import background_jobs
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.ghost_upkeep import GhostUpkeep
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shopper_requests import ShopperRequests
from bundlesvc.services.shops import Tenants
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
