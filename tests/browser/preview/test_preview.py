"""The page of `bundlesvc preview`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious_faults
from tests.browser.visit import Visit
from tests.preview.conftest import SHOP, SavedFile
from tests.process.previewing import PreviewProcess, previewing


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")


@pytest.fixture
def preview(saved: SavedFile) -> Iterator[PreviewProcess]:
    with previewing(saved.path) as preview:
        yield preview


def test_page_follows_the_file(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    page, builder = visit.page, visit.builder
    page.goto(preview.address)
    expect(builder.name).to_have_text("Breakfast")
    expect(page.get_by_role("complementary")).to_contain_text("€3.60")
    builder.card("Tea").get_by_role("button", name="Choose Tea").click()
    expect(page.locator("#prices")).to_contain_text("€4.00")
    assert serious_faults(page) == []

    saved.change("name: Breakfast", "name: Brunch")
    expect(builder.name).to_have_text("Brunch")
    expect(builder.amount("Tea")).to_have_text("1")  # what was chosen stays

    saved.change("type: percentage", "type: percantage")
    faults = page.get_by_role("region", name="The file has faults")
    expect(faults).to_contain_text("line 16")
    expect(faults).to_contain_text("'percantage' is not one of")
    expect(builder.name).to_have_text("Brunch")
    assert serious_faults(page) == []

    saved.change("name: Breakfast", "name: Breakfast at last")
    expect(faults).to_be_hidden()
    expect(builder.name).to_have_text("Breakfast at last")

    page.get_by_label("Language").select_option("de")
    expect(builder.name).to_have_text("Frühstück")
    page.get_by_role("link", name="Supper").click()
    expect(builder.name).to_have_text("Abendbrot")
    expect(page.get_by_role("complementary")).to_contain_text("line 25")

    saved.save("shop: {handle: corner, name: Corner Shop, currency: EUR}")
    expect(page.get_by_text("The file has no bundles.")).to_be_visible()


def test_missing_address_of_a_subscription_is_named(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    """The component finds it by itself, so there is no message of the service."""
    plan = "subscription: {mode: required, groups: [{id: 7, name: Monthly, options: [{frequency: 1, unit: month}]}]}"
    text = SHOP.replace("[translations]", "[translations, subscriptions]")
    saved.save(text.replace("    name: Breakfast\n", f"    name: Breakfast\n    {plan}\n"))
    visit.page.goto(preview.address)

    visit.builder.card("Tea").get_by_role("button", name="Choose Tea").click()

    expect(visit.page.locator("#missing li")).to_have_text(["subscription.email: invalid_email"])
