"""Data that webhooks report as changed is dropped from the caches of every process, once per change."""

from collections.abc import Sequence

from bundlesvc.domain.live_platform.platform_change import MARKETS, PRODUCT, Change, Delivery, NumberedChange
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shops import Tenants
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess


class FakeLog:
    """A fake `ChangeLog` that implements only `after`, the method that reads changes."""

    def __init__(self) -> None:
        self.changes: list[NumberedChange] = []

    def add(self, number: int, product_id: int, shop_id: int = 1) -> None:
        self.changes.append(NumberedChange(number, shop_id, Change(PRODUCT, product_id), int(START) + number))

    async def record(self, tenant: Tenant, delivery: Delivery, now: int) -> bool:
        raise AssertionError

    async def after(self, number: int) -> Sequence[NumberedChange]:
        return sorted((one for one in self.changes if one.number > number), key=lambda one: one.number)

    async def expire(self, now: int) -> None:
        raise AssertionError


class Memory:
    """Implements the `SharedPlatformCache` port: records the changes passed to `drop` and `recall`."""

    def __init__(self) -> None:
        self.dropped: list[tuple[str, int | None]] = []
        self.recalled: list[tuple[str, int | None, int]] = []

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        self.recalled += [(tenant.shop.handle, one.change.id, one.recorded_at) for one in changes]

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        self.dropped += [(tenant.shop.handle, change.id) for change in changes]


async def following(log: FakeLog, shared: Memory, *own: Memory) -> ChangeFollower:
    tenants = Tenants(FakeAccess("first", "second"), FakeClock())
    await tenants.refresh()
    follower = ChangeFollower(log, tenants, shared, own)
    await follower.start()
    return follower


async def test_changes_before_the_start_are_recalled_and_not_dropped() -> None:
    """Changes from before the start invalidate only entries of the shared cache, which may be older than the changes. The
    process's own caches are still empty."""
    log, shared, own = FakeLog(), Memory(), Memory()
    log.add(1, 7)
    log.add(2, 8, shop_id=2)
    log.add(3, 9, shop_id=99)
    follower = await following(log, shared, own)
    await follower.follow()
    assert shared.recalled == [("first", 7, int(START) + 1), ("second", 8, int(START) + 2)]
    assert own.recalled == []
    assert shared.dropped == own.dropped == []


async def test_each_change_is_dropped_once_from_every_cache() -> None:
    log, memories = FakeLog(), (Memory(), Memory())
    follower = await following(log, *memories)
    log.add(1, 7)
    log.add(2, 8, shop_id=2)
    await follower.follow()
    log.add(3, 9)
    await follower.follow()
    await follower.follow()
    for memory in memories:
        assert memory.dropped == [("first", 7), ("second", 8), ("first", 9)]


async def test_changes_deleted_from_the_log_are_not_read_again() -> None:
    log, memory = FakeLog(), Memory()
    follower = await following(log, memory)
    log.add(5, 1)
    await follower.follow()
    log.changes.clear()
    await follower.follow()
    log.add(6, 2)
    await follower.follow()
    assert memory.dropped == [("first", 1), ("first", 2)]


async def test_changes_of_unknown_shops_are_ignored() -> None:
    log, memory = FakeLog(), Memory()
    follower = await following(log, memory)
    log.add(1, 7, shop_id=99)
    log.changes.append(NumberedChange(2, 2, Change(MARKETS), int(START)))
    await follower.follow()
    assert memory.dropped == [("second", None)]
