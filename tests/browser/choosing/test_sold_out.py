"""Sold-out variants, and stock reminders."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visit import Visit

REGISTERED = "We will e-mail you when it is back in stock."


def remind(form: Locator, email: str) -> Locator:
    """Submit the reminder form with an e-mail address, and return the form's message."""
    form.get_by_label("Your e-mail address").fill(email)
    form.get_by_role("button", name="Send").click()
    return form.get_by_role("status")


def test_sold_out_product_cannot_be_chosen(visit: Visit) -> None:
    builder = visit.show(102)
    card = builder.card("Panama Small Lot")
    expect(card).to_contain_text("Sold out")
    expect(card.get_by_role("button", name="Choose Panama Small Lot")).to_be_hidden()


def test_sold_out_variant_is_marked(visit: Visit) -> None:
    """A sold-out variant is marked before it is chosen, and variants in stock can still be chosen."""
    builder = visit.show(107)
    expect(builder.value("Travel Cup", "Fern")).to_be_checked()
    expect(builder.value("Travel Cup", "Sand")).to_have_accessible_name("Sand Sold out")

    builder.pick("Travel Cup", "Sand")
    expect(builder.card("Travel Cup").get_by_role("button", name="Choose Travel Cup")).to_be_hidden()
    expect(builder.card("Travel Cup").get_by_text("Notify me when it is back in stock")).to_be_visible()

    builder.choose("Travel Cup", "Fern")
    expect(builder.lines).to_have_count(1)


def test_reminder_is_registered_once(visit: Visit) -> None:
    """A reminder is registered once, however the address is capitalised."""
    form = visit.show(102).open_reminder("Panama Small Lot")
    expect(remind(form, "jan@mail.example")).to_have_text(REGISTERED)
    expect(remind(form, "JAN@mail.example")).to_have_text("You are already on the list.")


@pytest.mark.parametrize("address", ["jan at home", "jan@home"])
def test_reminder_needs_a_valid_address(visit: Visit, address: str) -> None:
    """A reminder needs a valid address; an invalid one is refused by the browser or by the service."""
    form = visit.show(102).open_reminder("Panama Small Lot")
    expect(remind(form, address)).to_have_text("Please enter your e-mail address.")


def test_reminder_can_be_retried_after_a_failure(visit: Visit) -> None:
    form = visit.show(102).open_reminder("Panama Small Lot")
    visit.page.route("**/notify", lambda route: route.abort())
    expect(remind(form, "ida@mail.example")).to_contain_text("This shop is not answering")

    visit.page.unroute("**/notify")
    expect(remind(form, "ida@mail.example")).to_have_text(REGISTERED)


def test_reminder_is_for_the_variant_shown(visit: Visit) -> None:
    form = visit.show(107).open_reminder("Travel Cup", "Sand")
    with visit.page.expect_request("**/notify") as sent:
        remind(form, "ken@mail.example")
    assert sent.value.post_data_json == {
        "variant": "10332",
        "customer_email": "ken@mail.example",
        "bundle_name": "Host's Table",
    }
