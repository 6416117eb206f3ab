"""Languages, countries and A/B tests."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.builder import Builder
from tests.browser.service import Service
from tests.browser.visit import Visit
from tests.process.serving import BASE


def change(builder: Builder, name: str, value: str) -> None:
    """Change an attribute and wait for the new bundle."""
    set_it = "(builder, [name, value]) => builder.setAttribute(name, value)"
    builder.after("bundle:ready", lambda: builder.root.evaluate(set_it, [name, value]))


def test_german_texts_and_numbers(visit: Visit) -> None:
    """With `lang="de"`, the texts of the shop and the component are in German, and numbers are formatted accordingly."""
    builder = visit.show(106, lang="de")
    expect(builder.name).to_have_text("Zwei-Kilo-Paket")
    builder.card("First Light").get_by_role("button", name="First Light wählen").click()
    expect(builder.card("First Light")).to_contain_text("Größe")
    expect(builder.buy).to_have_text("In den Warenkorb")
    expect(builder.reasons).to_have_text(["Gewicht: mindestens 1 kg – noch 0,75 kg"])
    expect(builder.spoken).to_contain_text("Summe 9,90 €.")


def test_component_follows_the_language_of_the_page(visit: Visit) -> None:
    html = visit.host_page(bundle_id=101).replace('<html lang="en">', '<html lang="de-AT">')
    visit.page.goto(visit.site.put(html))
    expect(visit.builder.name).to_have_text("Frühstücksbox")


def test_changing_the_language_keeps_the_selection(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("Colombia Huila", "Filter", times=2)
    change(builder, "lang", "de")
    expect(builder.lines).to_contain_text(["Kolumbien Huila"])
    expect(builder.amount("Kolumbien Huila")).to_have_text("2")
    expect(builder.reasons).to_have_text(["Wähle mindestens 3 – noch 1"])


def test_changing_the_language_keeps_the_answers(visit: Visit) -> None:
    """Changing the language translates the fields but keeps the answers. The labels and options in the cart are in the shop's own
    language, whatever language is shown."""
    builder = visit.show(2, shop="corner")
    builder.choose("Plate")
    builder.answer("Name", "Mira")
    builder.answer("Script", "Sans")
    change(builder, "lang", "de")

    script = builder.root.get_by_label("Schriftart")
    expect(script.locator("option")).to_have_text(["–", "mit Serifen", "ohne Serifen"])
    expect(script).to_have_value("Sans")
    expect(builder.root.get_by_label("Name darauf")).to_have_value("Mira")
    expect(builder.root.get_by_label("Name darauf")).to_have_attribute("placeholder", "Mira")
    expect(builder.card("Plate")).to_contain_text("Am Rand. 4 von 10 Zeichen")
    expect(builder.root.get_by_label("Einpacken")).to_be_visible()
    expect(builder.lines).to_contain_text(["Mira · ohne Serifen"])

    plate, _ = builder.add_to_cart()["result"]["cart"]["line_items"]
    answers = {name: value for name, value in plate["properties"].items() if not name.startswith("_")}
    assert answers == {"Name": "Mira", "Script": "Sans"}


def test_country_changes_prices(visit: Visit) -> None:
    """When the page sets the country, the component shows prices in the shopper's currency, as the checkout does, and marks
    products that are not sold in that country."""
    builder = visit.show(111)
    builder.choose("First Light", times=2)
    builder.choose("Linden Honey")
    expect(builder.total).to_have_text("€25.39")

    change(builder, "country", "US")
    expect(builder.card("First Light").locator("[part~=price]")).to_have_text("$11.50 Before: ")
    expect(builder.card("Linden Honey")).to_contain_text("Not sold in your country")
    expect(builder.reasons).to_have_text(["Linden Honey is not sold in your country."])
    builder.root.get_by_role("button", name="Remove Linden Honey").click()
    builder.choose("Oat Shortbread")

    expect(builder.total).to_have_text("$26.90")
    expect(builder.before).to_have_text("Before: $29.24")
    expect(builder.part("saved")).to_have_text("You save $2.34")

    result = builder.add_to_cart()["result"]
    assert result["pricing"] == {
        "originalPrice": "26.57",
        "discountedPrice": "24.44",
        "discountType": "percentage",
        "discountValue": "8.00",
        "currency": "EUR",
    }
    assert result["presentment"] == {"originalPrice": "29.24", "discountedPrice": "26.90", "currency": "USD"}


def test_prices_are_written_as_the_language_writes_them(visit: Visit) -> None:
    """Prices are formatted as is usual in the component's language. Fees, and rules about amounts, are in the shop's currency."""
    builder = visit.show(107, lang="de", country="CH")
    expect(builder.card("Steinzeugbecher").locator("[part~=price]")).to_contain_text("16,42 CHF")
    builder.choose("Steinzeugbecher")
    expect(builder.total).to_have_text("16,42 CHF")
    expect(builder.reasons).to_contain_text(["Preis vor Rabatt: mindestens 60,00 €"])


def test_variant_not_sold_in_a_country_is_marked(visit: Visit) -> None:
    """A variant not sold in a country is marked before it is chosen, without a reminder form, since it will not come back in
    stock."""
    builder = visit.show(109, country="JP")
    expect(builder.value("Stoneware Mug", "Moss")).to_have_accessible_name("Moss Not sold in your country")
    builder.pick("Stoneware Mug", "Moss")
    expect(builder.card("Stoneware Mug")).not_to_contain_text("Notify me when it is back in stock")


@pytest.fixture
def visitors(service: Service) -> dict[int, str]:
    """One visitor for each arm of the A/B test, keyed by the id of the bundle that the visitor gets."""
    found: dict[int, str] = {}
    for number in count():
        visitor = f"00000000-0000-4000-8000-{number:012}"
        query = f"{BASE}/embed/api/v1/bundle?id=101&visitor_id={visitor}"
        found[service.server.get(query, service.key("demo")).json["id"]] = visitor
        if len(found) == 2:
            return found
    raise AssertionError  # unreachable: there are always more visitors


@pytest.mark.parametrize(("bundle", "name"), [(101, "Breakfast Box"), (111, "Breakfast Express")])
def test_visitor_gets_the_same_arm_each_time(visit: Visit, visitors: dict[int, str], bundle: int, name: str) -> None:
    """A visitor gets the same arm each time, and that arm's bundle is shown and configured."""
    builder = visit.show(101, visitor_id=visitors[bundle])
    expect(builder.name).to_have_text(name)
    visit.page.reload()
    expect(builder.name).to_have_text(name)
    builder.choose("First Light", times=3)

    with visit.page.expect_request("**/product") as sent:
        builder.add_to_cart()

    assert sent.value.url.endswith(f"/bundle/{bundle}/product")
    body: Any = sent.value.post_data_json
    assert body["visitorId"] == visitors[bundle]
