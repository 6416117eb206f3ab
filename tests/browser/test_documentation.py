"""The documentation as a storefront developer uses it: find an operation, try it, read a guide."""

import re

from playwright.sync_api import expect

from tests.browser.visit import Visit


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


def test_guides_are_read_from_the_reference(visit: Visit) -> None:
    page = visit.documentation()

    page.get_by_role("link", name="Discount string").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("The discount string")
    expect(page.get_by_role("link", name="Discount string")).to_have_attribute("aria-current", "page")
