"""Analytics: the events that a shop's data layer receives during a visit."""

from typing import Any

import pytest

from tests.browser.baskets import BASKETS
from tests.browser.visit import Visit

BREAKFAST, MUG = 101, 109

PAGE = """
<script type="module">
  import {{ measure }} from "{origin}/storefront/analytics/analytics.js";
  window.dataLayer = [];
  window.measuring = new AbortController();
  measure(document, (event, ecommerce) => window.dataLayer.push({{ event, ecommerce }}), window.measuring);
</script>"""


def measured(visit: Visit, **attributes: Any) -> None:
    """Open a page with the component and a data layer."""
    page = visit.host_page(**attributes).replace("<main>", f"{PAGE.format(origin=visit.service.origin)}<main>")
    visit.page.goto(visit.site.put(page))
    visit.builder.shown()


def data_layer(visit: Visit) -> list[Any]:
    return list(visit.page.evaluate("JSON.parse(JSON.stringify(dataLayer))"))


def named(visit: Visit, event: str) -> list[Any]:
    return [each["ecommerce"] for each in data_layer(visit) if each["event"] == event]


def test_seen_bundle_is_reported_once(visit: Visit) -> None:
    measured(visit, bundle_id=BREAKFAST)
    visit.page.evaluate("document.querySelector('bundle-builder').reload()")
    visit.page.wait_for_function("seen.events.filter(({ type }) => type === 'bundle:ready').length === 2")

    assert data_layer(visit) == [
        {"event": "view_item", "ecommerce": {"items": [{"item_id": "101", "item_name": "Breakfast Box"}]}}
    ]


def test_chosen_product_is_reported_with_its_section_and_price(visit: Visit) -> None:
    measured(visit, bundle_id=BREAKFAST)
    bundle = visit.page.evaluate("document.querySelector('bundle-builder').bundle")
    visit.builder.choose("Oat Shortbread")

    (chosen,) = named(visit, "select_item")
    (item,) = chosen["items"]
    (product,) = [product for product in bundle["products"] if product["title"] == "Oat Shortbread"]
    (variant,) = [each for each in product["variants"] if each["platformVariantId"] == item["item_id"]]
    (section,) = [each for each in bundle["sections"] if str(each["id"]) == chosen["item_list_id"]]
    assert chosen["currency"] == "EUR"
    assert chosen["item_list_name"] == section["name"]
    assert (item["item_name"], item["quantity"]) == ("Oat Shortbread", 1)
    assert f"{item['price']:.2f}" == variant["price"]


@pytest.mark.parametrize("country", [None, "CH", "JP"])
def test_added_bundle_is_reported_with_what_is_charged(visit: Visit, country: str | None) -> None:
    measured(visit, bundle_id=BREAKFAST, country=country)
    BASKETS[BREAKFAST].fill(visit.builder)
    result = visit.builder.add_to_cart()["result"]

    charged = result.get("presentment") or result["pricing"]
    (added,) = named(visit, "add_to_cart")
    (item,) = added["items"]
    decimals = len(charged["discountedPrice"].partition(".")[2])
    assert added["currency"] == charged["currency"] == {"CH": "CHF", "JP": "JPY"}.get(country or "", "EUR")
    assert f"{added['value']:.{decimals}f}" == charged["discountedPrice"]
    assert item["price"] * item["quantity"] == added["value"]
    assert f"{item['price'] + item['discount']:.{decimals}f}" == charged["originalPrice"]
    assert len(named(visit, "view_item")) == 1


def test_no_event_contains_what_a_shopper_has_written(visit: Visit) -> None:
    measured(visit, bundle_id=MUG)
    BASKETS[MUG].fill(visit.builder)
    visit.builder.add_to_cart()

    written = visit.page.evaluate("""
      seen.events.find(({ type }) => type === "bundle:addtocart").detail.selection.items
        .flatMap(({ personalisation }) => Object.values(personalisation ?? {})).filter((text) => text?.length > 2)""")
    assert written
    text = visit.page.evaluate("JSON.stringify(dataLayer)")
    assert named(visit, "add_to_cart")
    assert [each for each in written if each in text] == []


def test_nothing_is_reported_after_the_end(visit: Visit) -> None:
    measured(visit, bundle_id=BREAKFAST)
    visit.page.evaluate("measuring.abort()")
    visit.builder.choose("Oat Shortbread")
    assert named(visit, "select_item") == []
