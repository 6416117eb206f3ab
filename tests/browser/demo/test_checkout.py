"""The simulator charges what the service promised, for every bundle of the demo shop in every market."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import BASKETS
from tests.browser.demo.demo_page import Demo
from tests.browser.visit import Visit
from tests.process.serving import BASE

MARKETS = {"": "1", "US": "1.10", "CH": "0.95", "JP": "162.5"}
"""Units of each market's currency per euro; the empty key stands for no country."""
UNITS = {"JP": Decimal(1)}
"""The smallest unit of a market's currency, where it is not a cent."""
GHOSTS = (102, 103, 104, 107)
"""Bundles that are sold as ghost variants."""


def amount(text: str | None) -> Decimal:
    """The number in an amount, without its currency."""
    found = re.search(r"[\d.]+", (text or "").replace(",", ""))
    assert found, text
    return Decimal(found[0])


def in_every_market(demo: Demo, bundle: int) -> Iterator[tuple[str, Any]]:
    """Yield each market and its configure result, while the page shows the receipt."""
    for country in MARKETS:
        if country:
            demo.builder.after("bundle:ready", lambda country=country: demo.switch("Country", country))  # type: ignore[misc]
        BASKETS[bundle].fill(demo.builder)
        results: list[Any] = []
        demo.checked_out(lambda: results.append(demo.builder.add_to_cart()["result"]))  # noqa: B023 - called immediately
        yield country, results[0]
        demo.drawer.get_by_role("button", name=re.compile("^Remove ")).click()
        demo.close_cart()


def test_every_published_bundle_is_tested(visit: Visit) -> None:
    listed = visit.service.server.get(f"{BASE}/bundles", visit.service.key("demo")).json
    assert [bundle["id"] for bundle in listed] == list(BASKETS)


@pytest.mark.parametrize("bundle", BASKETS)
def test_checkout_charges_what_was_promised(visit: Visit, bundle: int) -> None:
    """The checkout charges the promised price plus fees, in the shopper's currency. A ghost variant's price in a market may
    differ from the promise by half a minor unit."""
    demo = visit.demo(bundle=bundle, dev="open")
    demo.builder.shown()
    for country, result in in_every_market(demo, bundle):
        expect(demo.refusals).to_have_count(0)
        promised = Decimal(result["pricing"]["discountedPrice"])
        fees = sum(
            (amount(fee.inner_text()) for fee in demo.page.locator("[data-kind=fee] .amount > :last-child").all()),
            Decimal(0),
        )
        total = amount(demo.total.text_content())
        assert result["pricing"]["discountType"] != "none" or bundle == 108
        assert (bundle == 109) == (fees > 0)
        if result["subscription_id"]:
            assert total > promised
            expect(demo.verdict).to_contain_text("selling plan")
        elif bundle in GHOSTS and country:
            due = promised * Decimal(MARKETS[country])
            shown = amount(demo.market_total.text_content()) if demo.market_total.count() else total
            assert abs(shown - due) <= UNITS.get(country, Decimal("0.01")) / 2
        else:
            if not country:
                assert total == promised + fees
            elif demo.market_total.count():
                of_market = sum((amount(fee.inner_text()) for fee in demo.market_fees.all()), Decimal(0))
                due = Decimal(result["presentment"]["discountedPrice"]) + of_market
                assert amount(demo.market_total.text_content()) == due
            expect(demo.verdict).to_have_attribute("data-kept", "true")
