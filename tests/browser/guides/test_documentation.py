"""The documentation as a storefront developer uses it: find an operation, try it, read a guide."""

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from bundlesvc.api.documentation.pages import GUIDES, GUIDES_PATH
from bundlesvc.api.documentation.search import SEARCH_PATH
from tests.browser.axe import serious_faults
from tests.browser.visit import TIMEOUT, Visit

DRAWING = 6 * TIMEOUT
"""Timeout in milliseconds for an operation with a long body, which takes the page several seconds to draw."""


def test_reference_finds_and_tries_an_operation(visit: Visit) -> None:
    page = visit.documentation()
    operations = page.locator(".opblock")
    expect(operations.first).to_be_visible()
    everything = operations.count()

    page.get_by_label("Search operations").fill("published bundles")
    expect(operations).to_have_count(1)
    assert everything > 10
    operations.get_by_role("button", name=re.compile("^GET")).click()
    operations.get_by_role("button", name="Execute").click()

    response = operations.locator(".live-responses-table")
    expect(response.locator(".response-col_status").last).to_contain_text("200")
    expect(response).to_contain_text("Breakfast Box")


def test_reference_of_the_management_api_shows_the_fields_of_items(visit: Visit) -> None:
    page = visit.documentation()
    page.get_by_role("link", name="Management API").click()
    put = page.locator("#operations-revisions-putBundle")

    put.locator(".opblock-summary-control").click(timeout=DRAWING)
    put.get_by_role("tab", name="Schema").first.click(timeout=DRAWING)

    body = put.locator(".opblock-section-request-body")
    expect(body).to_contain_text("BundleInput")
    expect(body).to_contain_text("limitRules")
    assert serious_faults(page) == []


def test_guides_are_read_from_the_reference(visit: Visit) -> None:
    page = visit.documentation()

    page.get_by_role("link", name="Discount string").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("The discount string")
    expect(page.get_by_role("link", name="Discount string")).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("dark", 390)])
def test_every_page_can_be_read(scheme: Literal["light", "dark"], width: int, visit: Visit) -> None:
    """Every page is readable: axe-core finds no violations, and only tables and code scroll sideways.

    Covers the guides, a decision, the search and the reference."""
    page = visit.documentation()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator(".opblock").first).to_be_visible()
    page.locator(".opblock-summary-control").first.click()
    expect(page.locator(".opblock-body").first).to_be_visible()
    faults = {"reference": serious_faults(page)}
    for name in [*GUIDES, "decisions/0021-the-edge.md"]:
        page.goto(f"{visit.service.origin}{GUIDES_PATH}/{name}")
        faults[name] = serious_faults(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults[name].append("The page scrolls sideways.")
    page.goto(f"{visit.service.origin}{SEARCH_PATH}?q=rate+limit")
    faults["search"] = serious_faults(page)
    assert {name: found for name, found in faults.items() if found} == {}
