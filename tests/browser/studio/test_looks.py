"""Every view of the studio has no accessibility fault and fits, in light and dark, on phones, and in German."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import MakeStudio
from tests.browser.studio.studio_page import Studio

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
VIEWS = {
    "bundles": ("", ".bundle-card"),
    "new": ("new", ".template"),
    "editor": ("bundles/110", ".product-row"),
    "personalised": ("bundles/109", ".inner-card"),
    "subscription": ("bundles/101", "table.tiers"),
    "history": ("history", ".revision"),
    "import": ("import", "#csv"),
}


def check(studio: Studio) -> None:
    assert serious_faults(studio.page) == []
    width = studio.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_views(make_studio: MakeStudio, viewport: dict[str, int], scheme: str) -> None:
    studio = make_studio(viewport=viewport, color_scheme=scheme)
    studio.page.goto(f"{studio.service.origin}/studio")
    expect(studio.page.get_by_label("Management key")).to_be_visible()
    check(studio)
    studio.log_in()
    for place, part in VIEWS.values():
        studio.go(place)
        expect(studio.page.locator(part).first).to_be_visible()
        studio.page.eval_on_selector_all("details", "(all) => { for (const one of all) one.open = true; }")
        check(studio)


def test_dialogs(studio: Studio) -> None:
    studio.go("bundles/101")
    studio.field("name").fill("Brunch Box")
    studio.page.locator("#add-products-0").click()
    expect(studio.dialog.locator(".picker-item").first).to_be_visible()
    check(studio)
    studio.page.keyboard.press("Escape")
    expect(studio.page.locator("#add-products-0")).to_be_focused()
    studio.page.get_by_role("button", name="Review and publish").click()
    expect(studio.dialog).to_contain_text("Name: Breakfast Box becomes Brunch Box")
    check(studio)
    studio.dialog.get_by_role("button", name="Discard this draft").click()
    check(studio)
    studio.page.get_by_role("dialog", name="Discard this draft").get_by_role(
        "button", name="Discard", exact=True
    ).click()
    expect(studio.draft).to_have_text("Everything is live")
    expect(studio.field("name")).to_have_value("Breakfast Box")


def test_german(make_studio: MakeStudio) -> None:
    studio = make_studio(locale="de-DE")
    studio.page.goto(f"{studio.service.origin}/studio")
    studio.page.get_by_role("button", name="Mit dem Demo-Shop ausprobieren").click()
    expect(studio.title).to_have_text("Pakete")
    expect(studio.page.locator("html")).to_have_attribute("lang", "de")
    studio.go("bundles/101")
    expect(studio.panel("discount")).to_contain_text("3 Stufen")
    check(studio)

    studio.page.get_by_label("Sprache dieser Seite").select_option("en")
    expect(studio.panel("discount")).to_contain_text("3 steps")
    expect(studio.page.locator("html")).to_have_attribute("lang", "en")
