"""For every type of limit rule, the component shows what is missing or in excess."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

import pytest
from playwright.sync_api import expect

from tests.browser.baskets import Choice
from tests.browser.conftest import MakeVisit
from tests.browser.visit import Visit

# For each bundle: the choices in order, with the message after each.
RULES = {
    101: [
        ([Choice("Oat Shortbread")], ["Choose at least 3 – 2 more", "Coffee: Choose at least 1 – 1 more"]),
        ([Choice("First Light", times=12)], ["Choose at most 12 – now 13"]),
    ],
    102: [
        ([Choice("Kenya Nyeri")], ["Choose exactly 3 – 2 more", "Different products: at least 3 – 2 more"]),
        (
            [Choice("First Light", ("Filter",), 2)],
            ["Different products: at least 3 – 1 more", "First Light: at most 1 – now 2"],
        ),
    ],
    103: [([Choice("Oak Scoop", times=3)], ["Oak Scoop: at most 2 – now 3"])],
    104: [([Choice("First Light")], ["Choose exactly 6, 12, or 24 – 5 more"])],
    105: [([Choice("Drip Bag", times=2)], ["Choose in multiples of 5 – 3 more"])],
    106: [
        ([Choice("First Light")], ["Weight: at least 1 kg – 0.75 kg more"]),
        ([Choice("First Light", ("1 kg",))], []),
        ([Choice("First Light", ("1 kg",))], ["Weight: at most 2 kg – now 2.25 kg"]),
    ],
    107: [
        (
            [Choice("Espresso Cups")],
            ["Price before discount: at least €60.00 – €38.00 more", "Table: Different products: at least 1 – 1 more"],
        ),
        ([Choice("Espresso Cups", times=6), Choice("Tea Towel")], ["Price: less than €150.00 – now €156.00"]),
    ],
}


@pytest.mark.parametrize("bundle", RULES)
def test_unmet_rules_are_shown(visit: Visit, bundle: int) -> None:
    """The bundle cannot be bought until all rules are met."""
    builder = visit.show(bundle)
    for choices, sentences in RULES[bundle]:
        for choice in choices:
            builder.choose(choice.title, *choice.values, times=choice.times)
        expect(builder.reasons).to_have_text(sentences)
        if sentences:
            expect(builder.buy).to_have_attribute("aria-disabled", "true")
        else:
            expect(builder.buy).not_to_have_attribute("aria-disabled", "true")


def test_whole_hint_is_visible_on_a_phone(make_visit: MakeVisit) -> None:
    """The whole hint is visible on a phone, next to the button, because the list of reasons may be out of sight."""
    visit = make_visit(viewport={"width": 360, "height": 780})
    builder = visit.demo(bundle=107, lang="de", template="default").builder.shown()
    builder.root.locator("[part~=more]").first.click()
    hint = builder.part("hint")
    expect(hint).to_have_text("Preis vor Rabatt: mindestens 60,00 € – noch 44,00 €")
    size = "(hint) => [hint.scrollWidth - hint.clientWidth, hint.scrollHeight - hint.clientHeight]"
    assert hint.evaluate(size) == [0, 0]


def test_low_stock_is_shown_once_the_service_reports_it(visit: Visit) -> None:
    """Low stock is shown once the service reports it, with the number of units that remain. The bundle can be bought once the
    shopper has reduced the quantity to that number."""
    builder = visit.show(1, shop="corner")
    builder.choose("White Tea", times=3)
    builder.choose("Strainer")
    builder.buy.click()
    expect(builder.reasons).to_have_text(["White Tea: only 2 left"])

    builder.root.get_by_role("button", name="One less: White Tea").click()
    expect(builder.reasons).to_have_count(0)
    assert builder.add_to_cart()["result"]["configured_bundle_id"]


def test_number_left_is_shown_only_if_it_is_known(visit: Visit) -> None:
    """The remaining stock is shown only if it is known. Here, two units were left when the page was opened, and both have been
    sold since."""
    builder = visit.show(1, shop="corner")
    builder.choose("White Tea")
    builder.choose("Strainer")
    details = [{"path": "products.0", "code": "sold_out", "platformVariantId": "1201", "message": ""}]
    refused = {"error": "", "code": "rules_not_met", "requestId": "test", "details": details}
    headers = {"Access-Control-Allow-Origin": "*"}
    visit.page.route("**/product", lambda route: route.fulfill(status=400, json=refused, headers=headers))

    builder.buy.click()

    expect(builder.reasons).to_have_text(["White Tea: not enough left"])
