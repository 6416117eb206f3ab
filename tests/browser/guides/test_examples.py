"""The examples in `docs/examples`, built with the npm package as a developer would build them, and used by a shopper."""

import json
import mimetypes
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from tests.browser.axe import serious_faults
from tests.browser.baskets import BASKETS
from tests.browser.builder import Builder
from tests.browser.routes import fulfill_first
from tests.browser.service import Service
from tests.browser.site import Site, running_site
from tests.browser.states import refuse_once
from tests.browser.visit import Visit
from tests.packages.npm import require_packages
from tests.release.project import Project, new_project

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"
BUNDLE = 101
READ = "**/embed/api/v1/bundle?*"
COMPLETE = "**/bundle*/*/complete"
CONFIGURE = "**/embed/api/v1/bundle/*/product"
LINE = "gid://shopify/ProductVariant/10011"


@pytest.fixture(scope="module")
def vite_react(service: Service, site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the Vite app, and return its address."""
    project = new_project(tmp_path_factory.mktemp("vite"))
    shutil.copytree(EXAMPLES / "vite-react", project.folder, dirs_exist_ok=True)
    settings = {"URL": service.base_url, "KEY": service.key("demo")}
    lines = [*(f"VITE_BUNDLES_{name}={value}" for name, value in settings.items()), f"VITE_BUNDLE_ID={BUNDLE}"]
    project.write({".env": "\n".join(lines)})
    assert _run(project, "typescript/bin/tsc") == ""
    _run(project, "vite/bin/vite.js", "build", "--logLevel", "error")
    _publish(project.folder / "dist", site)
    return f"{site.origin}/index.html"


@dataclass(frozen=True)
class Built:
    """The pages of the Astro example, and the key that only their build uses."""

    folder: Path
    origin: str
    key: str


@pytest.fixture(scope="module")
def astro(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    packages = require_packages(ROOT / "tests" / "release" / "astro")
    project = new_project(tmp_path_factory.mktemp("astro"), packages)
    shutil.copytree(EXAMPLES / "astro", project.folder, dirs_exist_ok=True)
    with running_site() as site:
        key = service.new_key(scopes=("headless",))
        page_key = service.new_key(scopes=("embed",), origins=(site.origin,))
        settings = {"BUNDLES_KEY": key, "PUBLIC_BUNDLES_KEY": page_key, "PUBLIC_BUNDLES_URL": service.base_url}
        project.write({".env": "\n".join(f"{name}={value}" for name, value in settings.items())})
        _run(project, "astro/astro.js", "build", environment={"ASTRO_TELEMETRY_DISABLED": "1"})
        assert _run(project, "typescript/bin/tsc", "--noEmit", "-p", ".") == ""
        _publish(project.folder / "dist", site)
        yield Built(project.folder / "dist", site.origin, key)


def _run(project: Project, program: str, *arguments: str, environment: Mapping[str, str] = {}) -> str:
    done = project.run(project.module(program), *arguments, environment=environment)
    assert done.returncode == 0, done.stdout
    return done.stdout


def _publish(folder: Path, site: Site) -> None:
    """Publish every file in a folder on the site, and every index page at the address of its folder as well."""
    for path in folder.rglob("*.*"):
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        address = f"/{path.relative_to(folder)}"
        site.pages[address] = (path.read_text("utf-8"), {"Content-Type": kind})
        if path.name == "index.html":
            site.pages[address.removesuffix("index.html")] = site.pages[address]


def _buy_two_bundles(visit: Visit, builder: Builder) -> None:
    for times in (3, 4):
        builder.choose("First Light", times=times)
        builder.add_to_cart()

    cart = _cart_of(visit, 3, 4)
    (attribute,) = cart["attributes"]
    assert attribute["key"] == "_bundles"
    assert len(json.loads(attribute["value"])) == 2


def _cart_of(visit: Visit, *quantities: int) -> dict[str, Any]:
    """Wait until the cart shows the last of the expected `quantities`, check that its lines have exactly these quantities, in
    order, and return the cart."""
    shown = visit.page.get_by_label("Cart")
    expect(shown).to_contain_text(f'"quantity": {quantities[-1]}')
    cart: dict[str, Any] = json.loads(shown.inner_text())
    assert [(line["merchandiseId"], line["quantity"]) for line in cart["lines"]] == [
        (LINE, each) for each in quantities
    ]
    return cart


def test_react_app_with_the_component(visit: Visit, vite_react: str) -> None:
    visit.page.goto(vite_react)
    builder = visit.builder.shown()
    expect(visit.page).to_have_title("Breakfast Box")
    _buy_two_bundles(visit, builder)


def test_react_app_opens_the_selection_of_a_link(visit: Visit, vite_react: str) -> None:
    """The React app opens the selection from a link, even though the selection is set before the element is defined. The link
    contains three units of variant 10011 of product 1001 in section 1."""
    visit.page.goto(f"{vite_react}?selection=1~3.7q3.rt.1")
    expect(visit.builder.shown().amount("First Light")).to_have_text("3")


def test_react_app_with_hooks(visit: Visit, vite_react: str) -> None:
    """The React app with hooks: the network fails after the first click on "Add to cart", and the second click configures the
    bundle with the same idempotency key."""
    keys: list[str] = []

    def record(request: Request) -> None:
        if request.url.endswith("/product") and request.method == "POST":
            keys.append(request.headers["idempotency-key"])

    page, before = visit.page, visit.service.configured
    page.on("request", record)
    page.route("**/bundle/*/product", lambda route: route.abort())
    page.goto(f"{vite_react}?own")
    add = page.get_by_role("button", name="Add First Light, 250 g / Whole bean")
    missing, buy = (
        page.get_by_label("What is missing").get_by_role("listitem"),
        page.get_by_role("button", name="Add to cart"),
    )
    expect(missing).not_to_have_count(0)
    expect(buy).to_be_disabled()
    for _ in range(4):
        add.click()
    page.get_by_role("button", name="Remove First Light, 250 g / Whole bean").click()
    expect(missing).to_have_count(0)
    expect(page.get_by_text("Total: ")).to_have_text("Total: €28.21")

    buy.click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute("**/bundle/*/product")
    buy.click()
    _cart_of(visit, 3)
    assert visit.service.configured == before + 1
    assert len(keys) > 1
    assert len(set(keys)) == 1
    assert serious_faults(page) == []


def test_react_app_with_hooks_finishes_the_box_and_takes_it_back(visit: Visit, vite_react: str) -> None:
    page = visit.page
    page.goto(f"{vite_react}?own")
    missing = page.get_by_label("What is missing").get_by_role("listitem")
    buy, add = page.get_by_role("button", name="Add to cart"), "Add First Light, 250 g / Whole bean"
    finish, undo = page.get_by_role("button", name="Finish my box"), page.get_by_role("button", name="Undo")
    page.get_by_role("button", name=add).click()
    expect(missing).not_to_have_count(0)

    finish.click()
    expect(missing).to_have_count(0)
    expect(buy).to_be_enabled()
    undo.click()
    expect(missing).not_to_have_count(0)
    expect(
        page.get_by_role("listitem").filter(has_text="First Light, 250 g / Whole bean").locator("output")
    ).to_have_text("1")

    finish.click()
    expect(undo).to_be_visible()
    page.get_by_role("button", name=add).click()
    expect(undo).to_have_count(0)


def test_react_app_with_hooks_says_why_a_box_was_not_finished(visit: Visit, vite_react: str) -> None:
    """The React app with hooks says why a box was not completed.

    The reason can be that the network failed, that the shopper chose something else before the response arrived, or that there is
    no solution."""
    page = visit.page
    page.route(COMPLETE, lambda route: route.abort())
    page.goto(f"{vite_react}?own")
    finish = page.get_by_role("button", name="Finish my box")
    add = page.get_by_role("button", name="Add First Light, 250 g / Whole bean")
    finish.click()
    expect(page.get_by_role("alert")).to_be_visible()

    page.unroute(COMPLETE)
    held = visit.hold(COMPLETE)
    finish.click()
    add.click()
    with page.expect_response(COMPLETE):
        held.open()
    expect(finish).to_be_enabled()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)

    page.unroute(COMPLETE)
    reason = {"code": "sold_out", "message": "Nothing is left.", "rule": "stock"}
    nothing = {"solutions": [], "proven": True, "bound": None, "impossible": [reason]}
    page.route(COMPLETE, lambda route: route.fulfill(json=nothing, headers={"Access-Control-Allow-Origin": "*"}))
    finish.click()
    expect(page.get_by_text("Nothing is left.")).to_be_visible()


def test_react_cart_follows_the_country(visit: Visit, vite_react: str) -> None:
    """The React cart follows the country: the bundle is configured again for Switzerland, and the new bundle replaces the old
    one."""
    visit.page.goto(vite_react)
    BASKETS[101].fill(visit.builder.shown())
    visit.builder.add_to_cart()
    cart = visit.page.get_by_label("Cart")
    bundles = _bundles_in(cart)
    before = visit.service.configured
    visit.page.get_by_label("Country").select_option("CH")
    expect(cart).not_to_contain_text(bundles[0])
    assert visit.service.configured == before + 1
    assert len(_bundles_in(cart)) == len(bundles)


def _bundles_in(cart: Locator) -> list[str]:
    """Return the `_bundle_data` attribute of each line in the cart."""
    attributes = [each for line in json.loads(cart.inner_text())["lines"] for each in line["attributes"]]
    return [each["value"] for each in attributes if each["key"] == "_bundle_data"]


def _own_design(visit: Visit, address: str, times: int) -> Locator:
    """Open the page that is built with React hooks, add this number of units, and return the buy button."""
    visit.page.goto(f"{address}?own")
    for _ in range(times):
        visit.page.get_by_role("button", name="Add First Light, 250 g / Whole bean").click()
    return visit.page.get_by_role("button", name="Add to cart")


def test_react_app_with_hooks_asks_about_a_new_price(visit: Visit, vite_react: str) -> None:
    """The React app with hooks asks the shopper about a new price: the bundle is fetched again, bypassing all cached copies, and
    nothing is configured before the shopper answers."""
    page, before = visit.page, visit.service.configured
    reads = visit.requests(READ)
    buy = _own_design(visit, vite_react, 3)
    changed = {
        "path": "expectedPrice",
        "code": "different_price",
        "expected": "28.21",
        "actual": "29.95",
    }
    refuse_once(visit, "price_changed", changed)
    with page.expect_request(lambda request: "fresh=" in request.url), page.expect_request(CONFIGURE) as first:
        buy.click()
    assert (first.value.post_data_json or {})["expectedPrice"] == "28.21"

    expect(page.get_by_role("status").filter(has_text="The price changed")).to_contain_text("now €29.95, before €28.21")
    expect(buy).to_be_enabled()
    assert visit.service.configured == before
    assert ["fresh=" in read for read in reads] == [False, True]

    with page.expect_request(CONFIGURE) as second:
        page.get_by_role("button", name="Buy for €29.95").click()
    assert (second.value.post_data_json or {})["expectedPrice"] == "29.95"
    # The service still has the old price, so the shopper is asked again.
    page.get_by_role("button", name="Buy for €28.21").click()
    _cart_of(visit, 3)
    assert visit.service.configured == before + 1


def test_react_app_with_hooks_names_what_has_gone(visit: Visit, vite_react: str) -> None:
    """The React app with hooks names the products that are gone; all others stay chosen under the current rules."""
    page = visit.page
    buy = _own_design(visit, vite_react, 3)
    page.get_by_role("button", name="Add Harbour Blend").first.click()

    def change(route: Route) -> None:
        bundle = route.fetch().json()
        for section in bundle["sections"]:
            section["products"] = [one for one in section["products"] if one["platformProductId"] != "1002"]
        rule = {"type": "total-number-of-products", "operation": "eq", "value": "6", "sectionId": None}
        route.fulfill(json={**bundle, "limitRules": [rule]}, headers={"Access-Control-Allow-Origin": "*"})

    page.route(READ, change)
    refuse_once(visit, "rules_not_met")
    buy.click()

    expect(page.get_by_text("The rules changed while you were choosing.")).to_be_visible()
    expect(page.get_by_text("No longer available: Harbour Blend")).to_be_visible()
    expect(page.get_by_label("What is missing").get_by_role("listitem")).to_have_text(re.compile("exactly 6"))
    expect(buy).to_be_disabled()
    page.get_by_role("button", name="Add First Light, 250 g / Whole bean").click()
    expect(page.get_by_text("No longer available")).to_have_count(0)
    expect(page.get_by_label("What is missing")).to_contain_text("now there are 4")


def test_react_app_with_hooks_waits_for_a_busy_service(visit: Visit, vite_react: str) -> None:
    page = visit.page
    page.clock.install()
    exposed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After", "Retry-After": "20"}
    busy = {"error": "Too many.", "code": "rate_limited", "requestId": "test"}
    fulfill_first(page, READ, status=429, json=busy, headers=exposed)
    page.goto(f"{vite_react}?own")
    expect(page.get_by_role("alert")).to_contain_text("Too many.")

    page.clock.run_for(22_000)

    expect(page.get_by_role("heading", name="Breakfast Box")).to_be_visible()


def test_astro_site_has_the_names_in_its_html(astro: Built) -> None:
    """The HTML of the Astro site contains the names of the bundles, and no file contains the key used for the build."""
    assert "Breakfast Box" in (astro.folder / "index.html").read_text("utf-8")
    assert "<title>Breakfast Box</title>" in (astro.folder / "bundles" / "101" / "index.html").read_text("utf-8")
    files = [path.read_text("utf-8") for path in astro.folder.rglob("*.*")]
    assert [text for text in files if astro.key in text] == []


def test_astro_site_fills_its_cart(visit: Visit, astro: Built) -> None:
    """A shopper fills the cart of the Astro site, going from the list, which works without scripts, to a bundle's page, whose
    script defines the component."""
    page = visit.page
    page.goto(f"{astro.origin}/")
    assert serious_faults(page) == []
    page.get_by_role("link", name="Breakfast Box").click()
    builder = visit.builder.shown()
    _buy_two_bundles(visit, builder)
    assert serious_faults(page) == []


def test_plain_page_fills_the_ajax_cart(visit: Visit) -> None:
    sent: list[tuple[str, Any]] = []

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(visit.site.origin)
        sent.append((path, route.request.post_data_json if route.request.method == "POST" else None))
        cart = {"items": [], "attributes": {"note": "x"}}
        route.fulfill(json=cart) if len(sent) < 6 else route.fulfill(status=422, json={"description": "Sold out."})

    html = (EXAMPLES / "plain-html" / "index.html").read_text("utf-8")
    page = html.replace("https://bundles.example", visit.service.origin).replace(
        "bnd_live_your-key", visit.service.key("demo")
    )
    visit.page.route(re.compile(rf"^{re.escape(visit.site.origin)}/cart[./]"), answer)
    visit.page.goto(visit.site.put(page))
    builder, outcome = visit.builder.shown(), visit.page.locator("#outcome")
    for expected in ("Breakfast Box is in your cart.", "Sold out."):
        builder.choose("First Light", times=3)
        builder.add_to_cart()
        expect(outcome).to_have_text(expected)

    assert [path for path, _ in sent] == ["/cart.js", "/cart/update.js", "/cart/add.js"] * 2
    update, add = sent[1][1], sent[2][1]
    assert update["attributes"]["note"] == "x"
    assert len(json.loads(update["attributes"]["_bundles"])) == 1
    assert [(item["id"], item["quantity"]) for item in add["items"]] == [(10011, 3)]
