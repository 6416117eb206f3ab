"""A shopper buys bundles in a browser: the web component and the order adapter in a page, with the real engine and the plugin."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.baskets import BASKETS
from tests.browser.builder import Builder
from tests.browser.chromium import running_chromium
from tests.browser.site import Site, running_site
from tests.vendure_plugin.connected_shop import ConnectedService, connected_service
from tests.vendure_plugin.orders.random_orders import MARKETS
from tests.vendure_plugin.page.shop_page import PAGE, page_address, put_shop
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine

pytestmark = pytest.mark.process

WATCH = Path(__file__).parents[2] / "browser" / "watch.js"
"""The script that records the component's events."""

COUNTRIES = [None, "CH"]
"""The home market, whose prices are entered including tax, and a country whose prices are entered excluding tax."""
SHORTBREAD, SHORTBREAD_PRICE = "Oat Shortbread", Decimal("5.40")


# The engine and the service must start first, because the browser's event loop then runs in this thread.
@pytest.fixture(scope="module")
def browser(engine: DemoEngine, storefront: Storefront) -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(browser: Browser) -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def connected(site: Site, engine: DemoEngine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectedService]:
    """A running service whose shop is on the Vendure server."""
    with connected_service(tmp_path_factory.mktemp("connected"), engine, site.origin) as service:
        yield service


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.add_init_script(path=WATCH)
    yield context.new_page()
    context.close()


def shop_page(site: Site, engine: DemoEngine, storefront: Storefront, bundle: int, country: str | None) -> str:
    """Return the address of a page that sells this bundle."""
    channel = engine.tokens[MARKETS[country]]
    return page_address(site.put(PAGE), storefront.origin, storefront.key, bundle, country, engine.address, channel)


@pytest.mark.parametrize("country", COUNTRIES)
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
    expect(outcome).to_contain_text(f"In your order: {shown}")
    page.get_by_test_id("pay").click()
    expect(outcome).to_contain_text(f"Paid: {shown}")


def test_bundle_of_a_shop_on_the_engine_is_paid_as_the_component_showed_it(
    page: Page, site: Site, engine: DemoEngine, connected: ConnectedService
) -> None:
    """The amount paid for a bundle whose products, prices and stock come from the Vendure server is the amount that the component
    showed. `scripts/vendure` starts this shop."""
    assert "the plugin is active" in connected.check
    page.goto(put_shop(site, engine, connected))
    row = page.get_by_role("row").filter(has_text=connected.bundles[101])
    row.get_by_role("link", name="US").click()
    builder = Builder(page).shown()
    BASKETS[101].fill(builder)
    shown = builder.total.inner_text()
    assert shown.startswith("$")
    builder.buy.click()
    page.get_by_test_id("pay").click()
    expect(page.get_by_test_id("outcome")).to_have_text(f"Paid: {shown}")


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


def test_rest_of_a_bundle_costs_its_full_price_once_a_unit_is_removed(
    page: Page, site: Site, engine: DemoEngine, storefront: Storefront
) -> None:
    page.goto(shop_page(site, engine, storefront, 101, None))
    builder = Builder(page).shown()
    BASKETS[101].fill(builder)
    full = Decimal(builder.before.inner_text().rpartition("€")[2])
    builder.buy.click()
    order = page.get_by_test_id("order")
    shortbread = order.get_by_role("row").filter(has_text=SHORTBREAD)
    shortbread.get_by_role("button", name="Remove one").click()
    expect(order.get_by_text("A quantity differs from the configured one.")).to_have_count(3)
    expect(page.get_by_test_id("outcome")).to_have_text(f"In your order: €{full - SHORTBREAD_PRICE}")
