"""The component on a page from another origin: four lines of HTML, a strict Content Security Policy, and changing attributes."""

import re
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.visit import Visit

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
GUIDE = Path(__file__).parents[3] / "docs" / "web-component.md"


def strict_policy(service: str) -> dict[str, str]:
    """A content security policy that allows scripts, requests and images only from the service, forbids styles, and enforces
    trusted types."""
    return {
        "Content-Security-Policy": f"default-src 'none'; script-src {service}; connect-src {service}; img-src {service}; "
        "style-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    }


def in_guide(pattern: str) -> str:
    """The text that the pattern's group captures at the first match in the component's guide."""
    found = re.search(pattern, GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def test_page_of_the_guide_works(visit: Visit) -> None:
    """The example page in the guide works under the guide's content security policy. Only the address and the key are replaced in
    the copy."""
    origin = visit.service.origin
    html = in_guide(r"^```html\n(.*?)^```$").replace("https://bundles.example", origin)
    policy = in_guide(r"^(default-src [^\n]*)$").replace("https://bundles.example", origin)
    key = visit.service.new_key(scopes=("embed",), origins=(visit.site.origin,))
    page = html.replace("bnd_live_your-key", key)
    assert len(page.splitlines()) == 4

    visit.page.goto(visit.site.put(page, {"Content-Security-Policy": policy}))

    builder = visit.builder.shown()
    builder.choose("First Light", times=3)
    assert builder.add_to_cart()["result"]["configured_bundle_id"]


def test_four_lines_work_under_a_strict_policy(visit: Visit) -> None:
    """The four lines of HTML that embed the component work under a strict content security policy: a shopper on another origin
    configures a bundle without any violation."""
    builder = visit.open(bundle_id=101, headers=strict_policy(visit.service.origin)).shown()
    builder.choose("First Light", times=2)
    builder.choose("Oat Shortbread")
    builder.subscribe("Every month", "mira@mail.example")

    assert builder.add_to_cart()["result"]["configured_bundle_id"]
    expect(builder.buy).to_have_css("background-color", "rgb(245, 242, 237)")  # the component is styled


def test_policy_is_enforced(visit: Visit) -> None:
    """The strict content security policy takes effect: an inline script and an inline style on the page are blocked."""
    page = visit.host_page(bundle_id=111).replace(
        "<h1>", "<script>window.inline = true</script><h1 style='color: red'>"
    )
    visit.page.goto(visit.site.put(page, strict_policy(visit.service.origin)))
    visit.builder.shown()
    assert visit.page.evaluate("window.inline") is None
    assert visit.take_breaches() == ["script-src-elem inline", "style-src-attr inline"]


def test_component_consists_of_four_files(visit: Visit) -> None:
    """The component consists of four files: the short-lived entry module; two files of one version, which it imports; and a file
    that is fetched along with the bundle."""
    files: list[str] = []
    visit.page.on("request", lambda request: files.append(request.url) if request.url.endswith(".js") else None)
    visit.show(111)
    entry, client, component, completing = (file.removeprefix(f"{visit.service.origin}/storefront/") for file in files)
    assert entry == "bundle-builder.js"
    version = client.removesuffix("/client/client.js")
    assert component == f"{version}/bundle-builder.js"
    assert completing == f"{version}/component/completing.js"


def test_page_with_a_stored_module_of_another_version_shows_the_component(visit: Visit) -> None:
    """The component works when the browser has cached only the short-lived module, from an old version, as can happen after an
    upgrade."""

    def stored(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=re.sub("[0-9a-f]{16}", "0" * 16, response.text()))

    visit.page.route("**/storefront/bundle-builder.js", stored)
    visit.show(111)


def test_relative_images_come_from_the_service(visit: Visit) -> None:
    """Relative images come from the service: an address that starts with / is resolved against the origin of `base-url`."""
    builder = visit.show(101)
    image = builder.card("First Light").locator("img")
    expect(image).to_have_attribute("src", f"{visit.service.origin}/storefront/demo/images/first-light.svg")
    visit.page.wait_for_function("(image) => image.naturalWidth > 0", arg=image.element_handle())


def test_variant_image_is_preferred(visit: Visit) -> None:
    builder = visit.show(103)
    image = builder.card("Porcelain Dripper").locator("img")
    expect(image).to_have_attribute("src", re.compile("/dripper-chalk.svg$"))
    builder.pick("Porcelain Dripper", "Charcoal")
    expect(image).to_have_attribute("src", re.compile("/dripper-charcoal.svg$"))


def test_image_is_fetched_in_the_width_that_it_takes(visit: Visit) -> None:
    """An image is fetched at its displayed width where the platform can resize it."""

    def resized(route: Route) -> None:
        body = route.fetch().json()
        body["settings"]["imageWidths"] = {"origin": "https://images.example", "parameter": "width"}
        for product in body["products"]:
            product["imageUrl"] = "https://images.example/tea.svg?v=1"
        route.fulfill(json=body)

    visit.page.route("**/embed/api/v1/bundle?*", resized)
    visit.page.route(
        "https://images.example/*", lambda route: route.fulfill(body=PICTURE, content_type="image/svg+xml")
    )
    image = visit.show(101).card("First Light").locator("img")
    visit.page.wait_for_function("(image) => image.naturalWidth > 0", arg=image.element_handle())
    assert image.evaluate("(image) => image.currentSrc") == "https://images.example/tea.svg?v=1&width=320"
    assert image.evaluate("(image) => image.clientWidth") in range(161, 321)


def test_bundle_by_product_handle(visit: Visit) -> None:
    expect(visit.open(product_handle="drip-mixer").name).to_have_text("Drip Mixer")


def test_attributes_that_change_together_cause_one_request(visit: Visit) -> None:
    builder = visit.show(101)
    requests: list[str] = []
    visit.page.on("request", lambda request: requests.append(request.url) if "/bundle?" in request.url else None)

    change = """(builder) => {
      const attributes = { "bundle-id": 102, country: "US", template: "default" };
      for (const [name, value] of Object.entries(attributes)) builder.setAttribute(name, value);
    }"""
    builder.after("bundle:ready", lambda: builder.root.evaluate(change))

    expect(builder.name).to_have_text("Tasting Flight")
    (url,) = requests
    assert set(url.partition("?")[2].split("&")) == {"id=102", "lang=en", "countryCode=US", "forceTemplate=default"}


def test_template_attribute_changes_the_template(visit: Visit) -> None:
    builder = visit.show(101)
    wide = builder.card("First Light").bounding_box()
    flat = visit.show(101, template="compact").card("First Light").bounding_box()
    assert wide
    assert flat
    assert flat["height"] < wide["height"] / 2


def test_component_that_is_moved_in_the_page_keeps_its_selection(visit: Visit) -> None:
    """The component keeps its selection when a script on the page moves it."""
    builder = visit.show(111)
    builder.choose("First Light", times=2)
    builder.after("bundle:ready", lambda: builder.root.evaluate("(builder) => document.body.append(builder)"))
    expect(builder.amount("First Light")).to_have_text("2")


def test_two_components_on_one_page_are_independent(visit: Visit) -> None:
    page = visit.host_page(bundle_id=111)
    other = '<bundle-builder bundle-id="105"'
    both = page.replace("</main>", f"{page[page.index('<bundle-builder') :].replace('<bundle-builder', other, 1)}")
    visit.page.goto(visit.site.put(both))
    names = visit.page.get_by_role("heading", level=2)
    expect(names).to_have_text(["Breakfast Express", "Drip Mixer"])
    visit.page.get_by_role("button", name="Choose Drip Bag").click()
    totals = visit.page.locator("bundle-builder [part~=sum] [part~=now]")
    expect(totals).to_have_text(["€0.00", "€1.60"])


def test_page_can_set_colours(visit: Visit) -> None:
    """A page can set colours with custom properties and parts."""
    style = "bundle-builder { --bundle-accent: rgb(0, 0, 255) } bundle-builder::part(name) { color: rgb(0, 128, 0) }"
    page = visit.host_page(bundle_id=111).replace("<main>", f"<style>{style}</style><main>")
    visit.page.goto(visit.site.put(page))
    visit.builder.shown().choose("First Light", times=3)
    expect(visit.builder.name).to_have_css("color", "rgb(0, 128, 0)")
    expect(visit.builder.buy).to_have_css("background-color", "rgb(0, 0, 255)")


def test_unpublished_bundle_is_shown_with_a_test_key(visit: Visit) -> None:
    """An unpublished bundle is shown with a test key, but cannot be bought."""
    builder = visit.show(112, api_key=visit.service.new_key(test=True))
    builder.choose("Ethiopia Yirgacheffe")
    builder.try_to_buy()
    expect(builder.reasons).to_have_text(["This bundle cannot be bought yet."])
