"""The studio as opened by `bundlesvc preview`: it shows each change to the watched shop file."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import DESKTOP, MakeVisit
from tests.browser.visit import Visit
from tests.process.previewing import PreviewProcess, previewing
from tests.process.serving import TIMEOUT
from tests.studio.following.conftest import SHOP, SavedFile

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")


@pytest.fixture
def preview(saved: SavedFile) -> Iterator[PreviewProcess]:
    with previewing(saved.path) as preview:
        yield preview


@pytest.fixture
def visit(make_visit: MakeVisit) -> Visit:
    return make_visit(locale="en")


def open_bundle(visit: Visit, preview: PreviewProcess, name: str) -> Page:
    """Open a bundle from the list at the preview's address."""
    visit.page.goto(preview.address)
    visit.page.get_by_role("link", name=name).click()
    expect(visit.builder.name).to_have_text(name)
    return visit.page


def test_list_counts_what_is_found_in_each_bundle(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    page = visit.page
    page.goto(preview.address)
    cards = page.get_by_role("list", name="Bundles").get_by_role("listitem")
    expect(cards.nth(0)).to_contain_text("from €3.60")
    expect(cards.nth(0)).not_to_contain_text("warning")
    expect(cards.nth(1)).to_contain_text("1 warning")
    expect(page.locator("#file-state")).to_contain_text("shop.yaml as saved at")
    assert page.url == f"{preview.origin}/studio"  # the secret is no longer in the address
    assert serious_faults(page) == []

    saved.change("activeFeatures: [translations]", "activeFeatures: []")
    rest = page.get_by_role("region", name="In the rest of the file")
    expect(rest).to_contain_text("line 2 · shop.activeFeatures")
    assert serious_faults(page) == []

    saved.save("shop: {handle: corner, name: Corner Shop, currency: EUR}")
    expect(page.get_by_text("The file has no bundles.")).to_be_visible()
    expect(rest).to_have_count(0)


def test_editor_follows_the_file(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    page, builder = open_bundle(visit, preview, "Breakfast"), visit.builder
    selection = page.get_by_role("region", name="Selection", exact=True)
    expect(selection).to_contain_text("Full price")
    builder.card("Tea").get_by_role("button", name="Choose Tea").click()
    expect(selection).to_have_text("Price of the selection€3.60Full price€4.00")
    assert serious_faults(page) == []

    saved.change("name: Breakfast", "name: Brunch")
    expect(builder.name).to_have_text("Brunch")
    expect(builder.amount("Tea")).to_have_text("1")  # the selection is kept
    expect(page.locator("#title")).to_have_text("Brunch")

    saved.change("type: percentage", "type: percantage")
    faults = page.get_by_role("region", name="The file has faults")
    expect(faults).to_contain_text("line 16")
    expect(faults).to_contain_text("'percantage' is not one of")
    expect(page.locator("#file-state")).to_have_text("shop.yaml is not shown yet: 1 error")
    expect(builder.name).to_have_text("Brunch")
    assert serious_faults(page) == []

    saved.change("name: Breakfast", "name: Breakfast at last")
    expect(faults).to_have_count(0)
    expect(builder.name).to_have_text("Breakfast at last")

    page.locator("#preview-lang").select_option("de")
    expect(builder.name).to_have_text("Frühstück")
    saved.change("countryCode: US, currency: USD", "countryCode: CA, currency: CAD")
    expect(page.locator("#preview-country")).to_contain_text("Canada")
    expect(page.locator("#preview-country")).not_to_contain_text("United States")
    page.locator("#preview-country").select_option("CA")
    expect(selection).to_contain_text("CA$3.96")


def test_findings_stand_at_their_fields_with_their_lines(visit: Visit, preview: PreviewProcess) -> None:
    page = open_bundle(visit, preview, "Supper")
    finding = page.locator("#panel-rules .finding")
    expect(finding).to_contain_text("'total-number-of-products lt 1' never holds")
    expect(finding).to_contain_text("line 25: Change the value or drop the rule.")


def test_bundle_that_comes_back_is_shown_again(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    page = open_bundle(visit, preview, "Breakfast")
    saved.save("shop: {handle: corner, name: Corner Shop, currency: EUR}")
    expect(page.locator("#title")).to_have_text("This bundle is gone")
    saved.save(SHOP)
    expect(page.locator("#title")).to_have_text("Breakfast")
    expect(visit.builder.name).to_have_text("Breakfast")


def test_nothing_can_be_written(visit: Visit, preview: PreviewProcess) -> None:
    page = open_bundle(visit, preview, "Breakfast")
    page.eval_on_selector_all("details", "(all) => { for (const one of all) one.open = true; }")
    expect(page.locator(".form button:visible")).to_have_count(0)
    expect(page.locator(".form :is(input, select, textarea):enabled")).to_have_count(0)
    for name in ("Undo", "Share", "Log out", "Review and publish"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.get_by_role("link", name="History").click()
    expect(page.locator(".revision")).to_have_count(1)
    expect(page.get_by_role("button")).to_have_text(["Show changes"])


def test_missing_address_of_a_subscription_is_named(visit: Visit, preview: PreviewProcess, saved: SavedFile) -> None:
    """A missing e-mail address for a subscription is reported. The component itself finds this fault, so there is no message from
    the service."""
    plan = "subscription: {mode: required, groups: [{id: 7, name: Monthly, options: [{frequency: 1, unit: month}]}]}"
    text = SHOP.replace("[translations]", "[translations, subscriptions]")
    saved.save(text.replace("    name: Breakfast\n", f"    name: Breakfast\n    {plan}\n"))
    page = open_bundle(visit, preview, "Breakfast")

    visit.builder.card("Tea").get_by_role("button", name="Choose Tea").click()

    missing = page.get_by_role("list", name="What is missing")
    expect(missing.get_by_role("listitem")).to_have_text(["subscription.email: invalid_email"])


def test_click_is_not_lost_while_prices_arrive(visit: Visit, preview: PreviewProcess) -> None:
    """Prices that arrive between the press and the release of the mouse button do not replace the link."""
    offers = visit.hold("**/bundles?include=offer*")
    visit.page.goto(preview.address)
    visit.page.get_by_role("link", name="Breakfast").hover()
    visit.page.mouse.down()
    offers.open()
    expect(visit.page.get_by_text("from €3.60")).to_be_visible()
    visit.page.mouse.up()
    expect(visit.builder.name).to_have_text("Breakfast")


def test_page_says_when_the_preview_has_ended(visit: Visit, preview: PreviewProcess) -> None:
    page = open_bundle(visit, preview, "Breakfast")
    preview.process.send_signal(signal.SIGINT)
    assert preview.process.wait(TIMEOUT) == 0
    expect(page.get_by_role("alert")).to_have_text("The preview has ended. Start it again.")
    expect(page.locator("#file-state")).to_have_text("shop.yaml is not followed any more")
    expect(visit.builder.name).to_have_text("Breakfast")
    assert serious_faults(page) == []


def test_address_opens_one_browser(visit: Visit, preview: PreviewProcess, make_visit: MakeVisit) -> None:
    open_bundle(visit, preview, "Breakfast")
    visit.page.goto(preview.address)  # once more, now with a session
    expect(visit.page.locator("#title")).to_have_text("Bundles")

    other = make_visit(viewport=PHONE, color_scheme="dark", locale="de").page
    other.goto(preview.address)
    expect(other.get_by_role("heading")).to_have_text("Vorschau von shop.yaml")
    assert serious_faults(other) == []


def test_previews_are_open_side_by_side(visit: Visit, preview: PreviewProcess, tmp_path: Path) -> None:
    """Two previews can be open side by side. They run on two ports of one host, so the browser sends each preview the cookies of
    both."""
    (tmp_path / "other").mkdir()
    other = SavedFile(tmp_path / "other" / "other.yaml")
    page = open_bundle(visit, preview, "Breakfast")
    with previewing(other.path) as second:
        tab = visit.context.new_page()
        tab.goto(second.address)
        expect(tab.locator("#file-state")).to_contain_text("other.yaml")
        page.reload()
        expect(visit.builder.name).to_have_text("Breakfast")
        tab.close()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_views_fit(make_visit: MakeVisit, preview: PreviewProcess, saved: SavedFile, viewport: dict[str, int]) -> None:
    visit = make_visit(viewport=viewport, locale="en", color_scheme="dark")
    page = open_bundle(visit, preview, "Breakfast")
    saved.change("type: percentage", "type: percantage")
    expect(page.get_by_role("region", name="The file has faults")).to_be_visible()
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
