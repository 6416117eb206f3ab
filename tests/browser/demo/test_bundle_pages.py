"""The demo's page for a single bundle is shown before any script runs, and adds purchases to the demo's cart."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MakeVisit
from tests.browser.demo.demo_page import Demo
from tests.browser.visit import Visit
from tests.html_engine import require_engine


@pytest.fixture(autouse=True)
def engine() -> None:
    require_engine()


def open_page(visit: Visit, query: str = "") -> Demo:
    visit.page.goto(f"{visit.service.origin}/demo/bundles/101{query}")
    return Demo(visit.page)


def test_bundle_is_bought_into_the_cart_of_the_demo(visit: Visit) -> None:
    demo = open_page(visit, "?lang=de&country=CH")
    expect(visit.builder.name).to_have_text("Frühstücksbox")
    visit.builder.choose("First Light", times=3)
    assert visit.jumps() == 0
    visit.builder.buy.click()
    visit.page.wait_for_url("**/demo?bundle=101&country=CH&lang=de&cart=open")
    expect(demo.entries).to_have_count(1)
    expect(demo.entries).to_contain_text("Frühstücksbox")


def test_page_does_not_jump_while_it_is_parsed(visit: Visit) -> None:
    """The page does not jump on a slow computer, which paints the page before parsing all of it."""
    visit.slow_down(10)
    open_page(visit)
    visit.builder.shown()
    visit.after_painting()
    assert visit.jumps() == 0


def test_page_needs_no_script(make_visit: MakeVisit) -> None:
    visit = make_visit(java_script_enabled=False)
    open_page(visit)
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Breakfast Box")
    expect(visit.builder.card("First Light")).to_contain_text("€9.90")
