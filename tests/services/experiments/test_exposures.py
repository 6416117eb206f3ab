"""Exposures are buffered in bounded memory, stored once, and kept when the database fails."""

from collections.abc import Mapping, Sequence

import pytest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.experiments.results import ArmFigures
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.services.experiments import exposures
from bundlesvc.services.experiments.exposures import DROPPED, STORED, ExposureLog
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess


class FakeStore:
    """A store that records the exposures added to it, unless it is set to fail."""

    def __init__(self) -> None:
        self.stored: list[SeenArm] = []
        self.batches: list[int] = []
        self.fails = False

    async def add(self, seen: Sequence[SeenArm]) -> None:
        if self.fails:
            raise StorageUnavailable
        self.stored += seen
        self.batches.append(len(seen))

    async def figures(self, tenant: Tenant, experiment_id: str, *, test: bool) -> Mapping[int, ArmFigures]:
        return {}


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def log(store: FakeStore) -> ExposureLog:
    return ExposureLog(store, FakeClock())


@pytest.fixture
def anybody() -> Caller:
    shops = FakeAccess()
    shops.add_key(1)
    return Caller(shops.stored[1], shops.shops[1])


def seen(number: int, arm: int = 0) -> Exposure:
    return Exposure("summer", arm, f"visitor-{number}")


async def test_repeated_exposure_is_stored_once(log: ExposureLog, store: FakeStore, anybody: Caller) -> None:
    for _ in range(3):
        log.note(anybody, seen(1))
        await log.write()
        log.note(anybody, seen(1))

    assert [one.exposure for one in store.stored] == [seen(1)]
    assert (store.stored[0].seen_at, store.stored[0].test) == (int(START), anybody.key.test)
    assert log.results == {STORED: 1}


async def test_failed_write_is_made_again(log: ExposureLog, store: FakeStore, anybody: Caller) -> None:
    store.fails = True
    log.note(anybody, seen(1))
    with pytest.raises(StorageUnavailable):
        await log.write()
    store.fails = False

    await log.write()

    assert [one.exposure for one in store.stored] == [seen(1)]


async def test_large_crowds_are_stored_in_batches(log: ExposureLog, store: FakeStore, anybody: Caller) -> None:
    for number in range(exposures.BATCH + 1):
        log.note(anybody, seen(number))

    await log.write()

    assert store.batches == [exposures.BATCH, 1]


async def test_what_does_not_fit_is_dropped_and_comes_with_the_next_request(
    log: ExposureLog, store: FakeStore, anybody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposures, "MAX_WAITING", 2)
    for number in range(3):
        log.note(anybody, seen(number))
    await log.write()
    log.note(anybody, seen(2))
    await log.write()

    assert [one.exposure for one in store.stored] == [seen(0), seen(1), seen(2)]
    assert log.results == {STORED: 3, DROPPED: 1}


async def test_memory_of_stored_exposures_is_bounded(
    log: ExposureLog, store: FakeStore, anybody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposures, "MAX_KNOWN", 2)
    for number in (0, 1, 2, 0):
        log.note(anybody, seen(number))
        await log.write()

    assert [one.exposure for one in store.stored] == [seen(0), seen(1), seen(2), seen(0)]


async def test_last_write_does_not_fail_the_stop(log: ExposureLog, store: FakeStore, anybody: Caller) -> None:
    store.fails = True
    log.note(anybody, seen(1))

    await log.write_last()

    assert log.results == {DROPPED: 1}
