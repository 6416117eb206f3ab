"""Filling a bundle with the keyboard only, and what screen readers announce."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

from playwright.sync_api import expect

from tests.browser.keyboard import Keyboard
from tests.browser.visit import Visit


def test_box_is_filled_by_keyboard(visit: Visit) -> None:
    """A box can be filled with only the keyboard (Tab, Enter, Space and arrow keys), including its steps, options, counts, a
    subscription and an e-mail address."""
    builder = visit.show(101)
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("250 g")
    keyboard.press("ArrowRight")
    keyboard.tab_to("Choose First Light")
    keyboard.press("Enter")
    keyboard.tab_to("Next: Something sweet")
    keyboard.press("Enter")
    expect(builder.card("Sea Salt Caramels")).to_be_visible()
    keyboard.tab_to("Choose Sea Salt Caramels")
    keyboard.press("Space", "Space")
    expect(builder.amount("Sea Salt Caramels")).to_have_text("2")
    keyboard.tab_to("One-time purchase")
    keyboard.press("ArrowDown", "ArrowDown")
    keyboard.tab_to("Your e-mail address")
    keyboard.type("mira@mail.example")
    keyboard.tab_to("Add to cart")

    added = builder.after("bundle:addtocart", lambda: keyboard.press("Enter"))

    assert [item["variant"] for item in added["selection"]["items"]] == ["10013", "10161", "10161"]
    assert added["selection"]["subscription"]["frequency"] == 2
    assert added["result"]["subscription_id"]


def test_focus_order_is_the_visual_order(visit: Visit) -> None:
    """The focus order is the visual order, forwards and backwards."""
    visit.show(111, country="US")
    keyboard = Keyboard(visit.page)
    order = ["Whole bean", "Choose First Light", "Choose Oat Shortbread", "Surprise me", "Add to cart"]

    assert keyboard.tab_to("Add to cart") == order
    assert keyboard.tab_to("Whole bean", backwards=True) == order[-2::-1]


def test_focus_stays_on_the_clicked_button(visit: Visit) -> None:
    """The focus stays on the clicked button, even when the product's quantity has returned to zero."""
    builder = visit.show(111)
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Choose First Light")
    keyboard.press("Enter")
    assert keyboard.focused == "One more: First Light"
    keyboard.press("Enter")
    assert keyboard.focused == "One more: First Light"

    keyboard.tab_to("One less: First Light", backwards=True)
    keyboard.press("Enter")
    assert keyboard.focused == "One less: First Light"
    keyboard.press("Enter")
    assert keyboard.focused == "Choose First Light"
    expect(builder.lines).to_have_count(0)


def test_focus_moves_to_a_heading_when_its_element_is_gone(visit: Visit) -> None:
    """When the focused element disappears, the focus moves to a heading: that of the step that was opened or, after a line was
    removed, that of the selection."""
    builder = visit.show(101)
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Next: Something sweet")
    keyboard.press("Enter")
    assert keyboard.focused == "Something sweet"

    builder.choose("Sea Salt Caramels")
    keyboard.tab_to("Remove Sea Salt Caramels")
    keyboard.press("Enter")
    assert keyboard.focused == "Your selection"


def test_early_purchase_focuses_what_is_missing(visit: Visit) -> None:
    builder = visit.show(102)
    builder.choose("First Light")
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Add to cart")
    keyboard.press("Enter")

    assert keyboard.focused.startswith("Choose exactly 3 – 2 more")
    assert not builder.events("bundle:addtocart")


def test_button_is_described_by_what_is_missing_once(visit: Visit) -> None:
    builder = visit.show(102)
    expect(builder.buy).to_have_accessible_description("Nothing chosen yet")
    builder.choose("First Light")
    missing = "Choose exactly 3 – 2 more Different products: at least 3 – 2 more"
    expect(builder.buy).to_have_accessible_description(missing)


def test_price_is_announced(visit: Visit) -> None:
    """The price is announced after each change, together with the chosen products and what is missing."""
    builder = visit.show(101)
    expect(builder.spoken).to_be_empty()
    builder.choose("First Light")
    expect(builder.spoken).to_have_text("First Light: 1. Total €9.90. Choose at least 3 – 2 more. 2 more for 5% off.")


def test_only_the_last_of_quick_changes_is_announced(visit: Visit) -> None:
    builder = visit.show(101)
    builder.root.evaluate(
        """(builder) => {
          const said = (builder.said = []);
          const live = [...builder.shadowRoot.querySelectorAll("p[role=status]")].at(-1);
          new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true });
        }"""
    )
    builder.choose("First Light", times=3)
    expect(builder.spoken).to_contain_text("First Light: 3.")
    assert [text[:14] for text in builder.root.evaluate("(builder) => builder.said")][-1] == "First Light: 3"


def test_parts_have_accessible_names(visit: Visit) -> None:
    builder = visit.show(101)
    for role, name in [
        ("navigation", "Steps"),
        ("region", "Your selection"),
        ("region", "Coffee"),
        ("article", "First Light"),
        ("group", "How often?"),
        ("group", "Total"),
    ]:
        expect(builder.root.get_by_role(role, name=name, exact=True)).to_be_visible()  # type: ignore[arg-type]
