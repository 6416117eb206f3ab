"""No money is made of prices and stock that are too old, whatever the platform does; reads go on (design 9 and 13)."""

from pathlib import Path

import pytest

from tests.failures.shopping import BUNDLE, CONFIGURE, PRICE, READ, seconds_until
from tests.failures.stage import Ground, staged
from tests.standin.faults import refused

HANDLE = "old"
MAX_AGE = 4
SETTINGS = {
    "BUNDLESVC_PRICE_MAX_AGE": str(MAX_AGE),
    "BUNDLESVC_CACHE_PRODUCTS_TTL": "2",
    "BUNDLESVC_CACHE_PRICES_TTL": "2",
}
SLACK = 3.0
BACK_WITHIN = 10.0


def test_money_and_age(tmp_path: Path) -> None:
    ground = Ground.laid_out([HANDLE], tmp_path)
    with staged(ground, SETTINGS) as stage:
        shopper = stage.shopper(HANDLE)
        assert all(told.ok for told in shopper.do_all((READ, BUNDLE, PRICE)).values())
        stage.platform.fail({ground.shops[HANDLE].token: refused(403)})

        assert shopper.do(PRICE).ok
        waited = seconds_until(lambda: not shopper.do(PRICE).ok, MAX_AGE + SLACK)
        assert waited == pytest.approx(MAX_AGE, abs=1.5)
        for action in (PRICE, CONFIGURE):
            told = shopper.do(action)
            assert (told.status, told.code) == (503, "platform_unavailable")
            assert told.retry_after is not None
        read = shopper.do(READ)
        assert read.ok
        assert (read.age or 0) >= MAX_AGE
        assert shopper.do(BUNDLE).ok

        stage.platform.heal()
        assert seconds_until(lambda: shopper.do(CONFIGURE).ok, BACK_WITHIN) < BACK_WITHIN
        assert seconds_until(lambda: shopper.do(READ).age is None, BACK_WITHIN) < BACK_WITHIN
        stage.end()
    assert len(ground.configured()[HANDLE]) == 1
