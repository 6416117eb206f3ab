"""The demo storefront: pages, cart, checkout simulator and switches."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import BASKETS
from tests.browser.demo.demo_page import Demo
from tests.browser.visit import Visit

BREAKFAST, MIXER, FLIGHT, MUG = 101, 105, 102, 109


def buy(demo: Demo, bundle: int) -> None:
    """Fill the open bundle and add it to the cart. The drawer opens and shows a receipt."""
    BASKETS[bundle].fill(demo.builder.shown())
    demo.checked_out(demo.builder.add_to_cart)
    expect(demo.drawer).to_be_visible()


def cart_data(demo: Demo) -> Any:
    """The cart that the checkout receives."""
    return json.loads(demo.page.get_by_test_id("cart-data").text_content() or "")


def with_drip_mixer(visit: Visit, bundle: int) -> Demo:
    """The demo with this bundle and the Drip Mixer in the cart, and the drawer open."""
    demo = visit.demo(bundle=bundle)
    buy(demo, bundle)
    demo.close_cart()
    demo.page.get_by_role("link", name="All bundles").click()
    demo.page.get_by_role("link", name="Drip Mixer").click()
    buy(demo, MIXER)
    return demo


@pytest.fixture
def two(visit: Visit) -> Demo:
    """The demo with two native bundles in the cart."""
    return with_drip_mixer(visit, BREAKFAST)


def test_home_page_leads_to_a_bundle_and_back(visit: Visit) -> None:
    demo = visit.demo()
    expect(demo.page.get_by_test_id("bundle-card")).to_have_count(11)
    demo.page.get_by_role("link", name="Tasting Flight").click()
    expect(demo.builder.name).to_have_text("Tasting Flight")
    expect(demo.page).to_have_title("Tasting Flight · Alder & Finch Coffee")
    expect(demo.page).to_have_url(re.compile(r"/demo\?bundle=102$"))

    demo.page.go_back()
    expect(demo.page.get_by_test_id("bundle-card")).to_have_count(11)


def test_serve_prints_the_address_of_the_demo(visit: Visit) -> None:
    assert f"{visit.service.origin}/demo\n" in visit.service.server.out.text


def test_two_bundles_in_one_cart_both_get_their_discount(two: Demo) -> None:
    expect(two.entries).to_have_count(2)
    expect(two.page.get_by_test_id("cart-count")).to_have_text("2")
    cart = cart_data(two)
    configured = {item["properties"]["_bundle_data"].split("#")[0] for item in cart["items"]}
    assert len(configured) == 2
    assert set(json.loads(cart["attributes"]["_bundles"])) == configured
    expect(two.charges).to_have_count(2)
    expect(two.verdict).to_have_attribute("data-kept", "true")
    expect(two.refusals).to_have_count(0)


def test_removing_a_bundle_leaves_the_other(two: Demo) -> None:
    two.checked_out(lambda: two.remove("Breakfast Box"))
    expect(two.entries).to_have_count(1)
    expect(two.drawer.get_by_role("heading", name="Your cart")).to_be_focused()
    cart = cart_data(two)
    (configured,) = {item["properties"]["_bundle_data"].split("#")[0] for item in cart["items"]}
    assert list(json.loads(cart["attributes"]["_bundles"])) == [configured]
    expect(two.verdict).to_have_attribute("data-kept", "true")

    two.remove("Drip Mixer")
    expect(two.drawer).to_contain_text("Your cart is empty.")
    expect(two.receipt).to_be_hidden()


def test_cart_survives_a_reload(two: Demo) -> None:
    two.checked_out(two.page.reload)
    expect(two.drawer).to_be_visible()
    expect(two.entries).to_have_count(2)
    expect(two.verdict).to_have_attribute("data-kept", "true")


def test_equal_ghost_variants_become_one_line(visit: Visit) -> None:
    demo = visit.demo(bundle=FLIGHT)
    buy(demo, FLIGHT)
    demo.close_cart()
    buy(demo, FLIGHT)
    expect(demo.entries).to_have_count(1)
    expect(demo.entries).to_contain_text("Quantity: 2")
    expect(demo.total).to_have_text("€54.00")
    assert "_bundles" not in cart_data(demo)["attributes"]


def test_damaged_cart_loses_the_discount_and_the_reason_is_shown(two: Demo) -> None:
    promised = two.total.inner_text()
    two.page.get_by_text("Damage the cart on its way to the checkout").click()
    for label, code in {
        "Lose the cart attribute _bundles": "attribute_missing",
        "Overwrite _bundles with the last bundle's entry": "entry_missing",
        "Change one character of the discount": "discount_broken",
        "Add one unit to the first line": "quantity_changed",
        "Remove the first line": "lines_missing",
    }.items():
        two.checked_out(two.page.get_by_label(label).check)
        assert code in {refusal.get_attribute("data-code") for refusal in two.refusals.all()}
        expect(two.refusals.first).to_contain_text("Breakfast Box: ")
        expect(two.verdict).to_have_attribute("data-kept", "false")
        expect(two.verdict).to_have_text(f"The service promised {promised}. The reasons are above.")
        expect(two.total).not_to_have_text(promised)

        two.checked_out(two.page.get_by_label(label).uncheck)
        expect(two.total).to_have_text(promised)
        expect(two.refusals).to_have_count(0)


def test_changing_the_discount_does_nothing_to_a_cart_with_only_a_ghost_variant(visit: Visit) -> None:
    demo = with_drip_mixer(visit, FLIGHT)
    demo.checked_out(lambda: demo.remove("Drip Mixer"))
    demo.page.get_by_text("Damage the cart on its way to the checkout").click()

    demo.checked_out(demo.page.get_by_label("Change one character of the discount").check)

    expect(demo.total).to_have_text("€27.00")
    expect(demo.refusals).to_have_count(0)


def test_switches_change_the_address_and_keep_the_selection(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST)
    demo.builder.choose("First Light", times=3)
    for label, value in [("Country", "US"), ("Template", "compact")]:
        demo.builder.after("bundle:ready", lambda label=label, value=value: demo.switch(label, value))  # type: ignore[misc]
    expect(demo.page).to_have_url(re.compile("country=US&template=compact"))
    expect(demo.builder.amount("First Light")).to_have_text("3")
    expect(demo.builder.total).to_have_text("$32.77")


def test_swiss_shoppers_see_francs_from_the_page_to_the_checkout(visit: Visit) -> None:
    """Swiss shoppers see francs from the page to the checkout, where a charge may differ from the promise because of rounding.

    "From" prices are hidden, because they are known only in the shop's currency."""
    demo = visit.demo(country="CH")
    expect(demo.page.get_by_test_id("bundle-card").first).to_be_visible()
    expect(demo.page.locator(".from-price:visible")).to_have_count(0)
    demo.page.get_by_role("link", name="Drip Mixer").click()
    builder = demo.builder.shown()
    expect(builder.root.locator("[part~=price]").first).to_contain_text("CHF")
    BASKETS[MIXER].fill(builder)
    expect(builder.total).to_contain_text("CHF")
    demo.checked_out(builder.add_to_cart)
    expect(demo.entries.locator("strong")).to_contain_text("CHF")
    expect(demo.market_total).to_contain_text("CHF")
    expect(demo.total).to_contain_text("€")
    expect(demo.verdict).to_contain_text("promise")
    expect(demo.verdict).to_contain_text("CHF")


def test_language_switch_changes_the_whole_page(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST)
    demo.builder.shown()
    demo.switch("Language", "de")
    expect(demo.builder.name).to_have_text("Frühstücksbox")
    expect(demo.page.get_by_role("button", name="Warenkorb, 0 darin")).to_be_visible()
    expect(demo.page.get_by_role("link", name="Alle Pakete")).to_be_visible()


def test_two_visitors_see_different_arms_of_an_experiment(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, dev="open")
    arm = demo.page.get_by_test_id("arm")
    expect(arm).to_have_text("No A/B test: bundle 101")
    seen = set()
    for visitor in ("visitor A", "visitor B"):
        demo.builder.after("bundle:ready", lambda visitor=visitor: demo.switch("Visitor", visitor))  # type: ignore[misc]
        expect(arm).to_contain_text("of breakfast-layout")
        seen.add((arm.text_content(), demo.builder.name.text_content()))
    assert seen == {
        ("Arm 0 of breakfast-layout: bundle 101", "Breakfast Box"),
        ("Arm 1 of breakfast-layout: bundle 111", "Breakfast Express"),
    }


@pytest.mark.parametrize(("network", "message"), [("offline", "seem to be offline"), ("500", "went wrong")])
def test_network_faults_can_be_switched_on_and_off(visit: Visit, network: str, message: str) -> None:
    demo = visit.demo(bundle=BREAKFAST, network=network, dev="open")
    expect(demo.builder.notice).to_contain_text(message)
    demo.switch("Network", "normal")
    if network != "offline":  # the `online` event triggers a retry
        demo.builder.root.get_by_role("button", name="Try again").click()
    expect(demo.builder.name).to_have_text("Breakfast Box")


def test_developer_panel_lists_events(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, dev="open")
    demo.builder.choose("First Light")
    demo.page.get_by_text("Events of the component").click()
    expect(demo.page.get_by_test_id("events").get_by_role("listitem").first).to_contain_text("bundle:change")


def test_escape_closes_the_drawer_and_restores_the_focus(visit: Visit) -> None:
    demo = visit.demo()
    button = demo.page.get_by_role("button", name="Cart")
    expect(button).to_be_enabled()  # a key press, unlike a click, does not wait for this
    button.press("Enter")
    expect(demo.drawer).to_be_visible()
    demo.page.keyboard.press("Escape")
    expect(demo.drawer).to_be_hidden()
    expect(button).to_be_focused()


def test_receipt_is_announced_inside_the_open_drawer(two: Demo) -> None:
    """A receipt is announced inside the open drawer, because screen readers ignore the page behind an open dialog."""
    status = two.drawer.get_by_role("status")
    expect(status).to_have_text(re.compile(r"^Checkout: €[\d.]+ to pay\.$"))
    two.page.get_by_text("Damage the cart on its way to the checkout").click()
    two.checked_out(two.page.get_by_label("Lose the cart attribute _bundles").check)
    expect(status).to_contain_text("Set it when a bundle is added")


def test_drawer_header_is_as_wide_as_the_drawer(two: Demo) -> None:
    for width in (1280, 360):
        two.page.set_viewport_size({"width": width, "height": 900})
        head, inside = two.drawer.evaluate("(drawer) => [drawer.firstChild.offsetWidth, drawer.clientWidth]")
        assert head == inside


def test_switches_show_values_of_the_address_that_they_do_not_offer(visit: Visit) -> None:
    demo = visit.demo(bundle=MIXER, dev="open", country="DE", lang="fr")
    demo.builder.shown()
    for label, value in {"Country": "DE", "Language": "fr"}.items():
        expect(demo.panel.get_by_role("combobox", name=label, exact=True)).to_have_value(value)


def test_unknown_bundle_shows_a_message(visit: Visit) -> None:
    visit.demo(bundle=999)
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("This shop does not have this bundle.")


def structured_data(demo: Demo) -> Any:
    """The structured data of the page, which search engines read."""
    return json.loads(demo.page.locator("#structured-data").text_content() or "")


def test_search_engines_read_what_a_bundle_costs(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, lang="en", template="compact")
    demo.builder.shown()
    data = structured_data(demo)
    assert (data["@type"], data["name"]) == ("Product", "Breakfast Box")
    assert data["url"] == f"{visit.service.origin}/demo?bundle=101&lang=en"
    assert data["offers"]["priceCurrency"] == "EUR"
    assert data["offers"]["availability"] == "https://schema.org/InStock"
    expect(demo.page.locator(".from-price")).to_contain_text(data["offers"]["lowPrice"])
    assert [part["@type"] for part in data["isRelatedTo"]] == ["Product"] * len(data["isRelatedTo"]) != []


def test_search_engines_read_no_price_of_a_market_that_is_not_known(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, country="CH")
    demo.builder.shown()
    data = structured_data(demo)
    assert "lowPrice" not in data["offers"]
    assert {part["offers"]["priceCurrency"] for part in data["isRelatedTo"]} == {"CHF"}


def test_search_engines_read_which_bundles_there_are(visit: Visit) -> None:
    demo = visit.demo()
    expect(demo.page.get_by_test_id("bundle-card")).to_have_count(11)
    data = structured_data(demo)
    assert data["@type"] == "ItemList"
    assert data["itemListElement"][0]["url"] == f"{visit.service.origin}/demo?bundle=101"

    demo.page.goto(f"{visit.service.origin}/demo?bundle=999")
    expect(demo.page.locator(".not-found")).to_be_visible()
    expect(demo.page.locator("#structured-data")).to_have_count(0)
