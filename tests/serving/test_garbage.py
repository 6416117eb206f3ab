"""Tests of when the cyclic garbage collector runs in the service, and which objects it examines."""

import gc
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bundlesvc.serving import garbage
from bundlesvc.serving.garbage import Collection, collected_seldom
from tests.running.garbage import collect_once


@pytest.fixture(scope="module", autouse=True)
def few_objects() -> None:
    collect_once()


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@contextmanager
def collections() -> Iterator[list[int]]:
    """Record the generations that are collected inside this context."""
    seen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(info["generation"])

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


def test_collector_looks_only_at_new_objects_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the collector runs automatically, for example after thousands of connections have opened and closed, it examines only
    new objects."""
    monkeypatch.setattr(gc, "freeze", lambda: None)
    thresholds, enabled = gc.get_threshold(), gc.isenabled()
    try:
        with collected_seldom():
            assert not gc.isenabled()
        with collections() as seen:
            for _ in range(5):
                _ = [[] for _ in range(2 * garbage.FLOOD)]
        assert set(seen) == {0}
    finally:
        gc.set_threshold(*thresholds)
        (gc.enable if enabled else gc.disable)()


@contextmanager
def nothing_else_collects() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@pytest.mark.parametrize("many", [False, True])
async def test_new_objects_are_gone_through_unless_they_are_many(many: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MUCH", 0 if many else 1_000_000_000)
    with nothing_else_collects(), collections() as seen:
        ended = weakref.ref(Cycle())
        await Collection().look_at_new()
        gc.collect()  # objects already examined or skipped are not collected
        assert (ended() is None) == (not many)
        assert seen == ([2] if many else [0, 2])


async def test_everything_is_collected_once_there_is_much_more(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([100, 700, 400, 900, 1000, 400])
    monkeypatch.setattr(garbage, "GROWN", 500)
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: next(blocks))
    exempt: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: exempt.append(True))
    monkeypatch.setattr(gc, "unfreeze", lambda: exempt.append(False))
    with nothing_else_collects(), collections() as seen:
        collection, ended = Collection(), weakref.ref(Cycle())  # 100 blocks
        await collection.look()  # 700 blocks; 400 remain
        assert ended() is None
        assert exempt == [False, True]
        await collection.look()  # 900: not enough
        assert seen == [2]
        await collection.look()  # 1000
        assert seen == [2, 2]
