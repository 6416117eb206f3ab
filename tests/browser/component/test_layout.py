"""The layout: the bar at the lower edge of the window, the hint in the bar, option values, products without images."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.builder import Builder
from tests.browser.conftest import MakeVisit
from tests.browser.visit import Visit

PHONE = {"width": 390, "height": 844}
TEMPLATES = pytest.mark.parametrize("template", ["default", "compact"])

SEEN = """(root, text) => {
  const isSeen = (node) => node.checkVisibility() && node.getBoundingClientRect().height > 1;
  const leaves = [...root.shadowRoot.querySelectorAll("*")].filter((node) => !node.childElementCount && isSeen(node));
  return leaves.filter((node) => node.textContent.includes(text)).length;
}"""
"""Counts how many times a text is visible to shoppers. Texts that are only for screen readers are one pixel in size."""


@pytest.fixture
def phone(make_visit: MakeVisit) -> Visit:
    return make_visit(viewport=PHONE, is_mobile=True, has_touch=True)


def box(node: Locator) -> dict[str, float]:
    found = node.bounding_box()
    assert found
    bottom, right = found["y"] + found["height"], found["x"] + found["width"]
    return {"top": found["y"], "bottom": bottom, "left": found["x"], "right": right, "height": found["height"]}


def seen(builder: Builder, text: str) -> int:
    return int(builder.root.evaluate(SEEN, text))


@TEMPLATES
def test_bar_closes_the_lower_edge_of_the_window(phone: Visit, template: str) -> None:
    """The bar covers the lower edge of the window: no part of the bundle shows below it, and there is a gap between the bar's
    button and the edge."""
    builder = phone.show(101, template=template)
    bar, buy = box(builder.part("bar")), box(builder.buy)
    assert bar["bottom"] >= PHONE["height"]
    assert 8 <= PHONE["height"] - buy["bottom"] <= 16


@TEMPLATES
def test_bar_has_a_lower_edge_at_the_end_of_the_bundle(phone: Visit, template: str) -> None:
    builder = phone.show(101, template=template)
    builder.root.evaluate("(root) => root.insertAdjacentHTML('afterend', '<p style=\"height: 300px\">The end</p>')")
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bar = builder.part("bar")
    expect(bar).to_have_css("border-bottom-width", "1px")
    expect(bar).to_have_css("border-bottom-left-radius", "14px")
    assert box(bar)["bottom"] < PHONE["height"]
    assert box(bar)["bottom"] == pytest.approx(box(builder.root)["bottom"], abs=1)


@TEMPLATES
def test_each_reason_is_seen_once_on_a_phone(phone: Visit, template: str) -> None:
    """Each message about the selection (a rule that is not met, or the next tier) is shown once on a phone: the first in the bar,
    the others in the summary. Screen readers find all of them in the list."""
    builder = phone.show(101, template=template)
    assert seen(builder, "Nothing chosen yet") == 1
    builder.choose("First Light")
    expect(builder.reasons).to_have_text(["Choose at least 3 – 2 more"])
    assert seen(builder, "Choose at least 3") == 1
    assert seen(builder, "2 more for 5") == 1
    builder.choose("First Light", times=2)
    assert seen(builder, "2 more for 10") == 1

    builder.subscribe("Every month", "")
    expect(builder.reasons).to_have_text(["Please enter your e-mail address."])
    assert seen(builder, "Please enter your e-mail address.") == 1


def test_each_reason_is_seen_once_on_a_wide_page(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("First Light")
    assert seen(builder, "Choose at least 3") == 1
    assert seen(builder, "2 more for 5") == 1


def test_attempt_to_buy_on_a_phone_points_to_the_hint(phone: Visit) -> None:
    """On a phone, an attempt to buy moves the focus to the hint next to the button, so the page does not scroll."""
    builder = phone.show(111)
    builder.choose("First Light")
    before = phone.page.evaluate("scrollY")
    builder.buy.dispatch_event("click")
    hint = builder.part("hint")
    expect(hint).to_be_focused()
    expect(hint).to_have_css("color", "rgb(163, 40, 28)")
    assert phone.page.evaluate("scrollY") == before


def test_fixed_price_is_the_price_before_anything_is_chosen(visit: Visit) -> None:
    builder = visit.show(102)
    total = builder.part("total")
    expect(total).to_contain_text("Fixed price")
    expect(total).not_to_contain_text("Total")
    expect(builder.total).to_have_text("€27.00")
    builder.choose("First Light")
    expect(total).to_contain_text("Total")
    expect(builder.total).to_have_text("€9.90")
    builder.root.evaluate("(builder) => builder.reset()")
    expect(builder.total).to_have_text("€27.00")
    expect(builder.spoken).to_contain_text("Fixed price €27.00.")


def test_fixed_price_is_in_the_currency_of_the_shop(visit: Visit) -> None:
    expect(visit.show(102, country="US").total).to_have_text("€27.00")


@TEMPLATES
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_product_without_a_picture_has_no_empty_box(make_visit: MakeVisit, template: str, width: int) -> None:
    visit = make_visit(viewport={"width": width, "height": 900})
    builder = visit.show(1, shop="corner", template=template)
    with_picture, without = builder.card("Green Tea"), builder.card("Black Tea")
    expect(with_picture.locator("[part~=picture]")).to_have_count(1)
    expect(without.locator("[part~=picture]")).to_have_count(0)
    assert box(without)["height"] <= 140
    assert box(without)["height"] <= box(with_picture)["height"]
    title, card = box(without.get_by_role("heading")), box(without)
    assert title["left"] - card["left"] < 20
    assert title["top"] - card["top"] < 20


def test_free_product_without_a_picture_shows_that_above_its_title(visit: Visit) -> None:
    """The badge of a free product is above the title when there is no image, and otherwise on the image."""
    builder = visit.show(1, shop="corner")
    card = builder.card("Strainer")
    badge = card.locator("[part~=badge]")
    badge.evaluate("(badge) => badge.hidden = false")
    assert box(badge)["bottom"] <= box(card.get_by_role("heading"))["top"]


def test_values_of_an_option_fill_their_lines(visit: Visit) -> None:
    """The values of an option fill the width of their lines: two short values share a line, and a value alone on a line takes up
    all of it."""
    builder = visit.show(101)
    bean, filtered = (box(builder.value("First Light", value).locator("..")) for value in ("Whole bean", "Filter"))
    assert bean["top"] == filtered["top"]
    assert box(builder.card("First Light"))["right"] - filtered["right"] == pytest.approx(13, abs=2)
