"""The component offers its tools for assistants to the browser (WebMCP), tested with a stand-in and with Chromium's own
implementation."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import ARGUMENTS, require_chromium
from tests.browser.service import Service
from tests.browser.site import Site
from tests.browser.visit import Visit
from tests.missing import missing

BOX = 111
NAMES = [
    "check_selection",
    "complete_selection",
    "configure",
    "explain_refusal",
    "get_bundle",
    "list_bundles",
    "price_selection",
]
STANDIN = """
  const tools = new Map();
  const registerTool = async (tool, { signal }) => {
    if (tools.has(tool.name)) throw new DOMException("There is such a tool.", "InvalidStateError");
    tools.set(tool.name, tool);
    signal.addEventListener("abort", () => tools.delete(tool.name));
  };
  window.tools = tools;
  Object.defineProperty(PLACE, "modelContext", { value: { registerTool }, configurable: true });
"""
CALL = "([name, given]) => tools.get(name).execute(given)"
OFFERED = f"window.tools.size === {len(NAMES)}"


def with_standin(visit: Visit, place: str = "document") -> Visit:
    visit.context.add_init_script(STANDIN.replace("PLACE", place))
    return visit


def call(visit: Visit, name: str, **given: object) -> Any:
    visit.page.wait_for_function(OFFERED)
    return visit.page.evaluate(CALL, [name, given])["structuredContent"]


@pytest.mark.parametrize("place", ["document", "navigator"])
def test_component_offers_the_tools_of_the_service(visit: Visit, place: str) -> None:
    with_standin(visit, place).show(BOX)
    visit.page.wait_for_function(OFFERED)
    tools = visit.page.evaluate(
        "[...tools.values()].map(({ name, annotations }) => [name, annotations.readOnlyHint === true])"
    )
    assert sorted(tools) == [[name, name != "configure"] for name in NAMES]
    assert call(visit, "get_bundle", bundleId=BOX)["name"]


def test_assistant_fills_and_buys_the_bundle_of_the_page(visit: Visit) -> None:
    """An assistant fills and buys the page's bundle, and the cart gets exactly what was configured, once."""
    builder = with_standin(visit).show(BOX)
    found = call(visit, "complete_selection", bundleId=BOX, products=[])["solutions"][0]
    purchase = {"bundleId": BOX, "products": found["products"], "idempotencyKey": "a-purchase-of-the-page"}
    configured = builder.after("bundle:addtocart", lambda: call(visit, "configure", **purchase))

    result = configured["result"]
    assert result["pricing"]["discountedPrice"] == found["pricing"]["discountedPrice"]
    assert result["configured_bundle_id"]
    assert not {"replayed", "handOverUrl"} & result.keys()
    assert len(configured["selection"]["items"]) == sum(each.get("quantity", 1) for each in found["products"])

    call(visit, "configure", **purchase)
    assert len(builder.events("bundle:addtocart")) == 1


def test_refusal_is_for_the_assistant_only(visit: Visit) -> None:
    builder = with_standin(visit).show(BOX)
    visit.page.wait_for_function(OFFERED)
    given = {"bundleId": BOX, "products": [], "idempotencyKey": "another-purchase"}
    assert visit.page.evaluate(CALL, ["configure", given])["isError"] is True
    assert builder.events("bundle:addtocart") == []
    assert builder.events("bundle:error") == []


def test_tools_end_with_the_element(visit: Visit) -> None:
    with_standin(visit).show(BOX)
    visit.page.wait_for_function(OFFERED)
    visit.builder.root.evaluate("(builder) => builder.reload()")
    visit.page.wait_for_function(OFFERED)
    visit.builder.root.evaluate("(builder) => builder.remove()")
    visit.page.wait_for_function("window.tools.size === 0")


def test_page_may_offer_no_tools(visit: Visit) -> None:
    requests = visit.requests("*/mcp")
    with_standin(visit).show(BOX, tools="off")
    visit.page.wait_for_load_state("networkidle")
    assert visit.page.evaluate("window.tools.size") == 0
    assert requests == []


def test_browser_without_an_assistant_loads_nothing_for_it(visit: Visit) -> None:
    requests = visit.requests("*page-tools.js")
    visit.context.add_init_script("delete Document.prototype.modelContext; delete Navigator.prototype.modelContext")
    visit.show(BOX)
    visit.page.wait_for_load_state("networkidle")
    assert requests == []


def test_service_without_tools_leaves_the_component_as_it_is(visit: Visit) -> None:
    visit.page.route("**/mcp", lambda route: route.fulfill(status=404, json={"error": "No.", "code": "not_found"}))
    builder = with_standin(visit).show(BOX)
    builder.choose("First Light")
    expect(builder.amount("First Light")).to_have_text("1")
    assert builder.events("bundle:error") == []


@pytest.fixture
def own_visit(browser: Browser, service: Service, site: Site) -> Iterator[Visit]:
    """A visit in Chromium with experimental WebMCP, which offers a page's tools to the browser's assistant."""
    arguments = [*ARGUMENTS, "--enable-blink-features=WebMCP"]
    with browser.browser_type.launch(executable_path=require_chromium(), args=arguments) as other:
        yield Visit(other.new_context(), service, site)


NAMES_OF_TOOLS = """async (count) => {
    const end = performance.now() + 30_000;
    let tools;
    do {
        await new Promise(requestAnimationFrame);
        tools = await document.modelContext.getTools();
    } while (tools.length < count && performance.now() < end);
    return tools.map(({ name }) => name);
}"""
"""Waits until the page, which registers its tools one by one, has registered `count` tools, and returns their names.
`wait_for_function` cannot be used, because it does not await promises."""


def test_chromium_takes_the_tools(own_visit: Visit) -> None:
    own_visit.show(BOX)
    if not own_visit.page.evaluate("Boolean(document.modelContext?.getTools)"):
        missing("this Chromium has no WebMCP")
    assert sorted(own_visit.page.evaluate(NAMES_OF_TOOLS, len(NAMES))) == NAMES
