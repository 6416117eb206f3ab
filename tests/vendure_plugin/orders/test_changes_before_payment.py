"""Prices and stock that change between configure and payment: a promise ends when the prices on which it was based change, and
only items in stock are sold."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.vendure_plugin.catalogue import set_price, set_stock
from tests.vendure_plugin.orders.random_orders import charge
from tests.vendure_plugin.selections import Configured, Storefront
from tests.vendure_plugin.shop import DemoEngine
from tests.vendure_plugin.shopper import Shopper, lines_of

pytestmark = pytest.mark.process

VARIANT, PRICE = "10011", 990
"""A variant in the box, and its price in cents."""


@pytest.fixture
def shopper(engine: DemoEngine) -> Shopper:
    return Shopper(engine.address, engine.home)


@pytest.fixture
def box(storefront: Storefront) -> Configured:
    return storefront.configured(110, (10011, 1001, 1), (10011, 1001, 1), (10012, 1001, 1))


@contextmanager
def price_of(engine: DemoEngine, cents: int) -> Iterator[None]:
    found = engine.admin.run("query ($id: ID!) { productVariant(id: $id) { priceWithTax } }", id=VARIANT)
    assert found["productVariant"]["priceWithTax"] == PRICE
    set_price(engine, VARIANT, cents)
    try:
        yield
    finally:
        set_price(engine, VARIANT, PRICE)


@pytest.mark.parametrize("cents", [PRICE + 100, PRICE - 100])
@pytest.mark.parametrize("when", ["before it is added", "while it is in the order"])
def test_bundle_is_charged_in_full_after_a_price_has_changed(
    when: str, cents: int, engine: DemoEngine, shopper: Shopper, box: Configured
) -> None:
    if when == "while it is in the order":
        shopper.add(box.answer)
    with price_of(engine, cents):
        shopper.add(box.answer)
        order = shopper.place()
    lines = lines_of(order, box.id)
    assert {line["bundle"]["reason"] for line in lines} == {"prices_changed"}
    assert sum(line["discountedLinePriceWithTax"] for line in lines) == sum(line["linePriceWithTax"] for line in lines)


def test_order_whose_stock_was_sold_meanwhile_is_not_paid(
    engine: DemoEngine, shopper: Shopper, storefront: Storefront, box: Configured
) -> None:
    shopper.add(box.answer)
    set_stock(engine, "10012", 0)
    try:
        with pytest.raises(AssertionError, match="ORDER_STATE_TRANSITION_ERROR"):
            shopper.place()
        assert shopper.order()["state"] == "AddingItems"
    finally:
        set_stock(engine, "10012", 1000)
    found = charge(shopper.place(), box, None)
    assert found.is_as_promised, found
