"""Conditions that show, hide, give away or forbid products."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

from playwright.sync_api import expect

from tests.browser.visit import Visit


def test_condition_shows_a_message_and_replaces_the_discount(visit: Visit) -> None:
    builder = visit.show(110)
    builder.choose("Chocolate Beans", times=3)
    expect(builder.messages).to_have_text(["One more sweet and the box is 15% off"])
    expect(builder.before).to_have_text("Before: €17.70")
    expect(builder.total).to_have_text("€16.81")

    builder.choose("Chocolate Beans")
    expect(builder.messages).to_have_count(0)
    expect(builder.total).to_have_text("€20.06")
    assert builder.add_to_cart()["result"]["pricing"]["discountValue"] == "15.00"


def test_free_item_in_a_section_is_announced_for_the_shopper_to_choose(visit: Visit) -> None:
    builder = visit.show(110)
    builder.choose("First Light", "1 kg", times=3)
    expect(builder.messages).to_have_text(["Greeting Card is free: just choose it."])
    expect(builder.total).to_have_text("€96.90")

    builder.choose("Greeting Card")
    expect(builder.messages).to_have_count(0)
    expect(builder.card("Greeting Card").locator("[part~=badge]")).to_have_text("Free")
    expect(builder.lines.filter(has_text="Greeting Card")).to_contain_text("Free")
    expect(builder.total).to_have_text("€96.90")
    assert builder.add_to_cart()["result"]["pricing"] == {
        "originalPrice": "105.50",
        "discountedPrice": "96.90",
        "discountType": "percentage",
        "discountValue": "5.00",
        "currency": "EUR",
    }


def test_free_item_outside_sections_is_added_automatically(visit: Visit) -> None:
    """A free item outside the sections is added automatically, and removed when its action no longer applies."""
    builder = visit.show(1, shop="corner")
    builder.choose("Green Tea", times=2)
    builder.choose("Strainer")
    expect(builder.lines.filter(has_text="Spoon")).to_contain_text("Free")
    expect(builder.total).to_have_text("£13.00")

    builder.root.get_by_role("button", name="One less: Green Tea").click()
    expect(builder.lines.filter(has_text="Spoon")).to_have_count(0)
    builder.choose("Green Tea")
    result = builder.add_to_cart()["result"]

    assert {line["id"]: line["quantity"] for line in result["cart"]["line_items"]} == {1001: 2, 3101: 1, 3001: 1}
    assert result["pricing"]["discountedPrice"] == "13.00"


def test_hidden_product_that_was_chosen_is_refused(visit: Visit) -> None:
    builder = visit.show(1, shop="corner")
    builder.choose("Iron Cup")
    builder.choose("Strainer")
    expect(builder.card("Iron Cup")).to_be_visible()

    builder.choose("Glass Cup")
    expect(builder.card("Iron Cup")).to_be_hidden()
    expect(builder.reasons).to_have_text(["Iron Cup does not go with the rest of your selection."])
    builder.root.get_by_role("button", name="Remove Iron Cup").click()
    expect(builder.reasons).to_have_count(0)


def test_rules_of_a_hidden_section_do_not_apply(visit: Visit) -> None:
    builder = visit.show(1, shop="corner")
    builder.choose("Black Tea")
    expect(builder.reasons).to_have_text(["Extras: Choose at least 1 – 1 more"])

    builder.after("bundle:ready", lambda: builder.root.evaluate("(builder) => builder.setAttribute('country', 'DE')"))

    expect(builder.card("Strainer")).to_be_hidden()
    expect(builder.reasons).to_have_count(0)
    assert builder.add_to_cart()["result"]["pricing"]["discountedPrice"] == "3.00"


def test_blocked_selection_says_why(visit: Visit) -> None:
    builder = visit.show(1, shop="corner")
    builder.choose("Black Tea", times=4)
    builder.choose("Strainer")
    expect(builder.reasons).to_have_text(["Five do not fit into the parcel."])
    expect(builder.buy).to_have_attribute("aria-disabled", "true")
