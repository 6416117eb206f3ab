"""Reading a bundle of 200 products on the engine takes as few calls as documented, no calls for cached data and, after a change,
only calls for the changed data."""

from collections.abc import Iterator

import pytest

from tests.vendure_plugin.linked.large_bundle import COUNTRY, large_bundle, read, read_after_a_change
from tests.vendure_plugin.linked.linked_shop import LinkedShop
from tests.vendure_plugin.linked.webhook_gate import until

pytestmark = pytest.mark.process

COLD = {None: {"BundleChannel": 1, "BundleProducts": 4}, COUNTRY: {"BundleChannel": 1, "BundleMarketPrices": 4}}
CHANGED = {
    None: {"BundleProducts": 1},
    COUNTRY: {"BundleChannel": 1, "BundleProducts": 1, "BundleMarketPrices": 1},
}


@pytest.fixture
def large(linked: LinkedShop) -> Iterator[LinkedShop]:
    until(linked.is_quiet)
    with large_bundle(linked):
        yield linked
        until(linked.is_quiet)


def test_calls_for_a_bundle_of_200_products(large: LinkedShop) -> None:
    """Products are read in batches of 50, and cached products need no call. After a webhook, the service fetches only the changed
    product."""
    for country, calls in COLD.items():
        assert read(large, country).calls == calls
    for country in COLD:
        assert not read(large, country).calls
    for country, calls in CHANGED.items():
        assert read_after_a_change(large, country).calls == calls
    for country in COLD:
        assert not read(large, country).calls
