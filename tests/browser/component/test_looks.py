"""What shoppers see first, including on phones and in German, and how a page's styles affect the component's appearance."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import MakeVisit
from tests.browser.visit import Visit

PHONE = {"width": 390, "height": 844}
SMALLEST = {"width": 320, "height": 700}
LANGUAGE, COUNTRY = "Language", "Country"

HOW_A_PAGE_SETS_ITS_TEXT = {
    "text-align": "center",
    "text-align-last": "right",
    "text-indent": "3em",
    "text-transform": "uppercase",
    "text-shadow": "1px 1px red",
    "font-style": "italic",
    "font-variant-caps": "small-caps",
    "font-weight": "800",
    "letter-spacing": "5px",
    "word-spacing": "2em",
    "white-space": "pre",
    "word-break": "break-all",
    "hyphens": "auto",
    "line-height": "3",
    "cursor": "wait",
}
"""Inherited properties, with values that no component should take over."""

STYLES_INSIDE = """(builder, names) => [...builder.shadowRoot.querySelectorAll(".root, .root *")].map((node) => {
  const style = getComputedStyle(node);
  return `${node.className || node.localName}: ${names.map((name) => style.getPropertyValue(name)).join("; ")}`;
})"""

BROKEN_WORDS = """(bar) => {
  const walker = document.createTreeWalker(bar, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest(".vh")) continue;
    const isPrice = node.parentElement.matches(".now, .was, .was *");
    for (const { 0: word, index } of node.data.matchAll(isPrice ? /.+/g : /\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
}"""
"""Finds words and prices that are split over several lines."""


def edges(node: Locator) -> tuple[float, float]:
    """The upper and lower edges of an element in the window."""
    box = node.bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_prices_of_cards_are_in_one_line(make_visit: MakeVisit, visit: Visit, lang: str) -> None:
    """Prices on cards are aligned: with the card's link on a phone, and with each other within a row on a wide page."""
    phone = make_visit(viewport=PHONE, is_mobile=True, has_touch=True)
    for card in cards_with_a_price(phone, lang):
        assert edges(card.locator(".from-price"))[1] == edges(card.locator(".card-open"))[1]
    rows: dict[float, set[float]] = {}
    for card in cards_with_a_price(visit, lang):
        rows.setdefault(edges(card)[0], set()).add(edges(card.locator(".from-price"))[0])
    assert len(rows) == 3
    assert all(len(tops) == 1 for tops in rows.values())


def cards_with_a_price(visit: Visit, lang: str) -> list[Locator]:
    cards = visit.demo(lang=lang).page.get_by_test_id("bundle-card")
    expect(cards).to_have_count(11)
    return cards.filter(has=visit.page.locator(".from-price")).all()


def test_bundle_page_is_in_german(visit: Visit) -> None:
    page = visit.demo(lang="de", bundle=101).page
    expect(page.get_by_text("Dieses Paket auf deiner eigenen Seite")).to_be_visible()
    expect(page.get_by_text("Put this bundle on your own page")).to_have_count(0)


@pytest.mark.parametrize("bundle", [101, 102])
def test_first_choice_is_visible_on_a_phone(make_visit: MakeVisit, bundle: int) -> None:
    """The first choice is visible on a phone without scrolling, above the bar, in both templates."""
    visit = make_visit(viewport=PHONE, is_mobile=True, has_touch=True)
    builder = visit.demo(bundle=bundle).builder.shown()
    top, _ = edges(builder.part("bar"))
    _, bottom = edges(builder.part("more").first)
    assert top < PHONE["height"]
    assert bottom <= top


def test_small_phones_fit_in_german(make_visit: MakeVisit) -> None:
    visit = make_visit(viewport=SMALLEST, is_mobile=True, has_touch=True, locale="de")
    width = "document.documentElement.scrollWidth"
    for address in ({}, {"bundle": 999}, {"bundle": 102}, {"bundle": 101}):
        demo = visit.demo(lang="de", **address)
        expect(demo.page.get_by_role("heading", level=1)).to_be_visible()
        if address.get("bundle") in (101, 102):
            demo.builder.shown()
            assert demo.builder.part("bar").evaluate(BROKEN_WORDS) == []
        assert visit.page.evaluate(width) <= SMALLEST["width"]

    demo.builder.choose("First Light", times=3)
    expect(demo.builder.part("saved")).to_be_visible()
    assert demo.builder.part("bar").evaluate(BROKEN_WORDS) == []
    assert visit.page.evaluate(width) <= SMALLEST["width"]
    visit.demo(lang="de", cart="open").drawer.wait_for()
    assert visit.page.get_by_role("dialog").evaluate("(drawer) => drawer.scrollWidth <= drawer.clientWidth")


def test_component_does_not_take_over_how_a_page_sets_its_text(visit: Visit) -> None:
    """The component does not inherit a page's text settings, such as alignment, indentation and spacing."""
    names = list(HOW_A_PAGE_SETS_ITS_TEXT)
    plain = visit.show(109).root.evaluate(STYLES_INSIDE, names)
    rules = "; ".join(f"{name}: {value}" for name, value in HOW_A_PAGE_SETS_ITS_TEXT.items())
    page = visit.host_page(bundle_id=109).replace("<main>", f"<style>body {{ {rules} }}</style><main>")
    visit.page.goto(visit.site.put(page))

    styled = visit.builder.shown().root.evaluate(STYLES_INSIDE, names)

    expect(visit.page.locator("h1")).to_have_css("letter-spacing", "5px")
    assert [found for found in zip(plain, styled, strict=True) if found[0] != found[1]] == []


def test_button_to_choose_looks_enabled(visit: Visit) -> None:
    """The button for choosing a product looks enabled: its border has the accent colour of the current step, unlike the disabled
    buy button."""
    builder = visit.show(101)
    edge = "(node) => getComputedStyle(node).borderColor"
    accent = builder.root.locator("[aria-current]").evaluate(edge)
    assert builder.part("more").first.evaluate(edge) == accent
    assert builder.buy.evaluate(edge) != accent


def test_checkbox_is_beside_its_label(visit: Visit) -> None:
    builder = visit.show(2, shop="corner")
    builder.choose("Plate")
    tick = builder.part("tick").first
    box, label = tick.bounding_box(), tick.locator("xpath=..").locator("span").first.bounding_box()
    assert box
    assert label
    assert 0 < label["x"] - (box["x"] + box["width"]) < 24


def test_bundle_page_has_one_heading_with_price_and_saving(visit: Visit) -> None:
    demo = visit.demo(bundle=101)
    demo.builder.shown()
    expect(demo.page.get_by_role("heading", name="Breakfast Box")).to_have_count(1)
    header = demo.page.locator("[slot=header]")
    expect(header).to_contain_text("From €18.71")
    expect(header).to_contain_text("Up to 15% off")
    expect(header.get_by_role("paragraph").first).to_have_text("Three things or more for the best hour of the day.")


def test_shopper_switches_language_and_country(visit: Visit) -> None:
    demo = visit.demo(bundle=101, dev="open")
    shopper = demo.page.get_by_role("banner")
    demo.builder.shown()
    demo.builder.after("bundle:ready", lambda: shopper.get_by_label(COUNTRY).select_option("US"))
    expect(demo.panel.get_by_label(COUNTRY)).to_have_value("US")
    shopper.get_by_label(LANGUAGE).focus()
    shopper.get_by_label(LANGUAGE).select_option("de")
    expect(demo.builder.name).to_have_text("Frühstücksbox")
    expect(shopper.get_by_label("Sprache")).to_be_focused()
    expect(demo.panel.get_by_label(LANGUAGE)).to_have_value("de")
    expect(demo.page).to_have_url(re.compile("country=US&lang=de"))

    demo.switch(COUNTRY, "CH")
    expect(shopper.get_by_label("Land")).to_have_value("CH")


def test_phone_has_the_switches_in_the_footer(make_visit: MakeVisit) -> None:
    visit = make_visit(viewport=PHONE)
    footer = visit.demo().page.get_by_role("contentinfo")
    footer.get_by_label(LANGUAGE).select_option("de")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Kisten, die du selbst füllst")
    expect(footer.get_by_label("Sprache")).to_have_value("de")


def test_empty_cart_leads_to_the_bundles(visit: Visit) -> None:
    demo = visit.demo(bundle=101, cart="open")
    demo.drawer.get_by_role("link", name="See the bundles").click()
    expect(demo.drawer).to_be_hidden()
    expect(demo.page.get_by_test_id("bundle-card").first).to_be_visible()


def test_unknown_pages_lead_to_the_bundles(visit: Visit) -> None:
    for address in ("?bundle=999", "/nothing"):
        visit.page.goto(f"{visit.service.origin}/demo{address}")
        visit.page.get_by_role("link", name="See the bundles").click()
        expect(visit.page.get_by_test_id("bundle-card").first).to_be_visible()


THEMED = """
bundle-builder { --bundle-accent: rgb(10, 60, 120); }
bundle-builder::part(card) { border-style: dashed; }
bundle-builder::part(chosen) { border-style: double; }
bundle-builder::part(button) { border-radius: 3px; }
bundle-builder::part(summary), bundle-builder::part(bar) { border-top-color: rgb(1, 2, 3); }
"""


def test_page_themes_the_component(visit: Visit) -> None:
    """A page themes the component with slots, parts and custom properties."""
    slots = '<h2 slot="header">Our own title</h2><p slot="summary">Delivered on Friday</p></bundle-builder>'
    html = visit.host_page(bundle_id=101).replace("</bundle-builder>", slots)
    visit.page.goto(visit.site.put(html.replace("</title>", f"</title><style>{THEMED}</style>")))
    builder = visit.builder
    expect(builder.part("summary").locator("slot")).to_be_attached()
    expect(builder.part("head")).to_be_hidden()
    expect(visit.page.get_by_role("heading", name="Our own title")).to_be_visible()
    expect(visit.page.get_by_text("Delivered on Friday")).to_be_visible()
    builder.choose("First Light")
    expect(builder.card("First Light")).to_have_css("border-style", "double")
    expect(builder.card("Harbour Blend")).to_have_css("border-style", "dashed")
    expect(builder.card("First Light")).to_have_css("border-color", "rgb(10, 60, 120)")
    for part in ("buy", "more"):
        expect(builder.part(part).first).to_have_css("border-radius", "3px")
    expect(builder.part("bar")).to_have_css("border-top-color", "rgb(1, 2, 3)")
