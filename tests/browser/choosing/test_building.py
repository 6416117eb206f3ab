"""Filling a bundle with the mouse, and the component's events."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

import re

from playwright.sync_api import expect

from tests.browser.visit import Visit


def test_box_is_filled_by_mouse(visit: Visit) -> None:
    """A box is filled with the mouse: two steps, two variants of one coffee, the price after each choice, and the configured
    bundle."""
    builder = visit.show(101)
    expect(builder.name).to_have_text("Breakfast Box")
    expect(builder.total).to_have_text("€0.00")

    builder.choose("First Light", "Filter")
    expect(builder.total).to_have_text("€9.90")
    builder.choose("First Light", "1 kg")
    expect(builder.card("First Light")).to_contain_text("2 chosen")
    builder.root.get_by_role("button", name="Next: Something sweet").click()
    builder.choose("Sea Salt Caramels", times=2)

    expect(builder.total).to_have_text("€54.05")
    expect(builder.before).to_have_text("Before: €56.90")
    added = builder.add_to_cart()
    assert added["result"]["pricing"]["discountedPrice"] == "54.05"
    assert [item["variant"] for item in added["selection"]["items"]] == ["10012", "10013", "10161", "10161"]
    expect(builder.outcome).to_have_text("Added to your cart")
    expect(builder.lines).to_have_count(0)


def test_units_are_removed_singly_or_together(visit: Visit) -> None:
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    expect(builder.amount("First Light")).to_have_text("3")

    builder.card("First Light").get_by_role("button", name="One less: First Light").click()
    expect(builder.amount("First Light")).to_have_text("2")
    builder.root.get_by_role("button", name=re.compile("^Remove First Light")).click()

    expect(builder.lines).to_have_count(0)
    expect(builder.card("First Light").get_by_role("button", name="Choose First Light")).to_be_visible()


def test_finished_step_leads_to_the_next(visit: Visit) -> None:
    """A finished step opens the next one (`autoNextSection`), and a condition can reopen an earlier step."""
    builder = visit.show(5, shop="corner")
    builder.card("Green Tea").get_by_role("button", name="Choose Green Tea").click()
    expect(builder.card("Green Tea")).to_be_visible()
    builder.card("Green Tea").get_by_role("button", name="One more: Green Tea").click()
    expect(builder.card("Glass Cup")).to_be_visible()
    expect(builder.card("Green Tea")).to_be_hidden()
    expect(builder.part("step-button").filter(has_text="Cups")).to_have_attribute("aria-current", "step")

    builder.card("Glass Cup").get_by_role("button", name="Choose Glass Cup").click()
    expect(builder.card("Green Tea")).to_be_visible()


def test_finished_step_without_auto_next_stays_open(visit: Visit) -> None:
    builder = visit.show(101)
    builder.choose("First Light", times=3)
    expect(builder.part("step-button").filter(has_text="Coffee")).to_have_attribute("aria-current", "step")


def test_required_products_are_in_the_bundle(visit: Visit) -> None:
    """Required products are in the bundle, and the shopper chooses a variant of each."""
    builder = visit.show(103)
    expect(builder.card("Porcelain Dripper")).to_contain_text("1 × Included")
    expect(builder.total).to_have_text("€28.20")

    builder.pick("Porcelain Dripper", "Charcoal")
    added = builder.add_to_cart()

    items = {(item["variant"], item["section"]) for item in added["selection"]["items"]}
    assert items == {("10212", 0), ("10261", 0)}


def test_every_change_fires_an_event(visit: Visit) -> None:
    builder = visit.show(111)
    (ready,) = builder.events("bundle:ready")
    assert ready["bundle"]["id"] == 111

    change = builder.after("bundle:change", lambda: builder.choose("First Light", times=1))

    assert change["pricing"]["originalPrice"] == "9.90"
    assert change["selection"]["items"] == [{"variant": "10011", "product": "1001", "section": 1}]
    assert [failure["code"] for failure in change["failures"]] == ["limit_not_met"]


def test_page_can_take_over_after_configure(visit: Visit) -> None:
    """A page can take over after the bundle has been configured, by cancelling `bundle:addtocart`; the component then keeps the
    selection."""
    builder = visit.show(111)
    visit.page.evaluate("addEventListener('bundle:addtocart', (event) => event.preventDefault())")
    builder.choose("First Light", times=3)

    builder.add_to_cart()

    expect(builder.buy).to_have_text("Add to cart")
    expect(builder.outcome).to_be_empty()
    expect(builder.lines).to_have_count(1)


def test_double_click_adds_once(visit: Visit) -> None:
    builder = visit.show(111)
    builder.choose("First Light", times=3)
    before = visit.service.configured

    builder.after("bundle:addtocart", builder.buy.dblclick)

    expect(builder.outcome).to_have_text("Added to your cart")
    assert len(builder.events("bundle:addtocart")) == 1
    assert visit.service.configured == before + 1
