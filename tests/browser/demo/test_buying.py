"""Buying in the demo: promise and charge side by side, the cause of a difference, and refunds for parts of an order."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.demo.demo_page import Demo
from tests.browser.routes import fulfill_first
from tests.browser.states import shopping
from tests.browser.visit import Visit

BREAKFAST, FLIGHT, MUG = 101, 102, 109
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1280, "light"),
    (1280, "dark"),
    (360, "light"),
    (360, "dark"),
)


def amount(demo: Demo, name: str) -> str:
    """An amount shown for the first bundle in the order, such as "promised" or "charged"."""
    return demo.order_bundles.first.locator(f"[data-amount={name}] dd").inner_text()


def test_order_shows_promise_and_charge_side_by_side(visit: Visit) -> None:
    demo = shopping(visit, BREAKFAST, MUG, FLIGHT)
    to_pay = demo.total.inner_text()
    expect(demo.page.get_by_test_id("to-pay")).to_have_text(f"To pay: {to_pay}")

    demo.place_order()

    expect(demo.proof).to_have_text("As promised: you paid what you were shown.")
    expect(demo.order_bundles.locator("h2")).to_have_text(["Breakfast Box", "Name Mug", "Tasting Flight"])
    expect(demo.order_bundles.locator(".order-cause")).to_have_text(["As promised."] * 3)
    assert (amount(demo, "promised"), amount(demo, "difference")) == (amount(demo, "charged"), "€0.00")
    expect(demo.order_total).to_have_text(to_pay)
    expect(demo.page.get_by_role("heading", level=1)).to_be_focused()


def test_cart_is_empty_after_the_purchase_and_the_order_has_an_address(visit: Visit) -> None:
    demo = shopping(visit, BREAKFAST)
    demo.place_order()
    expect(demo.cart_count).to_have_text("0")
    expect(demo.page).to_have_url(re.compile(r"/demo\?order=demo-[0-9a-f]{32}$"))

    demo.page.reload()
    expect(demo.proof).to_be_visible()
    demo.page.get_by_role("link", name="All bundles").click()
    expect(demo.page.get_by_test_id("bundle-card").first).to_be_visible()
    expect(demo.page).to_have_url(re.compile(r"/demo$"))
    demo.page.go_back()
    expect(demo.proof).to_be_visible()


@pytest.mark.parametrize(
    ("label", "cause", "sentence"),
    [
        ("Lose the cart attribute _bundles", "attributes_lost", "The cart lost the data of the bundle"),
        ("Change one character of the discount", "discount_refused", "The checkout refused the discount"),
        ("Add one unit to the first line", "quantity_changed", "The units in the cart were not those of the bundle"),
        ("Remove the first line", "quantity_changed", "The units in the cart were not those of the bundle"),
    ],
)
def test_damaged_cart_is_bought_and_the_receipt_names_the_cause(
    visit: Visit, label: str, cause: str, sentence: str
) -> None:
    demo = shopping(visit, BREAKFAST)
    demo.page.get_by_text("Damage the cart on its way to the checkout").click()
    demo.checked_out(demo.page.get_by_label(label).check)

    demo.place_order()

    expect(demo.proof).to_have_attribute("data-kept", "false")
    expect(demo.order_bundles).to_have_attribute("data-verdict", cause)
    expect(demo.order_bundles).to_contain_text(sentence)
    assert amount(demo, "promised") != amount(demo, "charged")


def test_one_part_comes_back_under_three_policies(visit: Visit) -> None:
    """One unit of a box is refunded under three policies; the box gets 10% off for six items, and less for fewer."""
    demo = shopping(visit, BREAKFAST)
    demo.place_order()
    expect(demo.page.get_by_role("spinbutton")).to_have_count(3)
    first, second, biscuits = demo.page.get_by_role("spinbutton").all()
    expect(first).to_have_value("1")
    expect(demo.quotes.locator("h3")).to_have_text(
        ["In proportion", "By the bundle's rules", "Full price for the rest"]
    )
    expect(demo.quotes.locator(".quote-amount")).to_have_count(3)
    before = demo.quotes.locator(".quote-amount").all_inner_texts()
    assert len(set(before)) == 3

    with demo.page.expect_response("**/returns"):
        biscuits.fill("2")
        biscuits.blur()
    expect(demo.quotes.locator(".quote-amount").first).not_to_have_text(before[0])
    expect(demo.page.locator("#said")).to_contain_text("Refunds: €")

    for field in (first, biscuits):
        field.fill("-3")
        field.blur()
    expect(demo.page.get_by_test_id("quotes")).to_have_text("Choose at least one unit.")

    for field in (first, second, biscuits):
        field.fill("99")
        field.blur()
    expect(biscuits).to_have_value("3")
    expect(demo.quotes.locator(".quote-amount")).to_have_text([amount(demo, "charged")] * 3)


def test_order_speaks_german_and_counts_in_the_shopper_s_currency(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, lang="de", country="CH")
    demo.builder.shown().choose("First Light", times=3)
    demo.checked_out(demo.builder.add_to_cart)
    demo.place_order()
    expect(demo.page.get_by_role("heading", level=1)).to_have_text("Deine Bestellung")
    expect(demo.proof).to_contain_text("Wie versprochen")
    expect(demo.page.get_by_role("heading", name="Frühstücksbox")).to_be_visible()
    expect(demo.page.get_by_role("heading", name="Einen Teil zurückgeben")).to_be_visible()
    assert amount(demo, "charged").endswith("CHF")
    expect(demo.quotes.locator(".quote-amount").first).to_contain_text("CHF")


@pytest.mark.parametrize("tamper", ["", "attribute"])
def test_order_is_accessible_in_every_look(visit: Visit, tamper: str) -> None:
    """The cart and the order page have no accessibility violation at all, at any width and in either colour scheme."""
    demo = shopping(visit, BREAKFAST, MUG, FLIGHT, tamper=tamper)
    for width, scheme in LOOKS:
        show(demo.page, width, scheme)
        assert faults(demo.page) == []
    demo.place_order()
    expect(demo.quotes).to_have_count(3)
    for width, scheme in LOOKS:
        show(demo.page, width, scheme)
        assert faults(demo.page) == []


def show(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)


def test_order_can_be_bought_by_keyboard(visit: Visit) -> None:
    demo = shopping(visit, BREAKFAST)
    demo.buy.focus()
    demo.page.keyboard.press("Enter")
    expect(demo.proof).to_be_visible()


def test_failed_purchase_says_why_and_keeps_the_cart(visit: Visit) -> None:
    demo = shopping(visit, BREAKFAST)
    busy = {"error": "Too many requests.", "code": "rate_limited"}
    fulfill_first(demo.page, "**/demo/orders", status=429, json=busy)
    demo.buy.click()
    expect(demo.drawer.get_by_role("alert")).to_have_text("The order was not placed. Too many requests.")
    expect(demo.entries).to_have_count(1)

    demo.place_order()
    expect(demo.proof).to_be_visible()


def test_cart_from_which_the_bundle_was_lost_places_no_order(visit: Visit) -> None:
    """No order is placed for a cart that has lost its bundle: here, the cart's only line was a ghost variant."""
    demo = shopping(visit, FLIGHT, tamper="line")
    demo.buy.click()
    expect(demo.drawer.get_by_role("alert")).to_contain_text("Nothing in this cart belongs to a bundle")


def test_service_without_orders_has_no_button(visit: Visit) -> None:
    visit.page.route("**/demo/shop.json?*", lambda route: route.fulfill(json={**route.fetch().json(), "canBuy": False}))
    demo = shopping(visit, BREAKFAST)
    expect(demo.receipt).to_be_visible()
    expect(demo.buy).to_have_count(0)
