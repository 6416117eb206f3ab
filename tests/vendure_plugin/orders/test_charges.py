"""The charge for bundles in placed orders is the promised amount, to the minor unit, whatever else is in the order."""

from random import Random

import pytest

from tests.vendure_plugin.orders.random_orders import MARKETS, STEPS, charge, offer_coupon, random_order, shopper
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine

pytestmark = pytest.mark.process

ORDERS_OF_A_MARKET = 20


@pytest.fixture(scope="module", autouse=True)
def coupon(engine: DemoEngine) -> None:
    offer_coupon(engine)


@pytest.mark.parametrize("country", MARKETS)
def test_every_native_bundle_is_charged_as_promised(
    engine: DemoEngine, storefront: Storefront, country: str | None
) -> None:
    random = Random(f"every {country}")
    for bundle in storefront.natives:
        one = storefront.some(random, bundle, country)
        buyer = shopper(engine, country)
        buyer.add(one.answer)
        found = charge(buyer.place(), one, country)
        assert found.is_as_promised, found


@pytest.mark.parametrize("country", MARKETS)
def test_random_orders_are_charged_as_promised(engine: DemoEngine, storefront: Storefront, country: str | None) -> None:
    random = Random(f"random {country}")
    orders = [random_order(random, engine, storefront, country) for _ in range(ORDERS_OF_A_MARKET)]
    charges = [one for placed in orders for one in placed.charges]
    assert set(STEPS) == {step for placed in orders for step in placed.steps}
    assert any(one.discounted for one in charges)
    assert [one for one in charges if not one.is_as_promised] == []
