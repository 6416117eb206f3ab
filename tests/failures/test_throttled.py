"""What an operator sees of a shop whose points are used up: one line, and a counter."""

from pathlib import Path

from tests.failures.shopping import READ
from tests.failures.stage import Ground, staged
from tests.standin.faults import out_of_points

HANDLE = "throttled"
METRIC = "bundlesvc_platform_throttled_total"


def test_a_throttled_shop_shows(tmp_path: Path) -> None:
    ground = Ground.laid_out([HANDLE], tmp_path)
    with staged(ground, {"BUNDLESVC_PLATFORM_TIMEOUT": "2"}) as stage:
        shopper, shop = stage.shopper(HANDLE), ground.shops[HANDLE]
        assert stage.metrics()[METRIC] == 0
        stage.platform.fail({shop.token: out_of_points()})
        assert [shopper.do(READ).code for _ in range(2)] == ["platform_unavailable"] * 2
        assert stage.metrics()[METRIC] >= sum(stage.platform.asked.values()) >= 2
        stage.platform.heal()
        assert shopper.do(READ).ok
        [line] = stage.end()
        assert (line.level, line.event) == (
            "warning",
            f"{shop.domain}: the platform throttles: calls wait for query-cost points",
        )
