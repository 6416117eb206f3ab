"""The demo storefront: its pages, its cart, its checkout simulator, its switches."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import BASKETS
from tests.browser.demo import Demo
from tests.browser.visit import Visit

BREAKFAST, MIXER, FLIGHT, MUG = 101, 105, 102, 109


def buy(demo: Demo, bundle: int) -> None:
    """Fill a bundle whose page is open, and add it; the drawer opens and the simulator answers."""
    BASKETS[bundle].fill(demo.builder.shown())
    demo.checked_out(demo.builder.add_to_cart)
    expect(demo.drawer).to_be_visible()


def cart_data(demo: Demo) -> Any:
    """What arrives at the checkout."""
    return json.loads(demo.page.get_by_test_id("cart-data").text_content() or "")


def with_drip_mixer(visit: Visit, bundle: int) -> Demo:
    """This bundle and the Drip Mixer in the cart, with the drawer open."""
    demo = visit.demo(bundle=bundle)
    buy(demo, bundle)
    demo.close_cart()
    demo.page.get_by_role("link", name="All bundles").click()
    demo.page.get_by_role("link", name="Drip Mixer").click()
    buy(demo, MIXER)
    return demo


@pytest.fixture
def two(visit: Visit) -> Demo:
    """Two native bundles in the cart."""
    return with_drip_mixer(visit, BREAKFAST)


def test_from_the_shop_s_front_to_a_bundle_and_back(visit: Visit) -> None:
    """With the address and the title of each."""
    demo = visit.demo()
    expect(demo.page.get_by_test_id("bundle-card")).to_have_count(11)
    demo.page.get_by_role("link", name="Tasting Flight").click()
    expect(demo.builder.name).to_have_text("Tasting Flight")
    expect(demo.page).to_have_title("Tasting Flight · Alder & Finch Coffee")
    expect(demo.page).to_have_url(re.compile(r"/demo\?bundle=102$"))

    demo.page.go_back()
    expect(demo.page.get_by_test_id("bundle-card")).to_have_count(11)


def test_it_is_linked_from_what_the_service_prints(visit: Visit) -> None:
    assert f"{visit.service.origin}/demo\n" in visit.service.server.out.text


def test_two_bundles_in_one_cart(two: Demo) -> None:
    """Both entries of `_bundles` are kept, and both discounts apply."""
    expect(two.entries).to_have_count(2)
    expect(two.page.get_by_test_id("cart-count")).to_have_text("2")
    cart = cart_data(two)
    configured = {item["properties"]["_bundle_data"].split("#")[0] for item in cart["items"]}
    assert len(configured) == 2
    assert set(json.loads(cart["attributes"]["_bundles"])) == configured
    expect(two.charges).to_have_count(2)
    expect(two.verdict).to_have_attribute("data-kept", "true")
    expect(two.refusals).to_have_count(0)


def test_one_is_removed_and_the_other_stays(two: Demo) -> None:
    two.checked_out(lambda: two.remove("Breakfast Box"))
    expect(two.entries).to_have_count(1)
    expect(two.drawer.get_by_role("heading", name="Your cart")).to_be_focused()
    cart = cart_data(two)
    (configured,) = {item["properties"]["_bundle_data"].split("#")[0] for item in cart["items"]}
    assert list(json.loads(cart["attributes"]["_bundles"])) == [configured]
    expect(two.verdict).to_have_attribute("data-kept", "true")

    two.remove("Drip Mixer")
    expect(two.drawer).to_contain_text("Nothing in it yet.")
    expect(two.receipt).to_be_hidden()


def test_the_cart_lasts(two: Demo) -> None:
    """Over a reload, in the state of the address."""
    two.checked_out(two.page.reload)
    expect(two.drawer).to_be_visible()
    expect(two.entries).to_have_count(2)
    expect(two.verdict).to_have_attribute("data-kept", "true")


def test_equal_ghost_variants_are_one_line(visit: Visit) -> None:
    demo = visit.demo(bundle=FLIGHT)
    buy(demo, FLIGHT)
    demo.close_cart()
    buy(demo, FLIGHT)
    expect(demo.entries).to_have_count(1)
    expect(demo.entries).to_contain_text("2 of them")
    expect(demo.total).to_have_text("€54.00")
    assert "_bundles" not in cart_data(demo)["attributes"]


def test_what_is_lost_or_changed_is_said_plainly(two: Demo) -> None:
    """And costs the discount of what it concerns."""
    promised = two.total.inner_text()
    two.page.get_by_text("Lose or change something on the way").click()
    for label, code in {
        "Lose the cart attribute _bundles": "attribute_missing",
        "Overwrite _bundles with the last bundle's entry": "entry_missing",
        "Change one character of the discount": "discount_broken",
        "One unit more of the first line": "quantity_changed",
        "Take the first line out": "lines_missing",
    }.items():
        two.checked_out(two.page.get_by_label(label).check)
        assert code in {refusal.get_attribute("data-code") for refusal in two.refusals.all()}
        expect(two.refusals.first).to_contain_text("Breakfast Box: ")
        expect(two.verdict).to_have_attribute("data-kept", "false")
        expect(two.verdict).to_have_text(f"The service promised {promised}. Why it is not kept stands above.")
        expect(two.total).not_to_have_text(promised)

        two.checked_out(two.page.get_by_label(label).uncheck)
        expect(two.total).to_have_text(promised)
        expect(two.refusals).to_have_count(0)


def test_a_cart_that_has_no_discount_to_change(visit: Visit) -> None:
    """A ghost variant is left in it: its price is the discounted one."""
    demo = with_drip_mixer(visit, FLIGHT)
    demo.checked_out(lambda: demo.remove("Drip Mixer"))
    demo.page.get_by_text("Lose or change something on the way").click()

    demo.checked_out(demo.page.get_by_label("Change one character of the discount").check)

    expect(demo.total).to_have_text("€27.00")
    expect(demo.refusals).to_have_count(0)


def test_switches_are_in_the_address_and_keep_the_selection(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST)
    demo.builder.choose("First Light", times=3)
    for label, value in [("Country", "US"), ("Template", "compact")]:
        demo.builder.after("bundle:ready", lambda label=label, value=value: demo.switch(label, value))  # type: ignore[misc]
    expect(demo.page).to_have_url(re.compile("country=US&template=compact"))
    expect(demo.builder.amount("First Light")).to_have_text("3")
    expect(demo.builder.total).to_have_text("€29.78")


def test_the_language_is_the_whole_page_s(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST)
    demo.builder.shown()
    demo.switch("Language", "de")
    expect(demo.builder.name).to_have_text("Frühstücksbox")
    expect(demo.page.get_by_role("button", name="Warenkorb, 0 darin")).to_be_visible()
    expect(demo.page.get_by_role("link", name="Alle Pakete")).to_be_visible()


def test_the_arms_of_an_experiment(visit: Visit) -> None:
    """Two visitors who see different ones."""
    demo = visit.demo(bundle=BREAKFAST, dev="open")
    arm = demo.page.get_by_test_id("arm")
    expect(arm).to_have_text("No A/B test decided: bundle 101")
    seen = set()
    for visitor in ("visitor A", "visitor B"):
        demo.builder.after("bundle:ready", lambda visitor=visitor: demo.switch("Visitor", visitor))  # type: ignore[misc]
        expect(arm).to_contain_text("of breakfast-layout")
        seen.add((arm.text_content(), demo.builder.name.text_content()))
    assert seen == {
        ("Arm 0 of breakfast-layout: bundle 101", "Breakfast Box"),
        ("Arm 1 of breakfast-layout: bundle 111", "Breakfast Express"),
    }


@pytest.mark.parametrize(("network", "said"), [("offline", "offline"), ("500", "went wrong")])
def test_a_failing_network_can_be_switched_on_and_off(visit: Visit, network: str, said: str) -> None:
    demo = visit.demo(bundle=BREAKFAST, network=network, dev="open")
    expect(demo.builder.notice).to_contain_text(said)
    demo.switch("Network", "normal")
    if network != "offline":  # who is online again is told by the browser
        demo.builder.root.get_by_role("button", name="Try again").click()
    expect(demo.builder.name).to_have_text("Breakfast Box")


def test_events_are_shown_to_developers(visit: Visit) -> None:
    demo = visit.demo(bundle=BREAKFAST, dev="open")
    demo.builder.choose("First Light")
    demo.page.get_by_text("Events of the component").click()
    expect(demo.page.get_by_test_id("events").get_by_role("listitem").first).to_contain_text("bundle:change")


def test_the_drawer_by_keyboard(visit: Visit) -> None:
    """The focus is kept in it, Escape closes it, and the focus goes back to where it was."""
    demo = visit.demo()
    button = demo.page.get_by_role("button", name="Cart")
    button.press("Enter")
    expect(demo.drawer).to_be_visible()
    demo.page.keyboard.press("Escape")
    expect(demo.drawer).to_be_hidden()
    expect(button).to_be_focused()


def test_the_drawer_is_told_to_those_who_do_not_see_it(two: Demo) -> None:
    """In it: what stands outside an open dialog is silent."""
    said = two.drawer.get_by_role("status")
    expect(said).to_have_text(re.compile(r"^Checkout: €[\d.]+ to pay\.$"))
    two.page.get_by_text("Lose or change something on the way").click()
    two.checked_out(two.page.get_by_label("Lose the cart attribute _bundles").check)
    expect(said).to_contain_text("it was lost on the way")


def test_the_head_of_the_drawer_is_as_wide_as_the_drawer(two: Demo) -> None:
    for width in (1280, 360):
        two.page.set_viewport_size({"width": width, "height": 900})
        head, inside = two.drawer.evaluate("(drawer) => [drawer.firstChild.offsetWidth, drawer.clientWidth]")
        assert head == inside


def test_switches_show_what_the_address_asks_for(visit: Visit) -> None:
    """Though they do not offer it."""
    demo = visit.demo(bundle=MIXER, dev="open", country="DE", lang="fr")
    demo.builder.shown()
    for label, value in {"Country": "DE", "Language": "fr"}.items():
        expect(demo.page.get_by_role("combobox", name=label, exact=True)).to_have_value(value)


def test_a_bundle_that_is_not_there(visit: Visit) -> None:
    visit.demo(bundle=999)
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("There is no such bundle here.")
