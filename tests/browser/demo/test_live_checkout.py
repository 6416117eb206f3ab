"""The platform's checkout charges what the service promised, for every bundle of the demo shop, in the home market and in three
others.

The tests use the web component, the stand-in's cart and checkout, and the compiled function."""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bundlesvc.domain.money import ZERO, half_unit
from tests.browser.baskets import BASKETS
from tests.browser.builder import Builder
from tests.browser.live import LiveShop, running_live_shop
from tests.browser.site import Site
from tests.browser.visit import Visit
from tests.standin.storefront.checkout import Checkout
from tests.standin.storefront.operations import Charge

MARKETS = ("", "US", "CH", "JP")
SUBSCRIBED, WITH_FEE = 108, 109


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveShop]:
    with running_live_shop(tmp_path_factory.mktemp("live")) as live:
        yield live


@pytest.fixture
def shopper(browser: Browser, live: LiveShop, site: Site) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    visit = Visit(context, live.service, site)
    yield visit.page
    visit.check()
    context.close()


def put_into_cart(page: Page, live: LiveShop, bundle: int, country: str) -> Any:
    """Add the bundle to the cart with the component, wait until the cart contains it, and return the result of `configure`."""
    page.goto(f"{live.standin.url}/?bundle={bundle}&country={country}")
    builder = Builder(page).shown()
    BASKETS[bundle].fill(builder)
    result = builder.add_to_cart()["result"]
    expect(page.get_by_test_id("checkout").or_(page.locator("#message:not(:empty)"))).to_be_visible()
    assert page.locator("#message").inner_text() == ""
    return result


def checked_out(page: Page, live: LiveShop) -> tuple[Decimal, Checkout]:
    """Check out, and return the total that the page shows and the checkout that computed it."""
    page.get_by_test_id("checkout").click()
    total = page.get_by_test_id("total").get_attribute("data-amount")
    assert total is not None
    checkout = live.standin.storefront.checkout(live.standin.shop.carts[page.url.rpartition("/")[2]])
    return Decimal(total), checkout


def is_fee(charge: Charge) -> bool:
    return "_bundle_fee" in charge.line.attributes


def is_merged(charge: Charge) -> bool:
    """Whether a charge belongs to a native bundle: the lines of native bundles have `_bundle_data`, those of ghost variants do
    not."""
    return "_bundle_data" in charge.line.attributes and not is_fee(charge)


def rounding_of_units(checkout: Checkout, rate: Decimal) -> Decimal:
    """The bound on rounding differences, in the shop's currency. It allows half a minor unit per unit, because the promise is the
    sum of the units' rounded prices."""
    units = sum(part.quantity for charge in checkout.charges for part in charge.parts or [charge.line])
    return (units + 1) * (half_unit("EUR") + half_unit(checkout.currency) / rate)


def presentment_bound(checkout: Checkout, rate: Decimal) -> Decimal:
    """The bound on the difference between a bundle's presentment price and the charge (docs/contract.md#presentment)."""
    units = sum(part.quantity for charge in checkout.charges for part in charge.parts or [charge.line])
    return 2 * (units + 1) * half_unit("EUR") * rate + 4 * half_unit(checkout.currency)


def rounding_of_plans(checkout: Checkout) -> Decimal:
    """The largest difference that the rounding of selling plans can cause: half a minor unit for each unit that has a plan."""
    units = sum(charge.line.quantity for charge in checkout.charges if charge.line.plan)
    return units * half_unit(checkout.currency)


@pytest.mark.parametrize("bundle", BASKETS)
def test_checkout_charges_what_was_promised(shopper: Page, live: LiveShop, bundle: int) -> None:
    """For a native bundle, the checkout charges exactly the promise plus fees; for a ghost variant, the charge stays within the
    bounds of the currency conversion."""
    for country in MARKETS:
        result = put_into_cart(shopper, live, bundle, country)
        total, checkout = checked_out(shopper, live)
        market = live.standin.shop.market_of(country)
        rate = market.rate if market else Decimal(1)
        fees = sum((charge.amount for charge in checkout.charges if is_fee(charge)), ZERO)
        native = any(map(is_merged, checkout.charges))
        promised = Decimal(result["pricing"]["discountedPrice"])
        assert abs((total - fees) / rate - promised) <= (rounding_of_units(checkout, rate) if country else 0)
        if country:
            presentment = result["presentment"]
            assert presentment["currency"] == checkout.currency
            below = Decimal(presentment["discountedPrice"]) - (total - fees)
            bound = ZERO if native else presentment_bound(checkout, rate)
            assert -bound <= below <= bound + rounding_of_plans(checkout), (country, presentment, total)
        assert (bundle == WITH_FEE) == (fees > 0)
        assert (bundle == SUBSCRIBED) == any(charge.line.plan is not None for charge in checkout.charges)
        assert [run.error for run in checkout.runs] == ["", ""]


def test_subscription_to_a_bundle_with_a_discount_gets_both(shopper: Page, live: LiveShop) -> None:
    """In a subscription to a bundle with a discount, the lines keep their selling plan, and the bundle's own discount is deducted
    as well."""
    shopper.goto(f"{live.standin.url}/?bundle=101")
    builder = Builder(shopper).shown()
    BASKETS[101].fill(builder)
    builder.subscribe("Every 2 weeks", "mira@mail.example")
    pricing = builder.add_to_cart()["result"]["pricing"]
    total, checkout = checked_out(shopper, live)
    assert total == Decimal(pricing["discountedPrice"])
    assert all(charge.line.plan is not None and charge.off for charge in checkout.charges)


def test_two_bundles_in_one_cart(shopper: Page, live: LiveShop) -> None:
    first = put_into_cart(shopper, live, 101, "")["pricing"]["discountedPrice"]
    shopper.get_by_role("combobox", name="Bundle").select_option("106")
    builder = Builder(shopper).shown()
    expect(builder.name).to_have_text("Two-Kilo Parcel")
    BASKETS[106].fill(builder)
    second = builder.add_to_cart()["result"]["pricing"]["discountedPrice"]
    expect(shopper.get_by_test_id("promised")).to_have_text(f"€{second}")
    total, checkout = checked_out(shopper, live)
    assert total == Decimal(first) + Decimal(second)
    assert len(checkout.charges) == 2


def test_changed_cart_is_charged_in_full(shopper: Page, live: LiveShop) -> None:
    """A cart that keeps its discount string after a quantity was changed is charged at full price."""
    put_into_cart(shopper, live, 101, "")
    token = (shopper.get_by_test_id("checkout").get_attribute("href") or "").rpartition("/")[2]
    live.standin.shop.carts[token].lines[0].quantity += 1
    total, checkout = checked_out(shopper, live)
    assert total == sum(charge.full for charge in checkout.charges)
    assert not any(charge.parts or charge.off for charge in checkout.charges)
    assert "quantity_changed" in checkout.runs[0].log


def test_without_the_function_bundles_are_charged_in_full(shopper: Page, live: LiveShop) -> None:
    transforms = live.standin.shop.functions.cart_transforms
    removed = transforms.pop()
    try:
        pricing = put_into_cart(shopper, live, 101, "")["pricing"]
        total, _ = checked_out(shopper, live)
    finally:
        transforms.append(removed)
    assert total == Decimal(pricing["originalPrice"])


def test_bundle_in_the_cart_follows_the_country_of_the_component(shopper: Page, live: LiveShop) -> None:
    """A bundle in the cart follows the component's country: the page passes its cart's lines to the component, and puts the newly
    configured bundle into the cart."""
    put_into_cart(shopper, live, 101, "")
    builder = Builder(shopper)
    for country in [*MARKETS[1:], ""]:
        choose = partial(shopper.get_by_label("Country").select_option, country)
        (bundle,) = builder.after("bundle:moved", choose)["moved"]
        result = bundle["result"]
        promise = result.get("presentment") or result["pricing"]
        replaced = str(result["configured_bundle_id"])
        expect(shopper.get_by_test_id("promised")).to_have_attribute("data-configured", replaced)
        address = shopper.get_by_test_id("checkout").get_attribute("href") or ""
        checkout = live.standin.storefront.checkout(live.standin.shop.carts[address.rpartition("/")[2]])
        (charge,) = checkout.charges
        assert (charge.amount, checkout.currency) == (Decimal(promise["discountedPrice"]), promise["currency"])
        assert shopper.locator("#message").inner_text() == ""
