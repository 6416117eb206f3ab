"""A shopper changes country with bundles in the cart: the cart's prices change to that country's, and the checkout charges the
newly promised prices."""

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import BASKETS
from tests.browser.demo.demo_page import Demo
from tests.browser.visit import Visit
from tests.process.serving import BASE

BREAKFAST = 101
CURRENCIES = {"US": "$", "CH": "CHF", "JP": "¥", "": "€"}


def filled(visit: Visit, bundle: int, **state: str) -> Demo:
    """The demo with a bundle in its cart and the drawer closed."""
    demo = visit.demo(bundle=bundle, **state)
    BASKETS[bundle].fill(demo.builder.shown())
    demo.checked_out(demo.builder.add_to_cart)
    expect(demo.verdict).to_have_attribute("data-kept", "true")
    demo.close_cart()
    return demo


def test_cart_follows_the_shopper_to_every_market(visit: Visit) -> None:
    """The cart follows the shopper to every market without code in the page: the bundle's entry in the cart has the new price, no
    discount is refused, and the promise is kept."""
    demo = filled(visit, BREAKFAST)
    for country, currency in CURRENCIES.items():
        with demo.page.expect_response(lambda response: response.url.endswith("/configure")):
            demo.switch("Country", country)
        demo.checked_out(demo.open_cart)
        expect(demo.entries.locator("strong")).to_contain_text(currency)
        expect(demo.refusals).to_have_count(0)
        expect(demo.verdict).to_have_attribute("data-kept", "true")
        expect(demo.entries).to_have_count(1)
        demo.close_cart()


def test_cart_of_an_earlier_visit_follows_when_the_page_opens_in_another_country(visit: Visit) -> None:
    demo = filled(visit, BREAKFAST)
    demo.page.goto(demo.page.url.split("?")[0] + "?country=CH")
    expect(demo.cart_count).to_have_text("1")
    demo.checked_out(demo.open_cart)
    expect(demo.entries.locator("strong")).to_contain_text("CHF")
    expect(demo.verdict).to_have_attribute("data-kept", "true")


def test_unchanged_country_configures_nothing(visit: Visit) -> None:
    demo = filled(visit, BREAKFAST, country="US")
    sent: list[str] = []
    demo.page.on("request", lambda request: sent.append(request.url))
    demo.switch("Language", "de")
    expect(demo.builder.name).to_have_text("Frühstücksbox")
    assert not [url for url in sent if "/configure" in url]


@pytest.mark.parametrize("status", [400, 503])
def test_bundle_that_cannot_follow_stays_and_says_so(visit: Visit, status: int) -> None:
    demo = filled(visit, BREAKFAST)
    refusal = {"error": "The selection does not meet the rules of this bundle.", "code": "rules_not_met", "details": []}
    demo.page.route(f"**{BASE}/bundles/*/configure", lambda route: route.fulfill(status=status, json=refusal))
    demo.switch("Country", "CH")
    demo.checked_out(demo.open_cart)
    expect(demo.entries.get_by_role("alert")).to_contain_text("not available in this country as it is")
    expect(demo.entries).to_have_count(1)
