"""The HTML that a server renders: it equals what the component renders, does not change when the component takes over, and is
safe."""

import re
from base64 import b64decode, b64encode

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import MakeVisit
from tests.browser.first_paint import COMPONENT, LOADER, first_painted, shape
from tests.browser.visit import Visit
from tests.html_engine import require_engine

READ = "**/embed/api/v1/bundle?*"
DEMO_BUNDLES = range(101, 112)
PHONE = {"width": 390, "height": 844}
STEPS, SOLD_OUT = 101, 102
"""Demo bundles: one with two consecutive sections, and one with a product that is sold out."""

ROUNDING = 1
"""The maximum difference between the colour values of a rounded edge in two renderings."""

DEFINED, SHOWN = "Boolean(customElements.get('bundle-builder'))", "document.querySelector('bundle-builder').bundle"
DIFFERENCE = """async (pictures) => {
  const pixels = async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  };
  const [one, other] = await Promise.all(pictures.map(pixels));
  if (one.width !== other.width || one.height !== other.height) return 255;
  return one.data.reduce((most, value, place) => Math.max(most, Math.abs(value - other.data[place])), 0);
}"""


@pytest.fixture(autouse=True)
def engine() -> None:
    require_engine()


@pytest.mark.parametrize(("lang", "country"), [("en", None), ("de", "CH")])
@pytest.mark.parametrize("bundle", DEMO_BUNDLES)
def test_html_is_what_the_component_draws(visit: Visit, bundle: int, lang: str, country: str | None) -> None:
    """The HTML of the first paint equals what the component renders later, in every element, attribute, text and price."""
    drawn = shape(first_painted(visit, bundle, lang=lang, country=country))

    builder = visit.open(bundle_id=bundle, lang=lang, country=country).shown()
    expect(builder.finish).to_be_attached()

    assert len(str(drawn)) > 5000
    assert drawn == shape(builder.root)


def test_html_needs_no_script(make_visit: MakeVisit) -> None:
    visit = make_visit(java_script_enabled=False)
    first_painted(visit, STEPS)
    expect(visit.builder.name).to_have_text("Breakfast Box")
    expect(visit.builder.card("First Light")).to_contain_text("€9.90")
    expect(visit.builder.card("First Light").locator("img")).to_have_js_property("complete", True)


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 900}], ids=["phone", "desktop"])
def test_component_takes_over_without_a_flash(make_visit: MakeVisit, viewport: dict[str, int]) -> None:
    """The component takes over without a flash: all frames that the browser paints in the meantime are identical."""
    visit = make_visit(viewport=viewport)
    bundle = visit.hold(READ)
    first_painted(visit, STEPS, module=COMPONENT)
    visit.page.wait_for_function(DEFINED)
    visit.page.wait_for_load_state("load")
    visit.after_painting()
    before = visit.page.screenshot()
    frames = frames_of(visit)

    bundle.open()
    visit.page.wait_for_function(SHOWN)
    visit.after_painting()

    assert frames
    for drawn in (visit.page.screenshot(), *map(b64decode, frames)):
        assert difference(visit, before, drawn) <= ROUNDING
    assert visit.jumps() == 0
    assert visit.page.evaluate("document.querySelector('bundle-builder').shadowRoot.querySelector('style')") is None


def difference(visit: Visit, one: bytes, other: bytes) -> int:
    """The greatest difference between the colour values of two pictures of the same size, from 0 to 255."""
    page = visit.context.new_page()
    try:
        return int(page.evaluate(DIFFERENCE, [b64encode(each).decode() for each in (one, other)]))
    finally:
        page.close()


def frames_of(visit: Visit) -> list[str]:
    """A list that collects the frames that the browser paints from now on."""
    frames: list[str] = []
    session = visit.context.new_cdp_session(visit.page)

    def note(frame: dict[str, object]) -> None:
        frames.append(str(frame["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", note)
    session.send("Page.startScreencast", {"format": "png"})
    return frames


def test_what_a_shopper_does_before_is_kept(visit: Visit) -> None:
    """The component preserves what a shopper has done before it takes over: clicks, opened details and typed text."""
    module, bundle = visit.hold("**/storefront/*/bundle-builder.js"), visit.hold(READ)
    first_painted(visit, SOLD_OUT, module=LOADER)
    builder = visit.builder
    more = builder.root.locator("[part~=more]:visible").first
    title = str(more.get_attribute("aria-label")).removeprefix("Choose ")
    more.click()
    more.click()
    builder.root.locator("summary").first.click()
    builder.root.get_by_label("Your e-mail address").first.fill("mira@mail.example")

    module.open()
    visit.page.wait_for_function(DEFINED)
    more.click()
    bundle.open()

    expect(builder.amount(title)).to_have_text("3")
    expect(builder.root.locator("details[open]")).to_have_count(1)
    expect(builder.root.get_by_label("Your e-mail address").first).to_have_value("mira@mail.example")
    more.click()
    expect(builder.amount(title)).to_have_text("4")


def test_focus_stays(visit: Visit) -> None:
    bundle = visit.hold(READ)
    first_painted(visit, STEPS, module=COMPONENT)
    visit.page.wait_for_function(DEFINED)
    button = visit.builder.card("Harbour Blend").locator("[part~=more]")
    button.focus()

    bundle.open()
    visit.page.wait_for_function(SHOWN)

    expect(button).to_be_focused()


def test_no_script_but_the_loader_runs_before_a_shopper_touches_the_bundle(visit: Visit) -> None:
    requests = visit.requests(f"{visit.service.origin}/*")
    first_painted(visit, STEPS, module=LOADER)
    visit.page.wait_for_load_state("networkidle")
    scripts = [url for url in requests if url.endswith(".js")]
    assert [re.sub("[0-9a-f]{16}", "DIGEST", url.rpartition("/storefront/")[2]) for url in scripts] == [
        "loader.js",
        "DIGEST/loader.js",
    ]
    assert not [url for url in requests if "/embed/" in url]

    visit.builder.card("First Light").locator("[part~=more]").click()

    expect(visit.builder.amount("First Light")).to_have_text("1")


def test_loader_loads_the_component_at_once_without_html(visit: Visit) -> None:
    page = visit.host_page(bundle_id=STEPS).replace("/storefront/bundle-builder.js", "/storefront/loader.js")
    visit.page.goto(visit.site.put(page))
    visit.builder.shown()


def test_bundle_that_has_changed_meanwhile_is_shown_as_it_is(visit: Visit) -> None:
    bundle = visit.hold(READ)
    first_painted(visit, STEPS, module=COMPONENT)
    visit.builder.root.evaluate("(builder) => builder.shadowRoot.querySelector('.name').replaceWith('An old name')")

    bundle.open()

    expect(visit.builder.name).to_have_text("Breakfast Box")


def test_failure_replaces_the_html(visit: Visit) -> None:
    visit.page.route(READ, lambda route: route.fulfill(status=404, json={"error": "No.", "code": "not_found"}))
    first_painted(visit, STEPS, module=COMPONENT)
    expect(visit.builder.notice).to_have_text("This bundle is not available.")
    expect(visit.builder.card("First Light")).to_have_count(0)


@pytest.mark.parametrize("module", ["", COMPONENT])
def test_header_of_the_page_replaces_that_of_the_bundle(visit: Visit, module: str) -> None:
    first_painted(visit, STEPS, module=module, children="<header slot=header><h2>My box</h2></header>", header=1)
    if module:
        visit.page.wait_for_function(SHOWN)
    expect(visit.page.get_by_role("heading", name="My box")).to_be_visible()
    expect(visit.builder.part("head")).to_be_hidden()


def test_hostile_texts_in_html_do_nothing(visit: Visit) -> None:
    """Hostile text in the HTML runs no script, sends no request and causes no navigation, even on a page without a content
    security policy."""
    calls = visit.requests("*evil.example*")
    visit.context.route(re.compile("evil.example"), lambda route: route.abort())
    builder = first_painted(visit, 1, shop="hostile")
    expect(builder.locator("[part~=name]")).to_have_text("<script>window.robbed=41</script>Trap")
    for summary in builder.locator("summary").all():
        summary.click()
    for link in builder.get_by_role("link").all():
        link.click(no_wait_after=True)
    builder.get_by_text("A kind word").hover()
    visit.page.wait_for_load_state("networkidle")

    assert visit.page.evaluate("window.robbed") is None
    assert calls == []
    assert visit.page.url.startswith(visit.site.origin)
    html = visit.builder.part("description").first.inner_html()
    assert "A kind word" in html
    assert not re.search(r"<(?!/|a>|p>|br>)|javascript:|evil.example", html)


def test_hostile_html_is_taken_over(visit: Visit) -> None:
    first_painted(visit, 1, shop="hostile", module=COMPONENT)
    visit.page.wait_for_function(SHOWN)
    assert visit.page.evaluate("window.robbed") is None


def fallback(visit: Visit) -> Locator:
    page = visit.host_page(bundle_id=STEPS).replace(
        "></bundle-builder>", "><a href='/box'>Six coffees from €42.75</a></bundle-builder>"
    )
    visit.page.goto(visit.site.put(page), wait_until="commit")
    return visit.page.get_by_role("link", name="Six coffees")


def test_fallback_is_visible_until_the_bundle_is(visit: Visit) -> None:
    """The fallback stays visible, usable and styled by the page until the bundle is shown."""
    module, bundle = visit.hold("**/storefront/bundle-builder.js"), visit.hold(READ)
    link = fallback(visit)
    expect(link).to_be_visible()
    box = link.bounding_box()

    module.open()
    visit.page.wait_for_function(DEFINED)
    visit.after_painting()
    assert link.bounding_box() == box
    link.click(trial=True)
    expect(visit.builder.root.get_by_text("Loading …")).to_have_count(0)

    bundle.open()
    visit.builder.shown()
    expect(link).to_be_hidden()


def test_fallback_stays_when_the_bundle_cannot_be_fetched(visit: Visit) -> None:
    visit.page.route(READ, lambda route: route.fulfill(status=404, json={"error": "No.", "code": "not_found"}))
    link = fallback(visit)
    expect(visit.builder.notice).to_have_text("This bundle is not available.")
    expect(link).to_be_visible()
