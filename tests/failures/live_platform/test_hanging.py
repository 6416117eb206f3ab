"""A hanging platform while nothing is cached: only the first clients wait for it (docs/contract.md#live-data)."""

import time
from pathlib import Path

from bundlesvc.platforms.calls.circuit_breaker import COOL_DOWN
from tests.failures.service import Setup, started
from tests.failures.shopping import ACTIONS, READ
from tests.standin.faults import Held

HANDLE = "hanging"
SECONDS = 1.0


def test_only_the_first_clients_wait_for_a_hanging_platform(tmp_path: Path) -> None:
    """Only the first requests wait for the whole timeout. After each pause, the service tries the platform again with a single
    call."""
    setup = Setup.prepared([HANDLE], tmp_path)
    with started(setup, {"BUNDLESVC_PLATFORM_TIMEOUT": str(SECONDS)}) as service:
        service.platform.fail({setup.shops[HANDLE].token: Held()})
        shopper = service.shopper(HANDLE)
        first = shopper.do(READ)
        begun = time.monotonic()
        later = [shopper.do(action) for action in ACTIONS * 2]
        waited = [each for each in later if each.code != "platform_unavailable"]

        assert (first.status, first.code) == (504, "platform_timeout")
        assert len(waited) <= 1 + (time.monotonic() - begun) / COOL_DOWN
        assert {(each.status, each.code) for each in waited} <= {(504, "platform_timeout")}
        (line,) = service.end()
        assert "calls paused for 5 s" in line.event
