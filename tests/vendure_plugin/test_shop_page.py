"""A shopper buys bundles in a browser: web component and order adapter in a page, over the real engine with the plugin."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.baskets import BASKETS
from tests.browser.builder import Builder
from tests.browser.chromium import running_chromium
from tests.browser.site import Site, running_site
from tests.process.serving import BASE
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine
from tests.vendure_plugin.test_charges import MARKETS

pytestmark = pytest.mark.process

PAGE = Path(__file__).with_name("shop_page.html").read_text("utf-8")
WATCH = Path(__file__).parents[1] / "browser" / "watch.js"
"""Notes the component's events."""

MONEY = {None: "€{}", "US": "${}"}


# The engine and the service start before the browser, whose loop then runs in this thread.
@pytest.fixture(scope="module")
def browser(engine: DemoEngine, storefront: Storefront) -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(browser: Browser) -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.add_init_script(path=WATCH)
    yield context.new_page()
    context.close()


def shop_page(site: Site, engine: DemoEngine, storefront: Storefront, bundle: int, country: str | None) -> str:
    """The address of a page that sells this bundle."""
    settings = {
        "origin": storefront.origin,
        "base-url": f"{storefront.origin}{BASE}",
        "api-key": storefront.key,
        "bundle-id": bundle,
        "country": country or "",
        "engine": engine.address,
        "channel": engine.tokens[MARKETS[country]],
    }
    return f"{site.put(PAGE)}?{urlencode(settings)}"


@pytest.mark.parametrize("country", MONEY)
@pytest.mark.parametrize("bundle", [101, 106])
def test_a_bundle_is_paid_as_the_component_showed_it(
    page: Page, site: Site, engine: DemoEngine, storefront: Storefront, bundle: int, country: str | None
) -> None:
    page.goto(shop_page(site, engine, storefront, bundle, country))
    builder = Builder(page).shown()
    BASKETS[bundle].fill(builder)
    shown = builder.total.inner_text()
    builder.buy.click()
    outcome = page.get_by_test_id("outcome")
    expect(outcome).to_have_text(f"In your order: {shown}")
    page.get_by_test_id("pay").click()
    expect(outcome).to_have_text(f"Paid: {shown}")


def test_a_bundle_that_is_not_native_is_not_added(
    page: Page, site: Site, engine: DemoEngine, storefront: Storefront
) -> None:
    page.goto(shop_page(site, engine, storefront, 102, None))
    builder = Builder(page).shown()
    BASKETS[102].fill(builder)
    builder.buy.click()
    expect(page.get_by_test_id("outcome")).to_have_text(
        "`configured` is not the response of a configure request for a native bundle."
    )


def test_a_bundle_is_removed_from_the_order(page: Page, site: Site, engine: DemoEngine, storefront: Storefront) -> None:
    page.goto(shop_page(site, engine, storefront, 101, None))
    builder = Builder(page).shown()
    BASKETS[101].fill(builder)
    builder.buy.click()
    lines = page.get_by_test_id("order").get_by_role("row")
    expect(lines).to_have_count(3)
    page.get_by_test_id("remove").click()
    expect(lines).to_have_count(0)
    expect(page.get_by_test_id("outcome")).to_have_text("In your order: €0.00")
