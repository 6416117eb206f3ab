"""One press of a button completes a box, and another press undoes this."""

# ruff: noqa: RUF001 - messages exactly as shoppers see them

from playwright.sync_api import expect

from tests.browser.keyboard import Keyboard
from tests.browser.visit import Visit

COMPLETE = "**/embed/api/v1/bundle/*/complete"


def test_box_is_finished_and_undone_by_keyboard(visit: Visit) -> None:
    """A box can be completed, and the completion undone, by keyboard. The focus stays on the button, and screen readers announce
    what was added."""
    builder = visit.show(104)
    builder.choose("First Light", times=2)
    expect(builder.part("place")).to_have_count(6)
    expect(builder.part("places")).to_contain_text("2 of 6 chosen")
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Finish my box")
    before = builder.total.inner_text()

    keyboard.press("Enter")
    expect(builder.buy).not_to_have_attribute("aria-disabled", "true")
    expect(builder.part("places")).to_contain_text("6 of 6 chosen")
    expect(builder.spoken).to_contain_text("Added: 4 ×")
    assert keyboard.focused == "Undo"

    keyboard.press("Enter")
    expect(builder.part("places")).to_contain_text("2 of 6 chosen")
    expect(builder.total).to_have_text(before)
    expect(builder.spoken).to_contain_text("Undone.")
    assert keyboard.focused == "Finish my box"


def test_finished_box_is_bought_at_the_shown_price(visit: Visit) -> None:
    builder = visit.show(102)
    builder.choose("Kenya Nyeri")
    builder.finish.click()
    expect(builder.finish).to_have_text("Undo")
    shown = builder.total.inner_text()

    added = builder.after("bundle:addtocart", builder.buy.click)

    assert len(added["selection"]["items"]) == 3
    assert added["result"]["pricing"]["discountedPrice"] == shown.strip("€")


def test_empty_box_is_a_surprise(visit: Visit) -> None:
    builder = visit.show(104)
    expect(builder.finish).to_have_text("Surprise me")
    builder.finish.click()
    expect(builder.part("places")).to_contain_text("6 of 6 chosen")
    expect(builder.buy).not_to_have_attribute("aria-disabled", "true")


def test_next_choice_ends_the_undo(visit: Visit) -> None:
    builder = visit.show(104)
    builder.choose("First Light", times=2)
    builder.finish.click()
    expect(builder.finish).to_have_text("Undo")
    builder.choose("First Light")
    expect(builder.finish).to_have_text("Finish my box")
    expect(builder.part("places")).to_contain_text("of 12 chosen")


def test_box_that_can_be_bought_has_no_button(visit: Visit) -> None:
    builder = visit.show(104)
    builder.choose("First Light", times=5)
    expect(builder.finish).to_be_visible()
    builder.choose("First Light")
    expect(builder.finish).to_be_hidden()


def test_impossible_box_says_why(visit: Visit) -> None:
    builder = visit.show(20, shop="corner")
    keyboard = Keyboard(visit.page)
    keyboard.tab_to("Surprise me")
    keyboard.press("Enter")
    reason = "This selection cannot be completed: Choose exactly 6. Not enough of it is in stock."
    expect(builder.part("impossible")).to_have_text(reason)
    expect(builder.part("impossible")).to_be_focused()
    expect(builder.spoken).to_have_text(reason)
    expect(builder.finish).to_be_hidden()
    builder.choose("White Tea")
    expect(builder.part("impossible")).to_be_hidden()


def test_search_without_a_result_is_not_called_impossible(visit: Visit) -> None:
    builder = visit.show(104)
    nothing = {"solutions": [], "proven": False, "bound": {"changes": 4, "price": "1.00"}, "impossible": None}
    visit.page.route(COMPLETE, lambda route: route.fulfill(json=nothing))
    builder.finish.click()
    expect(builder.part("impossible")).to_contain_text("Nothing was found")


def test_texts_are_in_the_language_of_the_page(visit: Visit) -> None:
    builder = visit.show(104, lang="de")
    builder.choose("Hafenmischung", times=2)
    expect(builder.finish).to_have_text("Box fertig machen")
    builder.finish.click()
    expect(builder.finish).to_have_text("Rückgängig")
    expect(builder.spoken).to_contain_text("Dazu: 4 ×")


def test_failure_is_shown_and_the_button_stays(visit: Visit) -> None:
    builder = visit.show(104)
    builder.choose("First Light")
    visit.page.route(COMPLETE, lambda route: route.fulfill(status=503, json={"error": "…", "code": "overloaded"}))
    builder.finish.click()
    expect(builder.outcome).not_to_be_empty()
    expect(builder.finish).to_have_text("Finish my box")


def test_service_without_completions_has_no_button(visit: Visit) -> None:
    builder = visit.show(104)
    visit.page.route(COMPLETE, lambda route: route.fulfill(status=404, json={"error": "…", "code": "not_found"}))
    builder.finish.click()
    expect(builder.finish).to_have_count(0)


def test_bundle_is_shown_without_the_module_for_it(visit: Visit) -> None:
    visit.page.route("**/component/completing.js", lambda route: route.abort())
    builder = visit.show(104)
    builder.choose("First Light", times=6)
    expect(builder.buy).not_to_have_attribute("aria-disabled", "true")
    expect(builder.finish).to_have_count(0)
