"""Whatever goes wrong is told in words, can be tried again, and makes no second bundle."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.builder import Builder
from tests.browser.visit import Visit
from tests.process.serving import BASE

GUIDE = Path(__file__).parents[2] / "docs" / "web-component.md"
READ = "**/embed/api/v1/bundle?*"
CONFIGURE = "**/embed/api/v1/bundle/*/product"
OFFLINE = re.compile("^You seem to be offline")
BUSY = re.compile("^Too many requests")
BROKEN = re.compile("^Something went wrong")


def answer(status: int, code: str, **headers: str) -> dict[str, Any]:
    """An error of the service."""
    body = {"error": "Said by a test.", "code": code, "requestId": "test"}
    exposed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
    return {"status": status, "json": body, "headers": {**exposed, **headers}}


def first_is(page: Page, pattern: str, **answered: Any) -> None:
    """The first request is answered like this, all others by the service."""
    page.route(pattern, lambda route: route.fulfill(**answered), times=1)


@pytest.fixture
def builder(visit: Visit) -> Builder:
    """A bundle that can be bought."""
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    return builder


def test_a_key_of_the_wrong_scope(visit: Visit) -> None:
    """Trying again would not help, so it is not offered; the page's developer hears why."""
    builder = visit.open(bundle_id=101, api_key=visit.service.new_key(scopes=("headless",)))
    expect(builder.notice).not_to_be_empty()
    expect(builder.root.get_by_role("button")).to_have_count(0)
    (event,) = builder.events("bundle:error")
    assert (event["error"]["status"], event["error"]["code"]) == (403, "key_scope")


def test_a_key_for_other_origins(visit: Visit) -> None:
    builder = visit.open(bundle_id=101, api_key=visit.service.new_key(origins=("https://shop.example",)))
    expect(builder.notice).not_to_be_empty()
    assert builder.events("bundle:error")[0]["error"]["code"] == "origin_not_allowed"


@pytest.mark.parametrize("bundle", [{"bundle_id": 999}, {"bundle_id": 112}, {"product_handle": "nothing"}])
def test_a_bundle_that_is_not_there(visit: Visit, bundle: dict[str, Any]) -> None:
    """Or not yet."""
    builder = visit.open(**bundle)
    expect(builder.notice).to_have_text("This bundle is not available.")
    assert builder.events("bundle:error")[0]["error"]["code"] == "not_found"


def test_a_page_that_names_no_bundle(visit: Visit) -> None:
    builder = visit.open()
    expect(builder.notice).to_have_text(BROKEN)
    assert builder.events("bundle:error")[0]["error"]["name"] == "TypeError"


def test_a_page_that_opens_offline(visit: Visit) -> None:
    """The shopper tries again; the focus is on what has come."""
    visit.page.route(READ, lambda route: route.abort("internetdisconnected"))
    builder = visit.open(bundle_id=111)
    expect(builder.notice).to_have_text(OFFLINE)

    visit.page.unroute(READ)
    builder.root.get_by_role("button", name="Try again").click()

    expect(builder.shown().name).to_be_focused()


def test_who_went_on_meanwhile_keeps_the_focus(visit: Visit) -> None:
    """What comes late takes it from nothing else in the page."""
    visit.page.route(READ, lambda route: route.abort("internetdisconnected"))
    html = visit.host_page(bundle_id=111).replace("</main>", '<input aria-label="Search"></main>')
    visit.page.goto(visit.site.put(html))
    expect(visit.builder.notice).to_be_visible()
    visit.page.unroute(READ)
    bundle = visit.hold(READ)
    visit.builder.root.get_by_role("button", name="Try again").click()

    visit.page.get_by_label("Search").focus()
    bundle.open()

    visit.builder.shown()
    expect(visit.page.get_by_label("Search")).to_be_focused()


def test_a_page_that_comes_online_again_reads_by_itself(visit: Visit) -> None:
    builder = visit.open(bundle_id=999)
    expect(builder.notice).to_be_visible()
    visit.context.set_offline(True)
    builder.root.evaluate("(builder) => builder.setAttribute('bundle-id', 111)")
    expect(builder.notice).to_have_text(OFFLINE)

    visit.context.set_offline(False)
    expect(builder.shown().name).to_have_text("Breakfast Express")


def test_buying_offline(visit: Visit, builder: Builder) -> None:
    """Says so, keeps the selection, and works when tried again."""
    before = visit.service.configured
    visit.context.set_offline(True)
    builder.buy.click()
    expect(builder.outcome).to_have_text(OFFLINE)
    expect(builder.lines).to_have_count(1)

    visit.context.set_offline(False)
    builder.add_to_cart()

    assert visit.service.configured == before + 1


def test_an_answer_that_is_lost(visit: Visit, builder: Builder) -> None:
    """The service has made the bundle, and the shopper's own try gets that one: no second is made."""
    before = visit.service.configured
    answers: list[int] = []

    def lose(route: Route) -> None:
        answers.append(route.fetch().json()["configured_bundle_id"])
        route.abort("connectionreset")

    visit.page.route(CONFIGURE, lose)
    builder.buy.click()
    expect(builder.outcome).to_have_text(OFFLINE)
    visit.page.unroute(CONFIGURE)

    added = builder.add_to_cart()

    assert len(answers) == 4
    assert {added["result"]["configured_bundle_id"], *answers} == {answers[0]}
    assert visit.service.configured == before + 1


def test_another_selection_is_another_bundle(visit: Visit, builder: Builder) -> None:
    """After an answer that was lost, too."""
    before = visit.service.configured

    def configure_and_fail(route: Route) -> None:
        route.fetch()
        route.fulfill(**answer(500, "internal_error"))

    visit.page.route(CONFIGURE, configure_and_fail, times=1)
    builder.buy.click()
    expect(builder.outcome).to_have_text(BROKEN)

    builder.choose("First Light")
    assert len(builder.add_to_cart()["selection"]["items"]) == 4
    assert visit.service.configured == before + 2


def test_a_service_that_is_too_busy_is_waited_for(visit: Visit, builder: Builder) -> None:
    """As long as it asks."""
    first_is(visit.page, CONFIGURE, **answer(429, "rate_limited", **{"Retry-After": "1"}))
    times: list[float] = []
    visit.page.on("request", lambda request: times.append(visit.now()) if request.url.endswith("/product") else None)

    builder.buy.click()
    expect(builder.buy).to_have_text("Adding …")
    expect(builder.outcome).to_have_text("Added to your cart")

    first, second = times
    assert second - first >= 1.0


def test_a_service_that_is_busy_for_long_says_so(visit: Visit) -> None:
    """The real thing: a key with one request a minute."""
    key = visit.service.new_key(rate_limit=1)
    assert visit.service.server.get(f"{BASE}/settings", key).status == 200
    builder = visit.open(bundle_id=111, api_key=key)
    expect(builder.notice).to_have_text(BUSY)
    expect(builder.root.get_by_role("button", name="Try again")).to_be_visible()
    assert builder.events("bundle:error")[0]["error"]["code"] == "rate_limited"


def test_a_service_that_fails(visit: Visit, builder: Builder) -> None:
    first_is(visit.page, CONFIGURE, **answer(500, "internal_error"))
    builder.buy.click()
    expect(builder.outcome).to_have_text(BROKEN)
    builder.add_to_cart()


def test_a_service_that_fails_from_the_start(visit: Visit) -> None:
    first_is(visit.page, READ, **answer(500, "internal_error"))
    builder = visit.open(bundle_id=111)
    expect(builder.notice).to_have_text(BROKEN)
    builder.root.get_by_role("button", name="Try again").click()
    builder.shown()


def test_a_bundle_that_changed_meanwhile_is_read_again(visit: Visit, builder: Builder) -> None:
    first_is(visit.page, CONFIGURE, **answer(404, "not_found"))
    builder.after("bundle:ready", builder.buy.click)
    expect(builder.outcome).to_have_text("This bundle has changed. Please check your selection.")
    expect(builder.amount("First Light")).to_have_text("3")


TWO_TEAS = """
shop: {handle: teas, name: Teas, domain: teas.example, currency: EUR, moneyFormat: "€{{amount}}", weightUnit: g, locale: en,
       headlessEnabled: true, activeFeatures: [], platform: {kind: embedded}, templates: [default]}
products:
  - {id: "1", title: Green Tea, variants: [{id: "11", title: Default Title, price: "4.00"}]}
  - {id: "2", title: Black Tea, variants: [{id: "21", title: Default Title, price: "3.00"}]}
  - {id: "9", title: Box, variants: [{id: "91", title: Default Title, price: "0.00"}]}
bundles:
  - id: 1
    name: Teas
    type: native
    platformProductId: "9"
    parentVariantId: "91"
    templateCode: default
    sections:
      - id: 1
        name: Tea
        products:
          - {bundleItemId: 1, platformProductId: "1"}
          - {bundleItemId: 2, platformProductId: "2"}
"""

SHOWS_ONE_PRODUCT = """async ([address, key]) => {
  const asked = { cache: "no-store", headers: { Authorization: `Bearer ${key}` } };
  while ((await (await fetch(address, asked)).json()).products.length > 1) await new Promise(requestAnimationFrame);
}"""


def test_a_bundle_is_read_past_what_the_browser_has_kept(visit: Visit, tmp_path: Path) -> None:
    """Answers are kept for a minute: that is too long for who has just been told to look again."""
    service, shop = visit.service, tmp_path / "teas.yaml"
    shop.write_text(TWO_TEAS)
    service.load(shop)
    builder = visit.show(1, shop="teas")
    builder.choose("Green Tea")
    builder.choose("Black Tea")

    shop.write_text(TWO_TEAS.replace('          - {bundleItemId: 2, platformProductId: "2"}\n', ""))
    service.load(shop)
    visit.page.evaluate(SHOWS_ONE_PRODUCT, [f"{service.base_url}/embed/api/v1/bundle?id=1", service.key("teas")])
    builder.after("bundle:ready", builder.buy.click)

    expect(builder.card("Black Tea")).to_have_count(0)
    assert len(builder.add_to_cart()["selection"]["items"]) == 1


def shop_page(visit: Visit, template: str) -> str:
    html = visit.host_page(bundle_id=101, template=template)
    return visit.site.put(html.replace("</main>", "</main><footer>The end</footer>"))


def test_a_module_that_comes_late_makes_nothing_jump(visit: Visit) -> None:
    """Where the page keeps room for the element, as the guide says."""
    rule = re.search(r"^bundle-builder:not\(:defined\) \{.*?^\}$", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert rule
    module = visit.hold("**/bundle-builder.js")
    html = visit.host_page(bundle_id=101).replace("<main>", f"<style>{rule[0]}</style><main>")
    visit.page.goto(visit.site.put(html.replace("</main>", "</main><footer>The end</footer>")), wait_until="commit")
    expect(visit.page.get_by_text("The end")).to_be_attached()
    visit.after_painting()

    module.open()
    visit.builder.shown()
    visit.after_painting()

    assert visit.jumps() == 0


@pytest.mark.parametrize("page", ["default", "compact", "demo"])
def test_a_slow_network_makes_nothing_jump(visit: Visit, page: str) -> None:
    """Neither when the bundle comes nor when its pictures do, nor what stands below it in the page."""
    bundle, pictures = visit.hold(READ), visit.hold("**/*.svg")
    visit.page.goto(f"{visit.service.origin}/demo?bundle=101" if page == "demo" else shop_page(visit, page))
    expect(visit.builder.root.get_by_text("Loading …")).to_be_attached()
    visit.after_painting()

    bundle.open()
    visit.builder.shown()
    visit.after_painting()
    pictures.open()
    image = visit.builder.root.locator("img").first
    expect(image).to_have_js_property("complete", True)
    visit.after_painting()

    assert visit.jumps() <= 0.02
