"""Every state is accessible, on phones and desktops, in the light and the dark colour scheme."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import MakeVisit
from tests.browser.states import STATES, Reach, chosen, loading, long_words
from tests.browser.visit import Visit

PHONE, DESKTOP = 360, 1280
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((DESKTOP, "light"), (PHONE, "dark"))

BEYOND = """() => {
  const { clientWidth: width } = document.documentElement;
  const named = (node) => `${node.localName}.${node.className}`;
  const movable = [document.scrollingElement, ...document.querySelectorAll("dialog[open]")];
  const shown = [...(document.querySelector("bundle-builder")?.shadowRoot.querySelectorAll("*") ?? [])];
  const isBeyond = (node) => {
    const { left, right } = node.getBoundingClientRect();
    return node.checkVisibility({ opacityProperty: true }) && !node.closest(".vh") && (right > width + 1 || left < -1);
  };
  const places = shown.filter((node) => node.matches(".item, .step-button"));
  const tooWide = [...movable, ...places].filter((node) => node.scrollWidth > node.clientWidth);
  return [...tooWide, ...shown.filter(isBeyond)].map(named);
}"""
"""Finds elements that are outside the window, scroll sideways, or overlap their neighbours."""


def set_width(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})


@pytest.mark.parametrize("reach", STATES.values(), ids=STATES)
def test_state_fits_and_is_accessible(visit: Visit, reach: Reach) -> None:
    """In each state, the component fits within the edges of the window, and axe-core finds no serious violation."""
    reach(visit)
    for width, scheme in LOOKS:
        set_width(visit.page, width)
        visit.page.emulate_media(color_scheme=scheme)
        assert visit.page.evaluate(BEYOND) == []
        assert serious_faults(visit.page) == []


@pytest.mark.parametrize("width", [320, DESKTOP // 2])
def test_zoomed_page_fits(make_visit: MakeVisit, width: int) -> None:
    """The page fits into the window when a desktop browser is zoomed to 200% or 400%."""
    visit = make_visit(viewport={"width": width, "height": 450}, device_scale_factor=2)
    chosen(visit)
    assert visit.page.evaluate(BEYOND) == []


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_counts_do_not_wrap(visit: Visit, width: int) -> None:
    """Counts do not wrap, even next to a long name."""
    set_width(visit.page, width)
    long_words(visit)
    count = visit.builder.part("step-button").get_by_text("1 chosen", exact=True)
    box = count.bounding_box()
    assert box
    assert box["height"] < 24


def test_swatch_of_a_sold_out_variant_looks_sold_out(visit: Visit) -> None:
    builder = visit.show(107)
    dots = builder.card("Travel Cup").locator("[part~=dot]")
    expect(dots.first).to_have_css("opacity", "1")
    expect(dots.last).not_to_have_css("opacity", "1")


def test_fields_are_large_enough_for_phones(make_visit: MakeVisit) -> None:
    """Text in fields is 16 pixels high on phones, because some phones zoom in on fields with smaller text, and do not zoom out
    again."""
    visit = make_visit(has_touch=True, is_mobile=True, viewport={"width": PHONE, "height": 800})
    chosen(visit)
    expect(visit.builder.email).to_have_css("font-size", "16px")


def test_doubled_font_size_cuts_nothing_off(visit: Visit) -> None:
    """Nothing is cut off when the shopper doubles the font size."""
    set_width(visit.page, DESKTOP // 2)
    chosen(visit)
    small = visit.builder.name.bounding_box()
    visit.page.add_style_tag(content="html { font-size: 200% }")
    large = visit.builder.name.bounding_box()
    assert small
    assert large
    assert large["height"] >= 1.9 * small["height"]
    assert visit.page.evaluate(BEYOND) == []


def animations(visit: Visit) -> int:
    """The number of running animations in the component."""
    script = "(builder) => builder.shadowRoot.getAnimations().filter((one) => one.playState === 'running').length"
    return int(visit.builder.root.evaluate(script))


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_motion_follows_the_shopper_s_preference(make_visit: MakeVisit, motion: str, moves: bool) -> None:
    visit = make_visit(reduced_motion=motion)
    loading(visit)
    assert (animations(visit) > 0) is moves


def outline(visit: Visit, selector: str) -> Any:
    return visit.builder.root.locator(selector).first.evaluate("(node) => getComputedStyle(node).outlineStyle")


def test_choices_have_outlines_in_forced_colours(make_visit: MakeVisit) -> None:
    visit = make_visit(forced_colors="active")
    chosen(visit)
    for selector in ("article[data-chosen]", "label:has(:checked)", "[aria-current]"):
        assert outline(visit, selector) == "solid"
    assert outline(visit, "article:not([data-chosen])") == "none"
    assert serious_faults(visit.page) == []


def test_dark_scheme_is_dark(visit: Visit) -> None:
    """The component is dark in the dark colour scheme; it follows the page's `color-scheme`."""
    visit.page.emulate_media(color_scheme="light")
    builder = visit.show(111)
    expect(builder.name).to_have_css("color", "rgb(35, 33, 30)")
    visit.page.emulate_media(color_scheme="dark")
    expect(builder.name).to_have_css("color", "rgb(243, 239, 232)")


def test_light_page_stays_light_at_night(visit: Visit) -> None:
    visit.page.emulate_media(color_scheme="dark")
    html = visit.host_page(bundle_id=111).replace('<meta name="color-scheme" content="light dark">', "")
    visit.page.goto(visit.site.put(html))
    expect(visit.builder.name).to_have_css("color", "rgb(35, 33, 30)")


@pytest.mark.parametrize("pointer", ["mouse", "finger"])
def test_targets_are_large_enough(make_visit: MakeVisit, pointer: str) -> None:
    """Targets are large enough: 36 pixels for a mouse, 44 for fingers. A label counts as part of its field."""
    visit = make_visit(
        has_touch=pointer == "finger", is_mobile=pointer == "finger", viewport={"width": PHONE, "height": 800}
    )
    chosen(visit)
    smallest = 44 if pointer == "finger" else 36
    boxes = [target.bounding_box() for target in visit.builder.root.locator("button, label:has(input)").all()]
    sizes = [min(box["width"], box["height"]) for box in boxes if box]
    assert len(sizes) > 10
    assert min(sizes) >= smallest
