"""The studio of a shop whose products are on a live platform."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import DESKTOP
from tests.browser.live import LiveShop, running_live_shop
from tests.browser.site import Site
from tests.browser.studio.studio_page import Studio
from tests.browser.visit import Visit
from tests.standin import generated
from tests.standin.faults import CutBefore
from tests.standin.shop import Component, Product


def titled(number: int, title: str) -> Product:
    product = generated.product(number)
    product.title = title
    return product


@pytest.fixture
def live(browser: Browser, tmp_path: Path) -> Iterator[LiveShop]:
    """The platform has seventy kinds of quince jelly that no bundle has."""
    with running_live_shop(tmp_path) as live:
        live.standin.shop.add(*(titled(5000 + number, f"Quince {number:02}") for number in range(70)))
        yield live


@pytest.fixture
def studio(browser: Browser, live: LiveShop, site: Site) -> Iterator[Studio]:
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce", locale="en")  # type: ignore[arg-type]
    visit = Visit(context, live.service, site)
    studio = Studio(visit.page, live.service)
    studio.log_in()
    yield studio
    visit.check()
    context.close()


def test_bundle_is_made_of_products_that_no_bundle_had(studio: Studio) -> None:
    studio.choose_kind("box")
    studio.page.keyboard.type("Quinces")
    search = studio.page.locator("#ask-products-search")
    search.fill("quince 0")
    items = studio.page.locator("#ask-products .picker-item")
    expect(items).to_have_count(10)
    expect(items.first).to_contain_text("€11.00")
    studio.tick("Quince 00", "Quince 01", "Quince 02")
    studio.page.locator("#ask-own-search").fill("5049")
    studio.tick("Quince 49", question="own")
    bundle = studio.make("Quinces")
    expect(studio.preview.get_by_text("Quince 01").first).to_be_visible()
    expect(studio.page.locator("#chart figcaption")).to_contain_text("€11.00 each")
    studio.publish()
    paid = studio.priced(bundle, [{"variant": "50000001", "product": "5000", "section": 1}] * 6)
    assert (paid["originalPrice"], paid["discountedPrice"]) == ("66.00", "59.40")


def test_more_products_are_shown_on_demand(studio: Studio) -> None:
    studio.choose_kind("box")
    items = studio.page.locator("#ask-products .picker-item")
    studio.page.locator("#ask-products-search").fill("quince")
    expect(items).to_have_count(60)
    more = studio.page.locator("#ask-products").get_by_role("button", name="More products")
    more.click()
    expect(items).to_have_count(70)
    expect(more).to_have_count(0)
    expect(items.nth(60).locator("input")).to_be_focused()


def test_search_goes_on_when_the_platform_is_back(studio: Studio, live: LiveShop) -> None:
    studio.choose_kind("box")
    expect(studio.page.locator("#ask-products .picker-item").first).to_be_visible()
    live.standin.fail_next(CutBefore(), times=None)
    studio.page.locator("#ask-products-search").fill("quince 4")
    expect(studio.page.get_by_text("The shop's platform cannot be reached.")).to_be_visible()
    live.standin.heal()
    studio.page.get_by_role("button", name="Try again").click()
    expect(studio.page.locator("#ask-products .picker-item")).to_have_count(10)


def test_bundles_of_the_platform_are_made(studio: Studio, live: LiveShop) -> None:
    duo, odd = titled(6001, "Quince Duo"), titled(6002, "Quince Choice")
    duo.components = [Component(5000, [50000001], 2), Component(5001, [50010001])]
    odd.components = [Component(5000, [50000001], None)]
    live.standin.shop.add(duo, odd)
    studio.go("import")
    cards = studio.page.locator(".platform-bundle")
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text="Quince Choice")).to_contain_text("Shoppers choose how many of something are in it.")
    expect(cards.filter(has_text="Quince Duo")).to_contain_text("2 \u00d7 Quince 00, 1 \u00d7 Quince 01 · €11.00")
    assert serious_faults(studio.page) == []
    cards.filter(has_text="Quince Duo").click()
    studio.page.get_by_role("button", name="Make 1 bundle").click()
    expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()
    studio.page.get_by_role("link", name="Bundles").last.click()
    studio.page.get_by_role("link", name="Quince Duo").first.click()
    expect(studio.title).to_have_text("Quince Duo")
    expect(studio.preview.get_by_text("Quince 00").first).to_be_visible()
