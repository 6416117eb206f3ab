"""Throttling by the platform produces one log line and increments a counter."""

from pathlib import Path

from tests.failures.service import Setup, started
from tests.failures.shopping import READ
from tests.standin.faults import out_of_points

HANDLE = "throttled"
METRIC = "bundlesvc_platform_throttled_total"


def test_throttling_is_logged_and_counted(tmp_path: Path) -> None:
    setup = Setup.prepared([HANDLE], tmp_path)
    with started(setup, {"BUNDLESVC_PLATFORM_TIMEOUT": "2"}) as service:
        shopper, shop = service.shopper(HANDLE), setup.shops[HANDLE]
        assert service.metrics()[METRIC] == 0
        service.platform.fail({shop.token: out_of_points()})
        assert [shopper.do(READ).code for _ in range(2)] == ["platform_unavailable"] * 2
        assert service.metrics()[METRIC] >= sum(service.platform.calls.values()) >= 2
        service.platform.heal()
        assert shopper.do(READ).ok
        [line] = service.end()
        assert (line.level, line.event) == (
            "warning",
            f"{shop.domain}: the platform throttles: calls wait for query-cost points",
        )
