"""The demo storefront: editing bundles in the cart, and sharing selections by link."""

import json
import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.baskets import BASKETS
from tests.browser.demo.demo_page import Demo
from tests.browser.visit import Visit

MIXER, FLIGHT, LETTERED = 105, 102, 109
EDITING = "You are editing a bundle of your cart: adding it replaces the one that is there."


def buy(demo: Demo, bundle: int) -> None:
    BASKETS[bundle].fill(demo.builder.shown())
    demo.checked_out(demo.builder.add_to_cart)


def edit(demo: Demo, title: str) -> None:
    """Start editing a bundle from the open cart drawer, and wait until the component shows the bundle's selection."""
    demo.drawer.get_by_role("button", name=f"Edit: {title}").click()
    expect(demo.drawer).to_be_hidden()
    expect(demo.page.get_by_text(EDITING)).to_be_visible()
    expect(demo.builder.lines).not_to_have_count(0)


def configured_ids(demo: Demo) -> set[str]:
    """The ids of the native bundles in the cart that the checkout receives. The cart's lines and its attribute must contain the
    same ids."""
    cart = json.loads(demo.page.get_by_test_id("cart-data").text_content() or "")
    ids = {item["properties"]["_bundle_data"].split("#")[0] for item in cart["items"]}
    assert set(json.loads(cart["attributes"]["_bundles"])) == ids
    return ids


def test_edited_bundle_replaces_its_lines(visit: Visit) -> None:
    """Editing a bundle with personalisation replaces the bundle's lines in the cart; another bundle stays in the cart."""
    demo = visit.demo(bundle=MIXER)
    buy(demo, MIXER)
    (mixer,) = configured_ids(demo)
    demo.page.goto(f"{visit.service.origin}/demo?bundle={LETTERED}")
    buy(demo, LETTERED)
    before = configured_ids(demo)
    title = demo.builder.name.text_content() or ""

    edit(demo, title)
    lettering = demo.builder.root.get_by_label("Lettering")
    expect(lettering).to_have_value("Mira")
    lettering.fill("Zoe")
    demo.checked_out(demo.builder.add_to_cart)

    expect(demo.entries).to_have_count(2)
    after = configured_ids(demo)
    assert before & after == {mixer}
    assert len(after) == 2
    expect(demo.verdict).to_have_attribute("data-kept", "true")
    expect(demo.page).not_to_have_url(re.compile("edit="))

    edit(demo, title)
    expect(lettering).to_have_value("Zoe")
    demo.page.get_by_role("button", name="Cancel").click()
    expect(demo.drawer).to_be_visible()
    expect(demo.page.get_by_text(EDITING)).to_be_hidden()
    assert configured_ids(demo) == after


def test_edited_ghost_variant_replaces_its_line(visit: Visit) -> None:
    """Editing a ghost variant replaces the variant's line in the cart and keeps the quantity."""
    demo = visit.demo(bundle=FLIGHT)
    buy(demo, FLIGHT)
    demo.close_cart()
    buy(demo, FLIGHT)
    expect(demo.total).to_have_text("€54.00")

    edit(demo, "Tasting Flight")
    demo.builder.root.get_by_role("button", name=re.compile("^Remove Sumatra Gayo")).click()
    demo.builder.choose("Kenya Nyeri", "Filter")
    demo.checked_out(demo.builder.add_to_cart)

    expect(demo.entries).to_have_count(1)
    expect(demo.entries).to_contain_text("Quantity: 2")
    expect(demo.entries).to_contain_text("Kenya Nyeri")
    expect(demo.entries).not_to_contain_text("Sumatra Gayo")
    expect(demo.verdict).to_have_attribute("data-kept", "true")


def test_selection_is_shared_by_a_link(visit: Visit) -> None:
    demo = visit.demo(bundle=FLIGHT, dev="open")
    share = demo.page.get_by_role("link", name="Share this selection")
    BASKETS[FLIGHT].fill(demo.builder.shown())
    link = share.get_attribute("href") or ""
    assert set(parse_qs(urlsplit(link).query)) == {"bundle", "selection"}

    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share.click()
    expect(demo.page.get_by_role("link", name="Link copied")).to_be_visible()
    assert demo.page.evaluate("navigator.clipboard.readText()") == f"{visit.service.origin}{link}"

    demo.page.goto(f"{visit.service.origin}{link}")
    expect(demo.builder.amount("First Light")).to_have_text("1")
    expect(demo.builder.lines).to_have_count(3)
    expect(demo.page).to_have_url(f"{visit.service.origin}/demo?bundle={FLIGHT}")

    demo = visit.demo(bundle=FLIGHT, selection="1~damaged")
    expect(demo.page.get_by_role("alert")).to_have_text("The selection in this link cannot be read.")
    expect(demo.builder.shown().lines).to_have_count(0)
    expect(share).to_be_hidden()
