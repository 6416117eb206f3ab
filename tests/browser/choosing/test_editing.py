"""Selections that the page passes to the component, taken from a configured bundle or from a link."""

import json
from typing import Any

from playwright.sync_api import expect

from tests.browser.baskets import EMAIL
from tests.browser.builder import Builder
from tests.browser.visit import Visit

LEFT_OUT = "Not all of this selection is available any more. Please check it."


def unit(variant: str, section: int = 1, **more: object) -> dict[str, Any]:
    """Build a unit for the demo shop or the corner shop. In both shops, a variant's id is its product's id followed by one
    digit."""
    return {"variant": variant, "product": variant[:-1], "section": section, **more}


def hand_over(builder: Builder, selection: object) -> None:
    """Set the component's `selection` property."""
    builder.root.evaluate("(builder, selection) => { builder.selection = selection; }", selection)


def test_configured_bundle_is_opened_and_configured_again(visit: Visit) -> None:
    """A configured bundle, with every kind of answer, is opened and configured again, using only a page key and a cart line's
    `_bundle_data`."""
    key = visit.service.new_key("corner", scopes=("embed",), origins=(visit.site.origin,))
    builder = visit.show(2, shop="corner", api_key=key)
    builder.choose("Plate", times=2)
    names, scripts = builder.root.get_by_label("Name"), builder.root.get_by_label("Script")
    for index, (name, script) in enumerate((("Mira", "Serif"), ("Zoë", "Sans"))):
        names.nth(index).fill(name)
        scripts.nth(index).select_option(script)
    builder.root.get_by_label("Wrap it").first.check()
    first = builder.add_to_cart()
    line = first["result"]["cart"]["line_items"][0]["properties"]["_bundle_data"]

    opened = visit.open(shop="corner", api_key=key, configured=line).shown()

    expect(opened.name).to_have_text("Keepsake")
    expect(opened.root.get_by_label("Name").nth(1)).to_have_value("Zoë")
    expect(opened.root.get_by_label("Script").nth(0)).to_have_value("Serif")
    expect(opened.root.get_by_label("Wrap it").first).to_be_checked()
    expect(opened.outcome).to_be_empty()
    opened.root.get_by_label("Name").nth(1).fill("Zoe")
    second = opened.add_to_cart()
    assert second["result"]["configured_bundle_id"] != first["result"]["configured_bundle_id"]
    assert second["result"]["pricing"] == first["result"]["pricing"]
    answers = [item["personalisation"]["name"] for item in second["selection"]["items"]]
    assert answers == ["Mira", "Zoe"]


def test_selection_opens_with_all_that_the_bundle_still_offers(visit: Visit) -> None:
    """Opening a selection selects those of its items that the bundle still offers, and replaces what was chosen before.

    A gift is added automatically, and a message reports what is no longer offered."""
    builder = visit.show(1, shop="corner")
    builder.choose("White Tea")
    tea = {"variant": "gid://platform/ProductVariant/1001", "product": "gid://platform/Product/100", "section": 1}
    gift = unit("3001", 0)

    hand_over(builder, {"items": [tea, unit("1101"), gift, unit("2001", 2)]})

    expect(builder.outcome).to_be_empty()
    expect(builder.lines).to_have_count(4)
    expect(builder.amount("Green Tea")).to_have_text("1")
    assert [item["variant"] for item in builder.selected()["items"]] == ["1001", "1101", "2001", "3001"]

    gone = [unit("9991"), unit("1101", 9), unit("3001", 3), unit("2001", 1)]
    hand_over(builder, {"items": [tea, *gone], "subscription": {"id": 7, "frequency": 1, "unit": "month"}})

    expect(builder.outcome).to_have_text(LEFT_OUT)
    expect(builder.spoken).to_contain_text(LEFT_OUT)
    expect(builder.lines).to_have_count(1)
    builder.choose("Green Tea")
    expect(builder.outcome).to_be_empty()

    hand_over(builder, None)
    expect(builder.lines).to_have_count(0)


def test_selection_is_taken_with_other_attributes_and_through_a_link(visit: Visit) -> None:
    """A selection that the page sets together with another bundle id is used for that bundle. A selection encoded for a link
    keeps its variants and its plan."""
    builder = visit.show(111)
    open_other = """async (builder, origin) => {
      const { decodeSelection, encodeSelection } = await import(`${origin}/storefront/client/client.js`);
      const items = Array(3).fill({ variant: "10012", product: "1001", section: 1 });
      const text = encodeSelection({ items, subscription: { id: 7, frequency: 2, unit: "week" } });
      builder.setAttribute("bundle-id", 101);
      builder.selection = decodeSelection(text);
      return text;
    }"""
    builder.after("bundle:ready", lambda: builder.root.evaluate(open_other, visit.service.origin))

    expect(builder.name).to_have_text("Breakfast Box")
    expect(builder.amount("First Light")).to_have_text("3")
    expect(builder.value("First Light", "Filter")).to_be_checked()
    expect(builder.root.get_by_role("radio", name="Every 2 weeks")).to_be_checked()
    builder.email.fill(EMAIL)
    assert builder.add_to_cart()["result"]["pricing"]["discountedPrice"] == "26.80"


def test_configured_bundle_that_cannot_be_found(visit: Visit) -> None:
    """If the configured bundle is unknown, the bundle that the page names opens empty, with a message. If the page names no
    bundle either, nothing is opened."""
    unknown = f"123:{'0' * 32}"
    builder = visit.show(111, configured=unknown)
    expect(builder.outcome).to_have_text(LEFT_OUT)
    expect(builder.lines).to_have_count(0)

    expect(visit.open(configured=unknown).notice).to_contain_text("This bundle is not available.")


def test_selection_that_is_set_before_the_element_is_defined(visit: Visit) -> None:
    selection = json.dumps({"items": [unit("10011")]})
    early = f"<script>document.querySelector('bundle-builder').selection = {selection}</script>"
    page = visit.host_page(bundle_id=111).replace("</main>", f"</main>{early}")
    visit.page.goto(visit.site.put(page))
    expect(visit.builder.amount("First Light")).to_have_text("1")
