"""The time of each key's last use is recorded."""

import pytest

from bundlesvc.domain.access.key import TOUCH_INTERVAL
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.services.access.authentication import LastUse
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess

NOW = int(START)


@pytest.fixture
def stores() -> FakeAccess:
    return FakeAccess()


@pytest.fixture
def last_use(stores: FakeAccess, clock: FakeClock) -> LastUse:
    return LastUse(stores, clock)


async def test_recording_a_use_writes_nothing(stores: FakeAccess, last_use: LastUse, clock: FakeClock) -> None:
    for _ in range(100):
        clock.move(TOUCH_INTERVAL)
        last_use.record(7)
    assert stores.touched == []


async def test_last_used_is_written_at_most_once_in_five_minutes(
    stores: FakeAccess, last_use: LastUse, clock: FakeClock
) -> None:
    await last_use.write()
    assert stores.touched == [], "an unused key has no last use"

    for _ in range(121):
        last_use.record(7)
        await last_use.write()
        clock.move(10)

    assert stores.touched == [{7: NOW + seconds} for seconds in (0, 300, 600, 900, 1200)]
    assert TOUCH_INTERVAL == 300


async def test_the_time_written_is_that_of_the_use(stores: FakeAccess, last_use: LastUse, clock: FakeClock) -> None:
    last_use.record(7)
    clock.move(10)
    last_use.record(8)
    clock.move(10)
    await last_use.write()
    await last_use.write()
    assert stores.touched == [{7: NOW, 8: NOW + 10}]


async def test_a_time_that_could_not_be_written_is_written_by_the_next_call(
    stores: FakeAccess, last_use: LastUse, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A time that could not be written is written by the next call of `write`. The caller of `write` logs the failure."""
    last_use.record(7)
    stores.down = True
    for _ in range(2):
        with pytest.raises(StorageUnavailable):
            await last_use.write()
    assert caplog.messages == []
    stores.down = False
    stores.touched.clear()
    clock.move(30)
    await last_use.write()
    assert stores.touched == [{7: NOW}]
