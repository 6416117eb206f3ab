"""On a phone, a page stays open while the shop's rules, prices and products change."""

import json
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import serious_faults
from tests.browser.builder import Builder
from tests.browser.component.test_states import BEYOND
from tests.browser.conftest import MakeVisit
from tests.browser.routes import fulfill_first
from tests.browser.visit import Visit
from tests.process.serving import BASE

PHONE = {"width": 390, "height": 780}
READ = "**/embed/api/v1/bundle?*"
CONFIGURE = "**/embed/api/v1/bundle/*/product"
RULES = "The rules of this bundle changed while you were choosing."

SHOP = """
shop: {handle: teas, name: Teas, domain: teas.example, currency: EUR, moneyFormat: "€{{amount}}", weightUnit: g, locale: en,
       headlessEnabled: true, activeFeatures: [translations], platform: {kind: embedded}, templates: [default]}
markets: [{countryCode: CH, currency: CHF, exchangeRate: "0.95"}]
products:
  - {id: "1", title: Green Tea, variants: [{id: "11", title: Default Title, price: "4.00"}]}
  - {id: "2", title: Black Tea, variants: [{id: "21", title: Default Title, price: "3.00"}]}
  - {id: "3", title: Mint Tea, variants: [{id: "31", title: Default Title, price: "5.50"}]}
  - {id: "9", title: Box, variants: [{id: "91", title: Default Title, price: "0.00"}]}
bundles:
  - id: 1
    name: Tea Box
    type: native
    platformProductId: "9"
    parentVariantId: "91"
    templateCode: default
    discount: {type: percentage, value: "10"}
    sections:
      - id: 1
        name: Tea
        products:
          - {bundleItemId: 1, platformProductId: "1"}
          - {bundleItemId: 2, platformProductId: "2"}
          - {bundleItemId: 3, platformProductId: "3"}
    limitRules:
      - {type: total-number-of-products, operation: eq, value: "4"}
"""
"""A bundle for a box of exactly four teas."""

DEARER = ('price: "4.00"', 'price: "4.75"')
SIX = ('value: "4"', 'value: "6"')
NO_MINT = ('          - {bundleItemId: 3, platformProductId: "3"}\n', "")
FEW_BLACK = ('price: "3.00"', 'price: "3.00", inventoryTracked: true, inventoryQuantity: 1')
NO_BLACK = ('price: "3.00"', 'price: "3.00", inventoryTracked: true, inventoryQuantity: 0')
UNPUBLISHED = ("    templateCode: default\n", "    templateCode: default\n    published: false\n")

Change: TypeAlias = Callable[..., None]


@pytest.fixture
def visit(make_visit: MakeVisit) -> Visit:
    return make_visit(viewport=PHONE, is_mobile=True, has_touch=True)


@pytest.fixture
def change(visit: Visit, tmp_path: Path) -> Change:
    """A function that loads the shop with the given replacements, and waits until the service uses the result. The open page is
    not notified."""
    file, service, versions = tmp_path / "teas.yaml", visit.service, count(time.time_ns())

    def load(*replacements: tuple[str, str]) -> None:
        version = next(versions)
        text = SHOP.replace("name: Tea Box", f"name: Tea Box\n    description: As of {version}")
        for before, after in replacements:
            assert before in text
            text = text.replace(before, after)
        file.write_text(text)
        service.load(file)
        while shown() != (None if UNPUBLISHED[1] in text else f"As of {version}"):
            time.sleep(0.05)

    def shown() -> Any:
        answer = service.server.get(f"{BASE}/embed/api/v1/bundle?id=1&fresh={time.monotonic()}", service.key("teas"))
        return None if answer.status == 404 else answer.json["description"]

    load()
    return load


@pytest.fixture
def builder(visit: Visit, change: Change) -> Builder:
    """A builder in which four teas are chosen, a selection that can be bought."""
    return chosen(visit)


def chosen(visit: Visit, **attributes: Any) -> Builder:
    builder = visit.show(1, shop="teas", **attributes)
    builder.choose("Green Tea", times=2)
    builder.choose("Black Tea")
    builder.choose("Mint Tea")
    expect(builder.buy).not_to_have_attribute("aria-disabled", "true")
    return builder


def buy_what_has_changed(builder: Builder) -> Any:
    """Click the buy button of a builder whose bundle has changed, and return the event that reports the changes."""
    return builder.after("bundle:update", builder.buy.click)


def sent(page: Page, act: Callable[[], object]) -> dict[str, Any]:
    """Perform an action, and return the body of the configure request that it causes."""
    with page.expect_request(CONFIGURE) as request:
        act()
    body: dict[str, Any] = json.loads(request.value.post_data or "")
    return body


def looks_right(visit: Visit) -> None:
    visit.after_painting()
    assert visit.page.evaluate(BEYOND) == []
    assert serious_faults(visit.page) == []


def test_price_that_is_shown_travels_with_the_purchase(visit: Visit, builder: Builder) -> None:
    expect(builder.total).to_have_text("€14.85")
    body = sent(visit.page, builder.add_to_cart)
    assert body["expectedPrice"] == "14.85"
    assert "expectedPresentment" not in body


def test_price_in_a_market_travels_in_its_currency_alone(visit: Visit, change: Change) -> None:
    builder = chosen(visit, country="CH")
    body = sent(visit.page, builder.add_to_cart)
    assert body["expectedPresentment"] == builder.events("bundle:change")[-2]["presentment"]["discountedPrice"]
    assert "expectedPrice" not in body


def test_shopper_is_asked_about_a_new_price(visit: Visit, builder: Builder, change: Change) -> None:
    """The shopper is asked about a new price, and nothing is configured until the shopper has answered.

    The question has the focus, and screen readers announce it."""
    before = visit.service.configured
    change(DEARER)

    update = buy_what_has_changed(builder)

    expect(builder.news).to_have_text("The price changed while you were choosing: now €16.20, before €14.85.")
    expect(builder.part("news")).to_be_focused()
    expect(builder.spoken).to_have_text("The price changed while you were choosing: now €16.20, before €14.85.")
    expect(builder.buy).to_be_hidden()
    expect(builder.amount("Green Tea")).to_have_text("2")
    looks_right(visit)
    assert update["price"] == {
        "before": {"amount": "14.85", "currency": "EUR"},
        "now": {"amount": "16.20", "currency": "EUR"},
        "accept": {"expectedPrice": "16.20"},
    }
    assert (update["rulesChanged"], update["removed"]) == (False, [])
    assert visit.service.configured == before

    added = builder.after("bundle:addtocart", builder.confirm.click)

    assert added["result"]["pricing"]["discountedPrice"] == "16.20"
    expect(builder.outcome).to_have_text("Added to your cart")
    expect(builder.part("news")).to_be_hidden()
    expect(builder.buy).to_be_focused()
    assert visit.service.configured == before + 1
    assert visit.reports == [], "a refusal is not an error of the page"


def test_shopper_is_asked_in_the_market_s_currency(visit: Visit, change: Change) -> None:
    builder = chosen(visit, country="CH")
    change(DEARER)
    price = buy_what_has_changed(builder)["price"]
    assert {price["before"]["currency"], price["now"]["currency"]} == {"CHF"}
    expect(builder.confirm).to_have_text(f"Buy for CHF\xa0{price['now']['amount']}")
    added = builder.after("bundle:addtocart", builder.confirm.click)
    assert added["result"]["presentment"]["discountedPrice"] == price["now"]["amount"]


def test_shopper_is_asked_in_german(visit: Visit, change: Change) -> None:
    builder = chosen(visit, lang="de")
    change(DEARER)
    buy_what_has_changed(builder)
    expect(builder.news).to_contain_text("Der Preis hat sich geändert")
    expect(builder.part("news").get_by_role("button")).to_have_text(["Für €16.20 kaufen", "Weiter auswählen"])


def test_shopper_can_keep_choosing_instead(visit: Visit, builder: Builder, change: Change) -> None:
    """Instead of buying at a changed price, a shopper can keep choosing; the new price then appears in its usual place."""
    before = visit.service.configured
    change(DEARER)
    buy_what_has_changed(builder)

    builder.root.get_by_role("button", name="Keep choosing").click()

    expect(builder.part("news")).to_be_hidden()
    expect(builder.buy).to_be_focused()
    expect(builder.total).to_have_text("€16.20")
    assert visit.service.configured == before
    assert sent(visit.page, builder.add_to_cart)["expectedPrice"] == "16.20"


def test_question_ends_with_the_next_choice(builder: Builder, change: Change) -> None:
    change(DEARER)
    buy_what_has_changed(builder)
    builder.root.get_by_role("button", name="One more: Green Tea").click()
    expect(builder.part("news")).to_be_hidden()
    expect(builder.reasons).to_have_text("Choose exactly 4 – now 5")  # noqa: RUF001


def test_price_that_changes_twice_is_asked_about_twice(builder: Builder, change: Change) -> None:
    change(DEARER)
    buy_what_has_changed(builder)
    change(('price: "4.00"', 'price: "4.25"'))

    builder.after("bundle:update", builder.confirm.click)

    expect(builder.confirm).to_have_text("Buy for €15.30")
    expect(builder.news).to_contain_text("now €15.30, before €16.20")


def test_double_click_does_not_agree_to_a_price(visit: Visit, builder: Builder, change: Change) -> None:
    """A double click does not accept a price, even though the accept button may appear where the buy button was."""
    before = visit.service.configured
    change(DEARER)
    buy_what_has_changed(builder)
    builder.confirm.evaluate("(button) => button.dispatchEvent(new MouseEvent('click', { detail: 2 }))")
    expect(builder.confirm).to_have_text("Buy for €16.20")
    assert visit.service.configured == before


def test_agreeing_can_be_repeated_after_a_failure(visit: Visit, builder: Builder, change: Change) -> None:
    """After a failure, the shopper can accept the price again; the idempotency key stays the same."""
    change(DEARER)
    buy_what_has_changed(builder)
    keys: list[str] = []

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        route.abort("connectionreset") if len(keys) < 5 else route.continue_()

    visit.page.route(CONFIGURE, lose)
    builder.confirm.click()
    expect(builder.outcome).to_contain_text("This shop is not answering")
    expect(builder.confirm).to_have_text("Buy for €16.20")
    builder.after("bundle:addtocart", builder.confirm.click)
    assert len(set(keys)) == 1


def test_changed_rules_are_the_page_s_rules(visit: Visit, builder: Builder, change: Change) -> None:
    """Changed rules apply to the page without a reload: here, two more units are needed to buy the box."""
    change(SIX)

    update = buy_what_has_changed(builder)

    assert (update["rulesChanged"], update["price"]) == (True, None)
    expect(builder.news).to_have_text(RULES)
    expect(builder.part("news")).to_be_focused()
    expect(builder.spoken).to_have_text(f"{RULES} Choose exactly 6 – 2 more")  # noqa: RUF001
    expect(builder.reasons).to_have_text("Choose exactly 6 – 2 more")  # noqa: RUF001
    looks_right(visit)

    builder.choose("Green Tea", times=2)
    expect(builder.part("news")).to_be_hidden()
    assert len(builder.add_to_cart()["selection"]["items"]) == 6


def test_product_that_has_gone_is_named(visit: Visit, builder: Builder, change: Change) -> None:
    """When a product is no longer available, the message names it, and all others stay chosen."""
    change(NO_MINT)

    update = buy_what_has_changed(builder)

    expect(builder.news).to_have_text("No longer available, and removed from your selection: Mint Tea.")
    expect(builder.card("Mint Tea")).to_have_count(0)
    expect(builder.amount("Green Tea")).to_have_text("2")
    expect(builder.amount("Black Tea")).to_have_text("1")
    assert update["removed"] == [{"variant": "31", "product": "3", "section": 1, "title": "Mint Tea"}]
    looks_right(visit)

    builder.choose("Black Tea")
    assert len(builder.add_to_cart()["selection"]["items"]) == 4


def test_product_that_moved_stays_chosen(builder: Builder, change: Change) -> None:
    """A product stays chosen when it moves into another section, even one with a new rule."""
    added = """      - id: 2
        name: Herbs
        products: [{bundleItemId: 4, platformProductId: "3"}]
    limitRules:
      - {type: total-number-of-products, operation: eq, value: "2", sectionId: 2}
"""
    change(NO_MINT, ("    limitRules:\n", added))
    update = buy_what_has_changed(builder)
    assert update["removed"] == []
    expect(builder.amount("Mint Tea")).to_have_text("1")
    expect(builder.news).to_have_text(RULES)


def test_all_changes_at_once_are_said(builder: Builder, change: Change) -> None:
    """All changes are announced together. The shopper is not asked to accept the new price until the rules are met."""
    change(NO_MINT, SIX, DEARER)
    update = buy_what_has_changed(builder)
    expect(builder.news).to_have_text([RULES, "No longer available, and removed from your selection: Mint Tea."])
    expect(builder.confirm).to_be_hidden()
    assert update["price"] is None


@pytest.mark.parametrize(
    ("stock", "reason"), [(FEW_BLACK, "Black Tea: only 1 left"), (NO_BLACK, "Black Tea is sold out.")]
)
def test_stock_that_ran_out_is_said(visit: Visit, change: Change, stock: tuple[str, str], reason: str) -> None:
    builder = visit.show(1, shop="teas")
    builder.choose("Green Tea", times=2)
    builder.choose("Black Tea", times=2)
    change(stock)
    buy_what_has_changed(builder)
    expect(builder.reasons).to_have_text(reason)
    expect(builder.spoken).to_contain_text(reason)
    expect(builder.amount("Black Tea")).to_have_text("2")
    looks_right(visit)


def test_bundle_that_has_gone_is_said(visit: Visit, builder: Builder, change: Change) -> None:
    change(UNPUBLISHED)
    builder.buy.click()
    expect(builder.notice).to_have_text("This bundle is not available.")


def test_bundle_is_read_past_every_cache(visit: Visit, builder: Builder, change: Change) -> None:
    """The bundle is fetched from a new address each time, which bypasses every cache."""
    reads = visit.requests(READ)
    for price in ("4.75", "4.25"):
        change(('price: "4.00"', f'price: "{price}"'))
        reads.clear()
        buy_what_has_changed(builder)
        (read,) = reads
        assert "&fresh=" in read
        builder.root.get_by_role("button", name="Keep choosing").click()


def test_bundle_is_read_twice_if_its_sender_has_not_heard_of_the_change(
    visit: Visit, builder: Builder, change: Change
) -> None:
    """The bundle is fetched again if the process that sent it had not yet learned of the change, which can take up to two
    seconds."""
    change(SIX)
    reads = visit.requests(READ)
    headers = {"Access-Control-Allow-Origin": "*"}
    old = builder.root.evaluate("(builder) => builder.bundle")
    fulfill_first(visit.page, READ, json=old, headers=headers)

    buy_what_has_changed(builder)

    expect(builder.reasons).to_have_text("Choose exactly 6 – 2 more")  # noqa: RUF001
    expect(builder.news).to_have_text(RULES)
    assert len(reads) == 2


def test_focus_elsewhere_in_the_page_stays(visit: Visit, change: Change) -> None:
    html = visit.host_page("teas", bundle_id=1).replace("</main>", '<input aria-label="Search"></main>')
    visit.page.goto(visit.site.put(html))
    builder = visit.builder.shown()
    builder.choose("Green Tea", times=4)
    change(DEARER)
    read = visit.hold(READ)
    builder.buy.click()
    expect(builder.root.locator("[aria-busy]")).to_be_attached()
    visit.page.get_by_label("Search").focus()
    builder.after("bundle:update", read.open)
    expect(visit.page.get_by_label("Search")).to_be_focused()
    expect(builder.spoken).to_contain_text("The price changed")


def test_selection_of_the_page_wins_over_the_one_that_was_refused(
    visit: Visit, builder: Builder, change: Change
) -> None:
    """A selection that the page sets while the changes are being fetched replaces the refused selection, whose changes are then
    not announced."""
    change(NO_MINT)
    read = visit.hold(READ)
    builder.buy.click()
    expect(builder.root.locator("[aria-busy]")).to_be_attached()
    builder.root.evaluate(
        "(builder) => { builder.selection = { items: [{ variant: '21', product: '2', section: 1 }] } }"
    )
    builder.after("bundle:ready", read.open)
    expect(builder.amount("Black Tea")).to_have_text("1")
    expect(builder.part("news")).to_be_hidden()
    assert builder.events("bundle:update") == []


def test_choices_survive_a_failure_to_read_again(visit: Visit, builder: Builder, change: Change) -> None:
    change(SIX)
    visit.page.route(READ, lambda route: route.abort("internetdisconnected"))
    builder.buy.click()
    expect(builder.notice).to_be_visible()
    visit.page.unroute(READ)
    builder.after("bundle:update", builder.root.get_by_role("button", name="Try again").click)
    expect(builder.news).to_have_text(RULES)
    expect(builder.amount("Green Tea")).to_have_text("2")
