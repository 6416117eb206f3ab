"""A preview link is created in the studio, and opened by somebody without a key."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious_faults
from tests.browser.builder import Builder
from tests.browser.conftest import MakeStudio
from tests.browser.studio.studio_page import Studio

BOX = 101


def share(studio: Studio) -> str:
    """Create a preview link in the dialog, and return its address."""
    studio.page.locator("#share").click()
    studio.dialog.get_by_role("button", name="Make a link").click()
    address = studio.page.locator("#share-address")
    expect(address).to_be_focused()
    return str(address.input_value())


@pytest.mark.parametrize(
    "viewport", [{"width": 1280, "height": 900}, {"width": 390, "height": 844}], ids=["desktop", "phone"]
)
def test_guest_sees_the_draft_until_the_link_is_ended(
    studio: Studio, make_studio: MakeStudio, viewport: dict[str, int]
) -> None:
    studio.go(f"bundles/{BOX}")
    studio.field("name").fill("Breakfast Crate")
    address = share(studio)
    assert serious_faults(studio.page) == []
    guest = make_studio(viewport=viewport, color_scheme="dark").page
    guest.goto(address)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Breakfast Crate")
    expect(guest.get_by_text("This is a draft, which shoppers do not see yet.")).to_be_visible()
    builder = Builder(guest).shown()
    builder.choose("First Light", times=3)
    builder.add_to_cart()
    expect(guest.get_by_text("A shopper would have bought this now, for €28.21.")).to_be_visible()
    assert serious_faults(guest) == []
    assert studio.service.configured == 0
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")

    studio.dialog.get_by_role("button", name="End:").click()
    expect(studio.dialog.get_by_role("list", name="Valid links").get_by_role("listitem")).to_have_count(0)
    with guest.expect_response("**/studio/shared/link") as ended:
        guest.reload()
    assert ended.value.status == 410
    expect(guest.get_by_role("alert")).to_have_text(
        "This preview has ended. Ask whoever sent you the link for a new one."
    )


def test_links_are_told_apart_and_ended_by_keyboard(studio: Studio) -> None:
    studio.go(f"bundles/{BOX}")
    studio.field("name").fill("Breakfast Crate")
    studio.page.locator("#preview-time").fill("2030-06-01T12:00")
    share(studio)
    studio.page.keyboard.press("Escape")
    studio.page.locator("#preview-now").click()
    address = share(studio)
    links = studio.dialog.get_by_role("list", name="Valid links").get_by_role("listitem")
    expect(links).to_have_count(2)
    expect(links.nth(0)).to_contain_text("By Anna on")
    expect(links.nth(0)).not_to_contain_text("shown as on")
    expect(links.nth(1)).to_contain_text("shown as on Jun 1, 2030")
    links.nth(1).get_by_role("button").focus()
    studio.page.keyboard.press("Enter")
    expect(links).to_have_count(1)
    expect(studio.page.locator("#make-link")).to_be_focused()
    expect(studio.page.locator("#share-address")).to_have_value(address)


def test_address_is_copied(studio: Studio) -> None:
    studio.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    studio.go(f"bundles/{BOX}")
    studio.field("name").fill("Breakfast Crate")
    address = share(studio)
    studio.dialog.get_by_role("button", name="Copy").click()
    expect(studio.dialog.get_by_text("Copied")).to_be_visible()
    assert studio.page.evaluate("navigator.clipboard.readText()") == address


def test_guest_reads_why_there_is_nothing_to_see(studio: Studio, make_studio: MakeStudio) -> None:
    studio.go(f"bundles/{BOX}")
    studio.field("name").fill("Breakfast Crate")
    address = share(studio)
    studio.page.keyboard.press("Escape")
    guest = make_studio(viewport={"width": 390, "height": 844}).page
    studio.field("name").fill("")
    studio.saved()
    guest.goto(address)
    expect(guest.get_by_role("alert")).to_have_text(
        "The draft has faults at the moment, so it cannot be shown. Tell whoever sent you the link."
    )
    assert serious_faults(guest) == []
    studio.field("name").fill("Breakfast Crate")
    studio.saved()
    guest.get_by_role("button", name="Try again").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Breakfast Crate")
    guest.goto(f"{address[:-8]}AAAAAAA=")
    expect(guest.get_by_role("alert")).to_have_text("There is no such preview. Copy the whole address.")
    assert guest.context.cookies() == []
