"""A bundle by subscription."""

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import EMAIL
from tests.browser.visit import Visit

NO_ADDRESS = "Please enter your e-mail address."


def test_a_subscription_may_be_chosen(visit: Visit) -> None:
    """It has a price of its own, and needs an address."""
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


def test_who_changes_his_mind_buys_just_once(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("First Light", times=3)
    builder.subscribe("Every month", EMAIL)
    builder.root.get_by_role("radio", name="One-time purchase").check()

    assert builder.add_to_cart()["result"]["subscription_id"] is None


def test_a_subscription_that_is_required(visit: Visit) -> None:
    """One way is chosen from the start, and none of them is to buy just once."""
    builder = visit.show(108)
    plans = builder.part("plans").get_by_role("radio")
    expect(plans).to_have_count(3)
    expect(plans.first).to_be_checked()
    expect(builder.part("plans")).not_to_contain_text("One-time purchase")
    expect(builder.part("plans")).to_contain_text("Now and then")


@pytest.mark.parametrize("address", ["mira at home", "mira@home"])
def test_an_address_is_looked_at(visit: Visit, address: str) -> None:
    """Who buys with a wrong one is led to it, also when it is the service alone that would refuse it."""
    builder = visit.show(108)
    builder.choose("First Light", times=2)
    builder.email.fill(address)
    expect(builder.reasons).to_have_text([NO_ADDRESS])

    builder.try_to_buy()

    expect(builder.email).to_be_focused()
    expect(builder.email).to_have_attribute("aria-invalid", "true")
    assert not builder.events("bundle:addtocart")
