"""When the cyclic garbage collector runs in the service."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bundlesvc.cli import garbage
from bundlesvc.cli.garbage import FullCollection, collected_seldom
from tests.garbage import collect_once


@pytest.fixture(scope="module", autouse=True)
def few_objects() -> None:
    collect_once()


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@contextmanager
def collections() -> Iterator[list[int]]:
    """The generations that are collected meanwhile."""
    seen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(info["generation"])

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


def test_collector_never_goes_through_everything_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of connections that come and go would make it do so."""
    monkeypatch.setattr(gc, "freeze", lambda: None)
    thresholds, enabled = gc.get_threshold(), gc.isenabled()
    try:
        with collected_seldom():
            assert not gc.isenabled()
        with collections() as seen:
            for _ in range(60):
                _ = [[] for _ in range(2 * garbage.NEW)]
        assert set(seen) == {0, 1}
    finally:
        gc.set_threshold(*thresholds)
        (gc.enable if enabled else gc.disable)()


async def test_old_garbage_is_collected_once_there_is_much_more(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([1000, 200, 500, 1200, 100])
    monkeypatch.setattr(garbage, "GROWN", 500)
    monkeypatch.setattr(garbage, "_objects", lambda: next(numbers))
    collection, old = FullCollection(), Cycle()
    ended = weakref.ref(old)
    gc.collect()
    del old
    with collections() as seen:
        await collection.look()  # 1000 objects, and 200 of them remain
        assert ended() is None
        await collection.look()  # 500: not enough more
        assert seen.count(2) == 1
        await collection.look()  # 1200
        assert seen.count(2) == 2


def test_objects_are_those_that_were_looked_at_twice() -> None:
    gc.collect()
    before = garbage._objects()
    many = [Cycle() for _ in range(20_000)]
    gc.collect(1)
    assert garbage._objects() > before + len(many) / 2  # others may have gone meanwhile
