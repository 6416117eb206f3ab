"""A bundle is filled by keyboard alone, and told to those who do not see it."""

# ruff: noqa: RUF001 - sentences as shoppers read them

from playwright.sync_api import expect

from tests.browser.keyboard import Keyboard
from tests.browser.visit import Visit


def test_a_box_is_filled_by_keyboard(visit: Visit) -> None:
    """Steps, options, counts, a subscription and its address: with Tab, Enter, Space and arrows."""
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


def test_the_focus_follows_what_is_seen(visit: Visit) -> None:
    """Once around the component, and back."""
    visit.show(111, country="US")
    keyboard = Keyboard(visit.page)
    order = ["Whole bean", "Choose First Light", "Choose Oat Shortbread", "Add to cart"]

    assert keyboard.tab_to("Add to cart") == order
    assert keyboard.tab_to("Whole bean", backwards=True) == order[-2::-1]


def test_the_focus_stays_where_it_was(visit: Visit) -> None:
    """At none left the button stays too, under the name that it began with."""
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


def test_the_focus_goes_on_when_its_place_is_gone(visit: Visit) -> None:
    """To the heading of the step that was opened, or of the selection that a line was taken out of."""
    builder = visit.show(101)
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Next: Something sweet")
    keyboard.press("Enter")
    assert keyboard.focused == "Something sweet"

    builder.choose("Sea Salt Caramels")
    keyboard.tab_to("Remove Sea Salt Caramels")
    keyboard.press("Enter")
    assert keyboard.focused == "Your selection"


def test_what_is_missing_gets_the_focus(visit: Visit) -> None:
    """Who tries to buy too early is led to the reasons."""
    builder = visit.show(102)
    builder.choose("First Light")
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Add to cart")
    keyboard.press("Enter")

    assert keyboard.focused.startswith("Choose exactly 3 – 2 more")
    assert not builder.events("bundle:addtocart")


def test_what_is_missing_is_told_once_with_the_button(visit: Visit) -> None:
    builder = visit.show(102)
    expect(builder.buy).to_have_accessible_description("Nothing chosen yet")
    builder.choose("First Light")
    told = "Choose exactly 3 – 2 more Different products: at least 3 – 2 more"
    expect(builder.buy).to_have_accessible_description(told)


def test_the_price_is_spoken(visit: Visit) -> None:
    """After each change, with what was chosen and what is missing."""
    builder = visit.show(101)
    expect(builder.spoken).to_be_empty()
    builder.choose("First Light")
    expect(builder.spoken).to_have_text("First Light: 1. Total €9.90. Choose at least 3 – 2 more. 2 more for 5 % off.")


def test_of_quick_changes_the_last_is_spoken(visit: Visit) -> None:
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


def test_parts_have_names(visit: Visit) -> None:
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
