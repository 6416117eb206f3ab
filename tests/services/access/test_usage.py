"""Counted requests reach the store exactly once, on the correct day, even when the store fails."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import ApiKey
from bundlesvc.domain.access.usage import FAILED, KINDS, PRICE, READ, UsageBatch
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.services.access.usage import WRITE_SECONDS, UsageCounter
from tests.fakes import START, FakeClock

TODAY = datetime.fromtimestamp(START, UTC).date()
TOMORROW = TODAY + timedelta(1)
MIDNIGHT = datetime(TOMORROW.year, TOMORROW.month, TOMORROW.day, tzinfo=UTC).timestamp()


class Store:
    """A store that adds each batch only once; a batch is identified by its writer and number. While `breaks` is set, it fails
    after adding; while `down` is set, it fails before adding."""

    def __init__(self) -> None:
        self.down = self.breaks = False
        self.seen: dict[tuple[str, int], UsageBatch] = {}
        self.calls = 0

    async def add(self, batch: UsageBatch, now: int) -> None:
        del now
        self.calls += 1
        if self.down:
            raise StorageUnavailable
        before = self.seen.setdefault((batch.writer, batch.number), batch)
        assert before == batch, "a batch that is sent again is the same"
        if self.breaks:
            raise StorageUnavailable

    @property
    def stored(self) -> dict[tuple[date, str, str], dict[str, int]]:
        found: dict[tuple[date, str, str], Counter[str]] = {}
        for batch in self.seen.values():
            for one in batch.usage:
                sums = found.setdefault((one.day, one.shop, one.key), Counter())
                sums.update({kind: count for kind, count in zip(KINDS, one.requests, strict=True) if count})
        return {name: dict(sums) for name, sums in found.items()}


def caller(number: int = 1) -> Caller:
    key = ApiKey(number, 1, f"{number}", f"bnd_live_{number}", "web", False, ("headless",), (), 100, True, 1)
    return Caller(key, Tenant(1, 1, Shop("demo", "", "", "en", True, (), PlatformLink(), (), None)))


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def usage(store: Store, clock: FakeClock) -> UsageCounter:
    return UsageCounter(store, clock, "w" * 32)


FIRST, SECOND = (TODAY, "demo", "bnd_live_1"), (TODAY, "demo", "bnd_live_2")


async def test_requests_of_each_key_are_written_once_a_minute(
    usage: UsageCounter, store: Store, clock: FakeClock
) -> None:
    for key, kind in ((1, READ), (1, READ), (1, PRICE), (2, FAILED)):
        usage.count(caller(key), kind)
    clock.move(WRITE_SECONDS - 1)
    await usage.run()
    assert store.calls == 0
    clock.move(1)
    await usage.run()
    assert store.stored == {FIRST: {"reads": 2, "prices": 1}, SECOND: {"failed": 1}}
    await usage.run()
    assert store.calls == 1


async def test_only_what_is_new_is_written(usage: UsageCounter, store: Store) -> None:
    usage.count(caller(1), READ)
    await usage.write()
    usage.count(caller(2), READ)
    await usage.write()
    assert [len(batch.usage) for batch in store.seen.values()] == [1, 1]
    await usage.write()
    assert store.calls == 2, "an idle service writes nothing"
    assert usage.totals == {("demo", "bnd_live_1"): [1, 0, 0, 0, 0, 0], ("demo", "bnd_live_2"): [1, 0, 0, 0, 0, 0]}


async def test_requests_belong_to_their_day(usage: UsageCounter, store: Store, clock: FakeClock) -> None:
    clock.time = MIDNIGHT - 2
    usage.count(caller(), READ)
    clock.move(1)
    await usage.run()
    usage.count(caller(), READ)
    clock.move(1)
    await usage.run()
    usage.count(caller(), PRICE)
    await usage.write()
    assert store.stored == {FIRST: {"reads": 2}, (TOMORROW, *FIRST[1:]): {"prices": 1}}


async def test_a_failure_loses_nothing(usage: UsageCounter, store: Store, clock: FakeClock) -> None:
    store.down = True
    for _ in range(3):
        usage.count(caller(), READ)
        clock.move(WRITE_SECONDS)
        with pytest.raises(StorageUnavailable):
            await usage.run()
    store.down = False
    usage.count(caller(), PRICE)
    await usage.write()
    assert store.stored == {FIRST: {"reads": 3, "prices": 1}}


async def test_a_failed_write_is_tried_again_at_the_next_call(
    usage: UsageCounter, store: Store, clock: FakeClock
) -> None:
    """A failed write is retried on the next call, and every call fails until the write has succeeded."""
    store.down = True
    usage.count(caller(), READ)
    clock.move(WRITE_SECONDS)
    for _ in range(3):
        with pytest.raises(StorageUnavailable):
            await usage.run()
        clock.move(1)
    store.down = False
    await usage.run()
    assert store.stored == {FIRST: {"reads": 1}}


async def test_a_batch_whose_fate_is_unknown_counts_once(usage: UsageCounter, store: Store) -> None:
    """A batch whose outcome is unknown is counted once. If the connection fails during the commit, the same batch is sent again,
    and later requests are counted in another batch."""
    store.breaks = True
    usage.count(caller(), READ)
    with pytest.raises(StorageUnavailable):
        await usage.write()
    store.breaks = False
    usage.count(caller(), READ)
    await usage.write()
    assert store.stored == {FIRST: {"reads": 2}}
