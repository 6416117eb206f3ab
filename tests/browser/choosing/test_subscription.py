"""Buying a bundle by subscription."""

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import EMAIL
from tests.browser.visit import Visit

NO_ADDRESS = "Please enter your e-mail address."


def test_subscription_has_its_own_price_and_needs_an_address(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("First Light", times=3)
    expect(builder.email).to_be_hidden()
    expect(builder.total).to_have_text("€28.21")

    builder.root.get_by_role("radio", name="Every 2 weeks").check()
    expect(builder.total).to_have_text("€26.80")
    expect(builder.reasons).to_have_text([NO_ADDRESS])
    builder.email.fill(EMAIL)
    expect(builder.reasons).to_have_count(0)

    added = builder.add_to_cart()
    assert added["selection"]["subscription"] == {"id": 7, "frequency": 2, "unit": "week", "email": EMAIL}
    assert added["result"]["subscription_id"]
    assert added["result"]["pricing"]["discountedPrice"] == "26.80"


def test_shopper_can_go_back_to_a_one_time_purchase(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("First Light", times=3)
    builder.subscribe("Every month", EMAIL)
    builder.root.get_by_role("radio", name="One-time purchase").check()

    assert builder.add_to_cart()["result"]["subscription_id"] is None


def test_required_subscription_offers_no_one_time_purchase(visit: Visit) -> None:
    """A bundle with a required subscription offers no one-time purchase, and one plan is selected from the start."""
    builder = visit.show(108)
    plans = builder.part("plans").get_by_role("radio")
    expect(plans).to_have_count(3)
    expect(plans.first).to_be_checked()
    expect(builder.part("plans")).not_to_contain_text("One-time purchase")
    expect(builder.part("plans")).to_contain_text("Now and then")


@pytest.mark.parametrize("address", ["mira at home", "mira@home"])
def test_invalid_address_gets_the_focus(visit: Visit, address: str) -> None:
    """The field of an invalid e-mail address gets the focus, even if only the service would refuse the address."""
    builder = visit.show(108)
    builder.choose("First Light", times=2)
    builder.email.fill(address)
    expect(builder.reasons).to_have_text([NO_ADDRESS])

    builder.try_to_buy()

    expect(builder.email).to_be_focused()
    expect(builder.email).to_have_attribute("aria-invalid", "true")
    assert not builder.events("bundle:addtocart")
