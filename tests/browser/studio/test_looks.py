"""Every view of the studio fits the window and has no accessibility violation, in light and dark mode, on phones, and in
German."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import MakeStudio, opened_studios
from tests.browser.live import running_live_shop
from tests.browser.site import Site
from tests.browser.studio.studio_page import Studio
from tests.standin.data import generated
from tests.standin.data.shop import Component, Product, VariantComponent

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
    for index, part in VIEWS.values():
        studio.go(index)
        expect(studio.page.locator(part).first).to_be_visible()
        studio.page.eval_on_selector_all("details", "(all) => { for (const one of all) one.open = true; }")
        check(studio)


def test_bundles_of_the_platform(browser: Browser, site: Site, tmp_path: Path) -> None:
    """The import page of a shop on a live platform, with an imported bundle, others to choose from, and some that cannot be
    imported."""
    with running_live_shop(tmp_path) as live, opened_studios(browser, live.service, site) as make:
        live.standin.shop.add(*bundles_of_the_platform())
        studio = make()
        studio.log_in()
        studio.go("import")
        studio.page.locator(".platform-bundle", has_text="Morning Set").click()
        studio.page.get_by_role("button", name="Make 1 bundle").click()
        expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()
        check(studio)
        for viewport in (DESKTOP, PHONE):
            for scheme in ("light", "dark"):
                check_bundles_of_the_platform(make(viewport=viewport, color_scheme=scheme))


def check_bundles_of_the_platform(studio: Studio) -> None:
    studio.log_in()
    studio.go("import")
    for language, already in (("en", "already"), ("de", "schon")):
        studio.page.locator("#page-language").select_option(language)
        expect(studio.page.locator(".platform-bundle", has_text=already)).to_have_count(1)
        studio.page.locator("#choose-all").click()
        expect(studio.page.locator(".platform-bundle :checked")).to_have_count(3)
        check(studio)


def bundles_of_the_platform() -> list[Product]:
    """Bundles on the platform that together have every kind of line that the studio shows below a bundle's title."""
    contents = {
        "Morning Set": [Component(1001, [10011], 2), Component(1002, [10021])],
        "Evening Set with a Title that Takes More than One Line of a Phone": [Component(1001, [10011, 10013], 2)],
        "Winter Set": [Component(1001, [10011], None), Component(1009, [10091], 201)],
        "Chocolate Alone": [Component(1012, [10121])],
    }
    sizes = generated.product(7000, variants=2)
    sizes.title = "Tasting Set"
    sizes.variants[0].components = [VariantComponent(10031), VariantComponent(10051)]
    sizes.variants[1].components = [VariantComponent(10031), VariantComponent(10051, 2), VariantComponent(10061)]
    return [sizes, *(consisting_of(7000 + index, *each) for index, each in enumerate(contents.items(), start=1))]


def consisting_of(number: int, title: str, components: list[Component]) -> Product:
    product = generated.product(number)
    product.title, product.components = title, components
    return product


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
