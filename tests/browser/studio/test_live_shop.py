"""The studio of a shop with products on a live platform."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import opened_studios
from tests.browser.live import LiveShop, running_live_shop
from tests.browser.routes import fulfill_first
from tests.browser.site import Site
from tests.browser.studio.studio_page import Studio
from tests.standin.data import generated
from tests.standin.data.shop import Component, Product, VariantComponent
from tests.standin.faults import CutBefore

BUNDLES = re.compile(r"/studio/api/revisions/\d+/bundles$")
"""The address to which new bundles are posted."""


def titled(number: int, title: str) -> Product:
    product = generated.product(number)
    product.title = title
    return product


@pytest.fixture
def live(browser: Browser, tmp_path: Path) -> Iterator[LiveShop]:
    """A live shop whose platform has seventy kinds of quince jelly that are in no bundle."""
    with running_live_shop(tmp_path) as live:
        live.standin.shop.add(*(titled(5000 + number, f"Quince {number:02}") for number in range(70)))
        yield live


@pytest.fixture
def studio(browser: Browser, live: LiveShop, site: Site) -> Iterator[Studio]:
    with opened_studios(browser, live.service, site) as make:
        studio = make()
        studio.log_in()
        yield studio


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
    for search in ("#ask-products", "#ask-own"):
        expect(studio.page.locator(search).locator(".picker-item").first).to_be_visible()
    # One search is sent four times. If another call failed as well, the circuit breaker would reject the second search.
    live.standin.fail_next(CutBefore(), "ProductSearch", times=None)
    studio.page.locator("#ask-products-search").fill("quince 4")
    expect(studio.page.get_by_text("The shop's platform cannot be reached.")).to_be_visible()
    live.standin.heal()
    studio.page.get_by_role("button", name="Try again").click()
    expect(studio.page.locator("#ask-products .picker-item")).to_have_count(10)


@pytest.fixture
def native(live: LiveShop) -> LiveShop:
    """A live shop whose platform has bundles of its own: two that can be imported, and one that cannot."""
    duo, choice, trio = titled(6001, "Quince Duo"), titled(6002, "Quince Choice"), titled(6003, "Quince Trio")
    duo.components = [Component(5000, [50000001], 2), Component(5001, [50010001])]
    choice.components = [Component(5000, [50000001], None)]
    trio.variants[0].components = [VariantComponent(50000001), VariantComponent(50010001), VariantComponent(50020001)]
    live.standin.shop.add(duo, choice, trio)
    return live


def card(studio: Studio, title: str) -> Locator:
    return studio.page.locator(".platform-bundle", has_text=title)


def test_bundles_of_the_platform_are_made(studio: Studio, native: LiveShop) -> None:
    studio.go("import")
    expect(studio.page.locator(".platform-bundle")).to_have_count(3)
    expect(card(studio, "Quince Choice")).to_contain_text("Shoppers choose how many of something are in it.")
    expect(card(studio, "Quince Duo")).to_contain_text("2 \u00d7 Quince 00, 1 \u00d7 Quince 01")
    expect(card(studio, "Quince Duo")).to_contain_text("€11.00 instead of €33.00: 66.67% off")
    expect(studio.page.get_by_text("Archived bundles are left out")).to_be_visible()
    assert serious_faults(studio.page) == []
    card(studio, "Quince Duo").click()
    studio.page.get_by_role("button", name="Make 1 bundle").click()
    expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()
    studio.page.get_by_role("link", name="Bundles").last.click()
    studio.page.get_by_role("link", name="Quince Duo").first.click()
    expect(studio.title).to_have_text("Quince Duo")
    expect(studio.preview.get_by_text("Quince 00").first).to_be_visible()


def test_bundles_that_are_here_already_are_marked_and_not_chosen(studio: Studio, native: LiveShop) -> None:
    studio.go("import")
    card(studio, "Quince Duo").click()
    studio.page.get_by_role("button", name="Make 1 bundle").click()
    expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()
    studio.go("new")
    studio.go("import")
    expect(card(studio, "Quince Duo")).to_contain_text("A bundle here has the same contents already: Quince Duo")
    expect(card(studio, "Quince Trio")).not_to_contain_text("already")
    studio.page.get_by_role("button", name="Choose all that are not here yet").click()
    expect(card(studio, "Quince Trio").locator("input")).to_be_checked()
    expect(card(studio, "Quince Duo").locator("input")).not_to_be_checked()
    expect(card(studio, "Quince Choice").locator("input")).not_to_be_checked()
    expect(studio.page.get_by_role("button", name="Make 1 bundle")).to_be_enabled()
    studio.page.get_by_role("button", name="Choose none").click()
    expect(studio.page.locator(".platform-bundle :checked")).to_have_count(0)


def test_bundles_of_the_platform_are_made_by_keyboard(studio: Studio, native: LiveShop) -> None:
    for number in range(20):
        other = titled(6100 + number, f"Set {number:02}")
        other.components = [Component(5003, [50030001], number + 2)]
        native.standin.shop.add(other)
    press = studio.page.keyboard.press
    studio.go("import")
    more = studio.page.get_by_role("button", name="More bundles")
    expect(more).to_be_visible()
    more.focus()
    press("Enter")
    expect(studio.page.locator("#bundle-6117")).to_be_focused()
    press("Tab")
    press("Space")
    expect(studio.page.locator("#bundle-6118")).to_be_checked()
    studio.page.locator("#choose-all").focus()
    press("Tab")
    expect(studio.page.locator("#bundle-6001")).to_be_focused()
    press("Space")
    expect(studio.page.locator(".platform-bundle :checked")).to_have_count(2)
    studio.page.locator("#bundle-6119").focus()
    press("Tab")
    expect(studio.page.get_by_role("button", name="Make 2 bundles")).to_be_focused()
    press("Enter")
    expect(studio.page.get_by_role("link", name="Bundles").last).to_be_focused()
    press("Enter")
    expect(studio.title).to_have_text("Bundles")
    expect(studio.page.get_by_role("link", name="Set 18").first).to_be_visible()


def test_bundles_of_the_platform_are_read_again_by_keyboard(studio: Studio, native: LiveShop) -> None:
    expect(studio.title).to_have_text("Bundles")
    native.standin.fail_next(CutBefore(), "NativeBundles", times=None)
    studio.go("import")
    again = studio.page.get_by_role("button", name="Try again")
    again.focus()
    native.standin.heal()
    studio.page.keyboard.press("Enter")
    expect(studio.page.locator("#bundle-6001")).to_be_focused()


def test_bundles_that_were_made_before_a_failure_are_not_made_again(studio: Studio, native: LiveShop) -> None:
    studio.go("import")
    studio.page.get_by_role("button", name="Choose all that are not here yet").click()
    studio.page.route(
        BUNDLES, lambda route: route.abort() if "Trio" in (route.request.post_data or "") else route.continue_()
    )
    studio.page.get_by_role("button", name="Make 2 bundles").click()
    expect(studio.page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    expect(card(studio, "Quince Duo")).to_contain_text("A bundle here has the same contents already")
    expect(card(studio, "Quince Duo").locator("input")).not_to_be_checked()
    expect(card(studio, "Quince Trio").locator("input")).to_be_checked()
    expect(studio.page.get_by_role("button", name="Make 1 bundle")).to_be_focused()
    studio.page.unroute(BUNDLES)
    studio.page.keyboard.press("Enter")
    expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()


def test_too_many_bundles_at_once_are_made_later(studio: Studio, native: LiveShop) -> None:
    studio.go("import")
    card(studio, "Quince Duo").click()
    limited = {"error": "Too many requests.", "code": "rate_limited"}
    headers = {"Retry-After": "1"}
    fulfill_first(studio.page, BUNDLES, status=429, headers=headers, json=limited)
    studio.page.get_by_role("button", name="Make 1 bundle").click()
    expect(studio.page.get_by_role("heading", name="1 bundle made")).to_be_visible()
