"""Every failure is reported with a readable message, and a retry never creates a second bundle."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Route, expect

from tests.browser.builder import Builder
from tests.browser.routes import fulfill_first, handle_first
from tests.browser.visit import Visit
from tests.process.serving import BASE

GUIDE = Path(__file__).parents[3] / "docs" / "web-component.md"
READ = "**/embed/api/v1/bundle?*"
CONFIGURE = "**/embed/api/v1/bundle/*/product"
OFFLINE = re.compile("^You seem to be offline")
UNREACHABLE = re.compile("^This shop is not answering")
BUSY = re.compile("^Too many requests")
BROKEN = re.compile("^Something went wrong")

Report: TypeAlias = Callable[[], dict[str, Any]]


def answer(status: int, code: str, **headers: str) -> dict[str, Any]:
    """An error response as the service sends it."""
    body = {"error": "Sent by a test.", "code": code, "requestId": "test"}
    exposed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
    return {"status": status, "json": body, "headers": {**exposed, **headers}}


@pytest.fixture
def builder(visit: Visit) -> Builder:
    """A builder with a selection that can be bought."""
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    return builder


@pytest.fixture
def report(visit: Visit) -> Report:
    """A function that returns the problem reported by the only failure so far. The failure must have been reported in exactly one
    event and one console line."""

    def only() -> dict[str, Any]:
        (event,) = visit.builder.events("bundle:error")
        (line,) = visit.reports
        problem: dict[str, Any] = event["problem"]
        assert line.startswith(f"<bundle-builder> {problem['code']}")
        assert f"{problem['message']} {problem['remedy']}" in line
        if problem["requestId"]:
            assert f", status {problem['status']}, request {problem['requestId']}: " in line
        return problem

    return only


def test_key_of_the_wrong_scope_is_reported_without_a_retry(visit: Visit, report: Report) -> None:
    """A key with the wrong scope is reported without a retry button, because a retry would not help."""
    builder = visit.open(bundle_id=101, api_key=visit.service.new_key(scopes=("headless",)))
    expect(builder.notice).to_contain_text("Its owner should check the API key")
    expect(builder.root.get_by_role("button")).to_have_count(0)
    problem = report()
    assert (problem["status"], problem["code"]) == (403, "key_scope")
    assert "scope embed" in problem["remedy"]


def test_key_for_other_origins_is_reported_with_the_origin_of_the_page(visit: Visit, report: Report) -> None:
    """A key that is restricted to other origins is reported with the page's origin: the message, the console and the event say
    what to check."""
    builder = visit.open(bundle_id=101, api_key=visit.service.new_key(origins=("https://shop.example",)))
    expect(builder.notice).to_contain_text(f"whether it allows {visit.site.origin}.")
    problem = report()
    assert problem["code"] == "origin_not_allowed"
    assert re.fullmatch("[0-9a-f]{32}", problem["requestId"])
    assert f"This page's origin is {visit.site.origin}. bundlesvc keys create" in problem["remedy"]


def test_missing_key_is_reported(visit: Visit, report: Report) -> None:
    builder = visit.open(bundle_id=101, api_key=None)
    expect(builder.notice).to_have_text(BROKEN)
    problem = report()
    assert (problem["code"], problem["message"]) == ("page_error", "<bundle-builder> needs an api-key.")


def test_wrong_attributes_are_named_with_what_is_wrong(visit: Visit, report: Report) -> None:
    """Invalid attributes are reported together with their faults, so that the console message alone is enough to correct the
    page."""
    builder = visit.open(bundle_id=101, country="Switzerland", visitor_id="me")
    expect(builder.notice).to_have_text(BROKEN)
    problem = report()
    assert (problem["code"], problem["status"]) == ("invalid_request", 400)
    assert "Check country: Must be an ISO 3166-1 alpha-2 country code." in problem["remedy"]
    assert "Check visitor-id: Must be a UUID." in problem["remedy"]
    assert {detail["path"] for detail in problem["details"]} == {"countryCode", "visitor_id"}


@pytest.mark.parametrize("code", ["rules_not_met", "personalisation_invalid", "subscription_invalid"])
def test_refused_selection_is_no_error_of_the_page(visit: Visit, builder: Builder, code: str) -> None:
    """The console shows a refused selection at info level, without a hint to search the service's log."""
    lines: list[tuple[str, str]] = []
    visit.page.on("console", lambda message: lines.append((message.type, message.text)))
    refusal = {**answer(400, code)}
    refusal["json"] = {
        **refusal["json"],
        "details": [{"path": "products.0.variant", "code": "sold_out", "message": "."}],
    }
    fulfill_first(visit.page, CONFIGURE, **refusal)

    builder.after("bundle:error", builder.buy.click)

    (found,) = [(kind, text) for kind, text in lines if text.startswith("<bundle-builder>")]
    assert found[0] == "info"
    assert found[1].startswith(f"<bundle-builder> {code}, status 400, request test: ")
    assert "log" not in found[1]
    assert visit.reports == []


@pytest.mark.parametrize("bundle", [{"bundle_id": 999}, {"bundle_id": 112}, {"product_handle": "nothing"}])
def test_unknown_bundle_is_reported(visit: Visit, report: Report, bundle: dict[str, Any]) -> None:
    """For an unknown or unpublished bundle, the component shows that it is not available, and reports the error in an event and
    in the console."""
    builder = visit.open(**bundle)
    expect(builder.notice).to_have_text("This bundle is not available.")
    problem = report()
    assert (problem["code"], problem["status"], problem["details"]) == ("not_found", 404, [])


def test_missing_bundle_attribute_is_reported(visit: Visit) -> None:
    builder = visit.open()
    expect(builder.notice).to_have_text(BROKEN)
    assert builder.events("bundle:error")[0]["error"]["name"] == "TypeError"


def test_shopper_can_retry_when_the_service_was_not_reachable(visit: Visit, report: Report) -> None:
    """A shopper can retry after the service has been unreachable; the focus then moves to the bundle."""
    visit.page.route(READ, lambda route: route.abort("connectionrefused"))
    builder = visit.open(bundle_id=111)
    expect(builder.notice).to_have_text(UNREACHABLE)
    problem = report()
    assert (problem["code"], problem["status"], problem["requestId"]) == ("unreachable", None, None)

    visit.page.unroute(READ)
    builder.root.get_by_role("button", name="Try again").click()

    expect(builder.shown().name).to_be_focused()


def test_service_that_does_not_answer_is_reported_after_15_seconds(visit: Visit, report: Report) -> None:
    """A service that does not answer is reported after 15 seconds in total, including retries."""
    visit.page.clock.install()
    visit.hold(READ)
    builder = visit.open(bundle_id=111)
    expect(builder.root.get_by_text("Loading …")).to_be_attached()

    visit.page.clock.run_for(15_000)

    expect(builder.notice).to_have_text(UNREACHABLE)
    assert report()["message"] == "The service took too long."


def test_page_of_a_gateway_means_that_the_service_does_not_answer(visit: Visit, report: Report) -> None:
    gateway = {"status": 502, "body": "<h1>Bad Gateway</h1>", "headers": {"Access-Control-Allow-Origin": "*"}}
    fulfill_first(visit.page, READ, **gateway)
    expect(visit.open(bundle_id=111).notice).to_have_text(UNREACHABLE)
    problem = report()
    assert (problem["code"], problem["status"]) == ("unreachable", 502)


def test_late_bundle_does_not_take_the_focus_from_the_page(visit: Visit) -> None:
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


def test_bundle_is_fetched_when_the_browser_is_online_again(visit: Visit) -> None:
    builder = visit.open(bundle_id=999)
    expect(builder.notice).to_be_visible()
    visit.context.set_offline(True)
    builder.root.evaluate("(builder) => builder.setAttribute('bundle-id', 111)")
    expect(builder.notice).to_have_text(OFFLINE)

    visit.context.set_offline(False)
    expect(builder.shown().name).to_have_text("Breakfast Express")


def test_offline_purchase_keeps_the_selection_and_can_be_retried(
    visit: Visit, builder: Builder, report: Report
) -> None:
    before = visit.service.configured
    visit.context.set_offline(True)
    builder.buy.click()
    expect(builder.outcome).to_have_text(OFFLINE)
    assert report()["code"] == "offline"
    expect(builder.lines).to_have_count(1)

    visit.context.set_offline(False)
    builder.add_to_cart()

    assert visit.service.configured == before + 1


def test_retry_after_a_lost_response_makes_no_second_bundle(visit: Visit, builder: Builder) -> None:
    """A retry after a lost response creates no second bundle: it gets the response to the first request."""
    before = visit.service.configured
    answers: list[int] = []

    def lose(route: Route) -> None:
        answers.append(route.fetch().json()["configured_bundle_id"])
        route.abort("connectionreset")

    visit.page.route(CONFIGURE, lose)
    builder.buy.click()
    expect(builder.outcome).to_have_text(UNREACHABLE)
    visit.page.unroute(CONFIGURE)

    added = builder.add_to_cart()

    assert len(answers) == 4
    assert {added["result"]["configured_bundle_id"], *answers} == {answers[0]}
    assert visit.service.configured == before + 1


def test_another_selection_makes_another_bundle(visit: Visit, builder: Builder) -> None:
    """A different selection creates another bundle, even after a lost response."""
    before = visit.service.configured

    def configure_and_fail(route: Route) -> None:
        route.fetch()
        route.fulfill(**answer(500, "internal_error"))

    handle_first(visit.page, CONFIGURE, configure_and_fail)
    builder.buy.click()
    expect(builder.outcome).to_have_text(BROKEN)

    builder.choose("First Light")
    assert len(builder.add_to_cart()["selection"]["items"]) == 4
    assert visit.service.configured == before + 2


def test_retry_waits_as_long_as_a_busy_service_says(visit: Visit, builder: Builder) -> None:
    fulfill_first(visit.page, CONFIGURE, **answer(429, "rate_limited", **{"Retry-After": "1"}))
    times: list[float] = []
    visit.page.on("request", lambda request: times.append(visit.now()) if request.url.endswith("/product") else None)

    builder.buy.click()
    expect(builder.buy).to_have_text("Adding …")
    expect(builder.outcome).to_have_text("Added to your cart")

    first, second = times
    assert second - first >= 1.0


def test_long_rate_limit_is_reported(visit: Visit) -> None:
    """A long wait imposed by the rate limit is reported, here with a key limited to one request a minute."""
    key = visit.service.new_key(rate_limit=1)
    assert visit.service.server.get(f"{BASE}/settings", key).status == 200
    builder = visit.open(bundle_id=111, api_key=key)
    expect(builder.waiting).to_have_text(BUSY)
    expect(builder.root.get_by_role("button", name="Try again")).to_be_visible()
    assert builder.events("bundle:error")[0]["error"]["code"] == "rate_limited"


BUSY_FOR_20_SECONDS = answer(429, "rate_limited", **{"Retry-After": "20"})


@pytest.mark.parametrize("busy", [BUSY_FOR_20_SECONDS, answer(503, "overloaded", **{"Retry-After": "20"})])
def test_bundle_is_fetched_when_a_busy_service_said(visit: Visit, busy: dict[str, Any]) -> None:
    """When the service is busy, the bundle is fetched automatically at the time that the response specifies.

    Screen readers announce the wait politely, without interrupting."""
    visit.page.clock.install()
    fulfill_first(visit.page, READ, **busy)
    reads = visit.requests(READ)
    builder = visit.open(bundle_id=111)
    expect(builder.waiting).to_contain_text("This page will try again by itself.")

    visit.page.clock.run_for(19_000)
    expect(builder.spoken).to_contain_text("This page will try again by itself.")
    assert len(reads) == 1
    visit.page.clock.run_for(3_000)

    expect(builder.shown().name).to_have_text("Breakfast Express")
    assert len(reads) == 2


def test_busy_service_is_left_alone_after_three_tries(visit: Visit) -> None:
    visit.page.clock.install()
    visit.page.route(READ, lambda route: route.fulfill(**BUSY_FOR_20_SECONDS))
    builder = visit.open(bundle_id=111)
    for tries in (1, 2, 3):
        expect(builder.waiting).to_be_visible()
        builder.after("bundle:error", lambda: visit.page.clock.run_for(22_000))
        assert len(builder.events("bundle:error")) == 1 + tries

    expect(builder.notice).to_have_text(BUSY)
    visit.page.clock.run_for(200_000)
    assert len(builder.events("bundle:error")) == 4


def test_page_does_not_wait_for_minutes(visit: Visit) -> None:
    """When `Retry-After` asks for a wait of minutes, the page does not retry on its own: the message asks the shopper to wait,
    and a "Try again" button is shown."""
    visit.page.route(READ, lambda route: route.fulfill(**answer(429, "rate_limited", **{"Retry-After": "121"})))
    builder = visit.open(bundle_id=111)
    expect(builder.notice).to_have_text(BUSY)
    expect(builder.root.get_by_role("button", name="Try again")).to_be_visible()


def test_removed_element_does_not_try_again(visit: Visit) -> None:
    visit.page.clock.install()
    visit.page.route(READ, lambda route: route.fulfill(**BUSY_FOR_20_SECONDS))
    reads = visit.requests(READ)
    builder = visit.open(bundle_id=111)
    expect(builder.waiting).to_be_visible()

    builder.root.evaluate("(builder) => builder.remove()")
    visit.page.clock.run_for(60_000)

    assert len(reads) == 1


def test_failure_of_the_service_is_reported(visit: Visit, builder: Builder) -> None:
    fulfill_first(visit.page, CONFIGURE, **answer(500, "internal_error"))
    builder.buy.click()
    expect(builder.outcome).to_have_text(BROKEN)
    builder.add_to_cart()


def test_failure_of_the_first_request_is_reported(visit: Visit) -> None:
    fulfill_first(visit.page, READ, **answer(500, "internal_error"))
    builder = visit.open(bundle_id=111)
    expect(builder.notice).to_have_text(BROKEN)
    builder.root.get_by_role("button", name="Try again").click()
    builder.shown()


def test_outdated_bundle_is_fetched_again(visit: Visit, builder: Builder) -> None:
    fulfill_first(visit.page, CONFIGURE, **answer(404, "not_found"))
    builder.after("bundle:ready", builder.buy.click)
    expect(builder.news).to_have_text("This bundle has changed. Please check your selection.")
    expect(builder.amount("First Light")).to_have_text("3")


def shop_page(visit: Visit, template: str) -> str:
    html = visit.host_page(bundle_id=101, template=template)
    return visit.site.put(html.replace("</main>", "</main><footer>The end</footer>"))


def test_late_module_does_not_shift_the_page(visit: Visit) -> None:
    """A late module does not shift the page when the page reserves space for the element, as in the guide."""
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
def test_slow_network_does_not_shift_the_page(visit: Visit, page: str) -> None:
    """A slow network shifts neither the bundle nor its images nor the content below it."""
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
