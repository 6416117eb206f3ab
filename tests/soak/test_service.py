"""The event loop's lag, as measured by the soak test."""

import asyncio
import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from tests.scrape import samples
from tests.soak.service import HELD, HeldUp
from tests.soak.watch import LAG


async def lag_and_held(lag: HeldUp) -> tuple[float, float]:
    lag.start()
    time.sleep(0.5)  # noqa: ASYNC251 - blocking the loop is what is tested
    await asyncio.sleep(0.01)  # lets the loop run the overdue measurement
    lag.stop()
    registry = CollectorRegistry()
    registry.register(lag)
    found = samples(generate_latest(registry).decode())
    return found[f"{LAG}_sum"], found[f"{HELD}_sum"]


async def test_what_the_service_does_counts() -> None:
    lag, held = await lag_and_held(HeldUp())
    assert lag >= 0.2
    assert 0 < held <= lag + 0.01


async def test_waiting_for_a_core_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeldUp, "_waited", lambda _: time.monotonic())
    lag, held = await lag_and_held(HeldUp())
    assert lag >= 0.2
    assert held == 0
