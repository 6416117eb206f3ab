"""Price and configure requests do not use prices and stock that are too old; reads still succeed (docs/contract.md#live-data)."""

from pathlib import Path

import pytest

from tests.failures.service import Setup, started
from tests.failures.shopping import BUNDLE, CONFIGURE, PRICE, READ, seconds_until
from tests.standin.faults import refused

HANDLE = "old"
MAX_AGE = 4
SETTINGS = {
    "BUNDLESVC_PRICE_MAX_AGE": str(MAX_AGE),
    "BUNDLESVC_CACHE_PRODUCTS_TTL": "2",
    "BUNDLESVC_CACHE_PRICES_TTL": "2",
}
SLACK = 3.0
RECOVERED_WITHIN = 10.0


def test_price_and_configure_refuse_data_that_is_too_old(tmp_path: Path) -> None:
    setup = Setup.prepared([HANDLE], tmp_path)
    with started(setup, SETTINGS) as service:
        shopper = service.shopper(HANDLE)
        assert all(observed.ok for observed in shopper.do_all((READ, BUNDLE, PRICE)).values())
        service.platform.fail({setup.shops[HANDLE].token: refused(403)})

        assert shopper.do(PRICE).ok
        waited = seconds_until(lambda: not shopper.do(PRICE).ok, MAX_AGE + SLACK)
        assert waited == pytest.approx(MAX_AGE, abs=1.5)
        for action in (PRICE, CONFIGURE):
            observed = shopper.do(action)
            assert (observed.status, observed.code) == (503, "platform_unavailable")
            assert observed.retry_after is not None
        read = shopper.do(READ)
        assert read.ok
        assert (read.age or 0) >= MAX_AGE
        assert shopper.do(BUNDLE).ok

        service.platform.heal()
        assert seconds_until(lambda: shopper.do(CONFIGURE).ok, RECOVERED_WITHIN) < RECOVERED_WITHIN
        assert seconds_until(lambda: shopper.do(READ).age is None, RECOVERED_WITHIN) < RECOVERED_WITHIN
        service.end()
    assert len(setup.configured()[HANDLE]) == 1
