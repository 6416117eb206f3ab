"""Every state that a shopper may see, and how to reach it. Each state is tested, and a screenshot of it is taken."""

from collections.abc import Callable
from typing import TypeAlias

from playwright.sync_api import Route, expect

from tests.browser.baskets import BASKETS, EMAIL
from tests.browser.demo.demo_page import Demo
from tests.browser.routes import fulfill_first
from tests.browser.visit import Visit

Reach: TypeAlias = Callable[[Visit], None]
READ = "**/embed/api/v1/bundle?*"

STATES: dict[str, Reach] = {}
"""Functions that bring a bundle into each state, by the name of the state."""


def state(reach: Reach) -> Reach:
    STATES[reach.__name__.replace("_", "-")] = reach
    return reach


@state
def loading(visit: Visit) -> None:
    visit.hold(READ)
    expect(visit.open(bundle_id=101).root.get_by_text("Loading …")).to_be_attached()


@state
def steps(visit: Visit) -> None:
    visit.show(101)


@state
def chosen(visit: Visit) -> None:
    """A selection of several units, a tier discount, and a subscription for which no e-mail address has been entered."""
    builder = visit.show(101)
    builder.choose("First Light", "1 kg")
    builder.choose("First Light", "250 g", "Filter", times=2)
    builder.choose("Harbour Blend")
    builder.root.get_by_role("radio", name="Every 2 weeks").check()


@state
def steps_compact(visit: Visit) -> None:
    builder = visit.show(101, template="compact")
    builder.choose("First Light", times=3)


@state
def box_to_finish(visit: Visit) -> None:
    builder = visit.show(104)
    builder.choose("First Light", times=2)
    expect(builder.finish).to_be_visible()


@state
def box_finished(visit: Visit) -> None:
    box_to_finish(visit)
    visit.builder.finish.click()
    expect(visit.builder.finish).to_have_text("Undo")


@state
def box_undone(visit: Visit) -> None:
    box_finished(visit)
    visit.builder.finish.click()
    expect(visit.builder.finish).to_have_text("Finish my box")


@state
def box_empty(visit: Visit) -> None:
    expect(visit.show(104).finish).to_have_text("Surprise me")


@state
def box_finished_in_german(visit: Visit) -> None:
    builder = visit.show(104, lang="de", country="CH")
    builder.choose("Hafenmischung", times=2)
    builder.finish.click()
    expect(builder.finish).to_have_text("Rückgängig")


@state
def box_that_cannot_be_finished_in_german(visit: Visit) -> None:
    builder = visit.show(20, shop="corner", lang="de")
    builder.finish.click()
    expect(builder.part("impossible")).not_to_be_empty()


@state
def box_that_cannot_be_finished(visit: Visit) -> None:
    builder = visit.show(20, shop="corner")
    builder.finish.click()
    expect(builder.part("impossible")).not_to_be_empty()


@state
def compact(visit: Visit) -> None:
    builder = visit.show(102)
    builder.choose("First Light")
    builder.choose("Kenya Nyeri", "Filter")


@state
def swatches_and_what_is_required(visit: Visit) -> None:
    builder = visit.show(103)
    builder.pick("Porcelain Dripper", "Charcoal")
    builder.choose("French Press")


@state
def rules_not_met(visit: Visit) -> None:
    """Unmet rules, after an attempt to buy."""
    builder = visit.show(107)
    builder.choose("Stoneware Mug", "Moss")
    builder.try_to_buy()


@state
def reminder(visit: Visit) -> None:
    form = visit.show(107).open_reminder("Travel Cup", "Sand")
    form.get_by_label("Your e-mail address").fill("nobody")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).not_to_be_empty()


@state
def reminder_compact(visit: Visit) -> None:
    form = visit.show(102).open_reminder("Panama Small Lot")
    form.get_by_label("Your e-mail address").fill(EMAIL)
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).not_to_be_empty()


@state
def subscription_required(visit: Visit) -> None:
    builder = visit.show(108)
    builder.choose("First Light", times=2)
    builder.try_to_buy()


@state
def personalised(visit: Visit) -> None:
    builder = visit.show(109)
    builder.choose("Stoneware Mug", times=2)
    builder.root.get_by_label("Lettering").first.fill("Mira")


@state
def answers_missing(visit: Visit) -> None:
    builder = visit.show(2, shop="corner", template="compact")
    builder.choose("Plate")
    builder.answer("Picture", "mira.jpg")
    builder.try_to_buy()


@state
def message_and_free_item(visit: Visit) -> None:
    builder = visit.show(110)
    builder.choose("First Light", "1 kg", times=2)
    builder.choose("Chocolate Beans", times=3)
    builder.choose("Greeting Card")


@state
def blocked(visit: Visit) -> None:
    builder = visit.show(1, shop="corner")
    builder.choose("Green Tea", times=4)
    builder.choose("Glass Cup")
    builder.choose("Strainer")


@state
def not_sold_in_country(visit: Visit) -> None:
    builder = visit.show(111, template="default")
    builder.choose("Linden Honey")
    builder.after("bundle:ready", lambda: builder.root.evaluate("(builder) => builder.setAttribute('country', 'US')"))


@state
def german(visit: Visit) -> None:
    builder = visit.show(106, lang="de")
    builder.card("Hafenmischung").locator("[part~=more]").click()


@state
def right_to_left(visit: Visit) -> None:
    html = visit.host_page("corner", bundle_id=5).replace('<html lang="en">', '<html lang="ar" dir="rtl">')
    visit.page.goto(visit.site.put(html))
    visit.builder.shown().choose("Green Tea")


@state
def long_words(visit: Visit) -> None:
    builder = visit.show(4, shop="corner")
    card = builder.root.get_by_role("article").first
    card.locator("[part~=more]").click()
    card.get_by_text("Details").click()


@state
def long_words_compact(visit: Visit) -> None:
    builder = visit.show(4, shop="corner", template="compact")
    builder.root.get_by_role("article").first.locator("[part~=more]").click()


@state
def hostile(visit: Visit) -> None:
    visit.show(1, shop="hostile")


@state
def nothing_on_offer(visit: Visit) -> None:
    visit.show(3, shop="corner")


@state
def not_there(visit: Visit) -> None:
    expect(visit.open(bundle_id=999).notice).to_be_visible()


@state
def not_answering(visit: Visit) -> None:
    visit.page.route(READ, lambda route: route.abort())
    expect(visit.open(bundle_id=101).notice).to_be_visible()


@state
def refused(visit: Visit) -> None:
    key = visit.service.new_key(origins=("https://shop.example",))
    expect(visit.open(bundle_id=101, api_key=key).notice).to_be_visible()


@state
def buying_failed(visit: Visit) -> None:
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    visit.page.route(
        "**/product", lambda route: route.fulfill(status=500, json={"code": "internal_error", "error": ""})
    )
    builder.buy.click()
    expect(builder.outcome).not_to_be_empty()


def refuse_once(visit: Visit, code: str, *details: dict[str, str]) -> None:
    """Refuse the next purchase for this reason."""
    refusal = {"error": "", "code": code, "requestId": "test", "details": [{"message": "", **one} for one in details]}
    headers = {"Access-Control-Allow-Origin": "*"}
    fulfill_first(visit.page, "**/product", status=400, json=refusal, headers=headers)


@state
def asked_about_a_price(visit: Visit) -> None:
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    changed = {"path": "expectedPrice", "code": "different_price", "expected": "27.32", "actual": "1229.95"}
    refuse_once(visit, "price_changed", changed)
    builder.buy.click()
    expect(builder.confirm).to_be_visible()


@state
def rules_and_products_changed(visit: Visit) -> None:
    """The page after a response whose rules and products differ from those shown before."""
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    builder.choose("Linden Honey")

    def change(route: Route) -> None:
        bundle = route.fetch().json()
        for section in bundle["sections"]:
            section["products"] = section["products"][:1]
        rule = {"type": "total-number-of-products", "operation": "eq", "value": "6", "sectionId": None}
        route.fulfill(json={**bundle, "limitRules": [rule]}, headers={"Access-Control-Allow-Origin": "*"})

    visit.page.route(READ, change)
    refuse_once(visit, "rules_not_met")
    builder.buy.click()
    expect(builder.news).to_have_count(2)


@state
def too_busy(visit: Visit) -> None:
    body = {"error": "", "code": "rate_limited", "requestId": "test"}
    exposed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
    busy = {"status": 429, "json": body, "headers": {**exposed, "Retry-After": "60"}}
    visit.page.route(READ, lambda route: route.fulfill(**busy))
    expect(visit.open(bundle_id=101).waiting).to_be_visible()


@state
def added(visit: Visit) -> None:
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    builder.add_to_cart()
    expect(builder.outcome).not_to_be_empty()


@state
def demo_front(visit: Visit) -> None:
    visit.demo()
    expect(visit.page.get_by_test_id("bundle-card").last).to_be_visible()


@state
def demo_bundle(visit: Visit) -> None:
    demo = visit.demo(bundle=101)
    BASKETS[101].fill(demo.builder.shown())


@state
def demo_compact(visit: Visit) -> None:
    demo = visit.demo(bundle=102)
    BASKETS[102].fill(demo.builder.shown())


@state
def demo_switches(visit: Visit) -> None:
    demo = visit.demo(bundle=105, dev="open", visitor="00000000-0000-4000-8000-000000000000")
    demo.builder.shown()
    demo.page.get_by_text("Events of the component").click()


@state
def demo_empty_cart(visit: Visit) -> None:
    demo = visit.demo(cart="open")
    expect(demo.drawer).to_be_visible()


@state
def demo_unknown_bundle(visit: Visit) -> None:
    expect(visit.demo(bundle=999).page.get_by_role("heading", level=1)).to_be_visible()


@state
def demo_unknown_page(visit: Visit) -> None:
    visit.page.goto(f"{visit.service.origin}/demo/nothing")


def shopping(visit: Visit, *bundles: int, **state: object) -> Demo:
    """The demo with these bundles in the cart, the drawer open, and this state in the URL."""
    for bundle in bundles:
        demo = visit.demo(bundle=bundle, **state)
        BASKETS[bundle].fill(demo.builder.shown())
        demo.checked_out(demo.builder.add_to_cart)
    return demo


@state
def demo_cart(visit: Visit) -> None:
    """Show a checked-out cart that contains a box, a lettered mug and a ghost variant."""
    shopping(visit, 101, 109, 102).verdict.scroll_into_view_if_needed()


@state
def demo_editing(visit: Visit) -> None:
    demo = shopping(visit, 102)
    demo.drawer.get_by_role("button", name="Edit: Tasting Flight").click()
    expect(demo.builder.lines).to_have_count(3)


@state
def demo_cart_tampered(visit: Visit) -> None:
    demo = shopping(visit, 101)
    demo.page.get_by_text("Damage the cart on its way to the checkout").click()
    demo.checked_out(demo.page.get_by_label("Change one character of the discount").check)
    demo.page.get_by_text("Cart data that the checkout receives").click()


@state
def demo_order(visit: Visit) -> None:
    """An order for a box, a lettered mug and a ghost variant, with the quotes for refunding a part of the order."""
    demo = shopping(visit, 101, 109, 102)
    demo.place_order()
    expect(demo.quotes).to_have_count(3)


@state
def demo_order_tampered(visit: Visit) -> None:
    """An order with a tampered discount string, in German and in Swiss francs."""
    demo = visit.demo(bundle=101, tamper="token", lang="de", country="CH")
    demo.builder.shown().choose("First Light", times=3)
    demo.checked_out(demo.builder.add_to_cart)
    demo.place_order()
    expect(demo.quotes).to_have_count(3)


@state
def demo_order_unknown(visit: Visit) -> None:
    demo = visit.demo(order=f"demo-{0:032}")
    expect(demo.page.get_by_role("alert")).to_be_visible()


@state
def demo_offline(visit: Visit) -> None:
    demo = visit.demo(bundle=101, network="offline")
    expect(demo.builder.notice).to_be_visible()
