"""The price shown while a shopper chooses: the struck-through price, the saving, and the next tier."""

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Visit


def test_next_tier_follows_the_count(visit: Visit) -> None:
    """The hint about the next tier follows the number of chosen units until the last tier is reached. If the merchant has written
    a text for the hint, that text is shown."""
    builder = visit.show(101)
    for chosen, sentence, before, total in [
        (0, "3 more for 5% off", None, "€0.00"),
        (2, "1 more for 5% off", None, "€19.80"),
        (3, "2 more for 10% off", "€29.70", "€28.21"),
        (5, "Eight or more: 15% off", "€49.50", "€44.55"),
        (8, None, "€79.20", "€67.32"),
    ]:
        have = len(builder.selected()["items"])
        builder.choose("First Light", times=chosen - have)
        expect(builder.total).to_have_text(total)
        if before is None:
            expect(builder.before).to_be_hidden()
        else:
            expect(builder.before).to_have_text(f"Before: {before}")
        if sentence is None:
            expect(builder.tier).to_be_hidden()
        else:
            expect(builder.tier).to_have_text(sentence)
    expect(builder.part("saved")).to_have_text("You save €11.88")


@pytest.mark.parametrize(
    ("bundle", "title", "sentence"),
    [
        (104, "Harbour Blend", "5 more of the same for 8% off"),
        (105, "Drip Bag", "€13.40 more for 5% off"),
        (106, "Harbour Blend", "€31.11 more for €3.00 off"),
        (107, "Espresso Cups", "3 more for €5.00 off"),
    ],
    ids=["largest count of one product", "amount, added up", "more than an amount", "fixed amounts"],
)
def test_next_tier_of_every_kind(visit: Visit, bundle: int, title: str, sentence: str) -> None:
    builder = visit.show(bundle)
    builder.choose(title)
    expect(builder.tier).to_have_text(sentence)


def test_price_for_the_whole_bundle(visit: Visit) -> None:
    builder = visit.show(102)
    for title in ("Ethiopia Yirgacheffe", "Colombia Huila", "Kenya Nyeri"):
        builder.choose(title)
    expect(builder.total).to_have_text("€27.00")
    expect(builder.before).to_have_text("Before: €38.70")


def test_no_discount_below_the_minimum(visit: Visit) -> None:
    builder = visit.show(103)
    builder.choose("Oak Scoop")
    expect(builder.total).to_have_text("€36.20")
    expect(builder.before).to_be_hidden()
    builder.choose("French Press")
    expect(builder.total).to_have_text("€58.20")


def test_compare_at_price_is_struck_through(visit: Visit) -> None:
    card = visit.show(103).card("French Press")
    expect(card.locator("[part~=price]")).to_have_text("€32.00 Before: €36.00")
