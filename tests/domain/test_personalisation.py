"""Answers to personalisation fields (docs/contract.md#features)."""

from decimal import Decimal

import pytest

from bundlesvc.domain.bundle import Bundle, PersonalisationFee, PersonalisationField
from bundlesvc.domain.configured import ConfiguredBundle, configured_items, variant_counts
from bundlesvc.domain.errors import MAX_DETAILS, PersonalisationInvalid
from bundlesvc.domain.ghosts.identity import ghost_identity
from bundlesvc.domain.personalisation import MAX_ANSWERS_BYTES, character_limit, check_answers, personalised
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.selection import SelectedItem, units_of
from bundlesvc.domain.shop import EMBEDDED, PERSONALISATION, PlatformLink, Shop
from tests.domain.builders import bundle, line, line_of, product, variant
from tests.domain.configured_bundles import cart_lines_of

FEE = PersonalisationFee(99, Decimal("2.50"), "EUR")
FIELDS = (
    PersonalisationField("1", "engraving", "Engraving", "text", required=True, character_limit=5, fee=FEE),
    PersonalisationField("2", "font", "Font", "dropdown", options=("Serif", "Sans")),
    PersonalisationField("3", "wrap", "Gift wrap", "checkbox"),
    PersonalisationField("4", "photo", "Photo", "image"),
)
NOTE = PersonalisationField("5", "note", "Note", "text")
WITH_NOTE = bundle(personalisation={1: (NOTE,)})
WITH_FIELDS = bundle(personalisation={1: FIELDS})
Answers = tuple[tuple[str, str], ...]


def shop(*features: str) -> Shop:
    return Shop("demo", "Demo", "demo.example", "en", True, features, PlatformLink(EMBEDDED), (), None)


def faults(
    *items: SelectedItem, of: Bundle = WITH_FIELDS, complete: bool = True, on: bool = True
) -> list[tuple[str, str]]:
    try:
        check_answers(shop(*([PERSONALISATION] if on else [])), of, units_of(items), complete=complete)
    except PersonalisationInvalid as error:
        return [(fault.path, fault.code) for fault in error.faults]
    return []


def item(*answers: tuple[str, str], product_id: int = 1) -> SelectedItem:
    return SelectedItem(11, product_id, 1, answers)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param((("engraving", "Mira"),), None, id="text"),
        pytest.param((("engraving", "Mirab"),), None, id="text at its limit"),
        pytest.param((("engraving", "Mirabe"),), ("engraving", "too_long"), id="text over its limit"),
        pytest.param((("engraving", "😀😀a"),), None, id="five UTF-16 units"),
        pytest.param((("engraving", "😀😀😀"),), ("engraving", "too_long"), id="six UTF-16 units"),
        pytest.param((), ("engraving", "required"), id="required"),
        pytest.param((("engraving", "M"), ("font", "Sans")), None, id="dropdown"),
        pytest.param((("engraving", "M"), ("font", "sans")), ("font", "not_offered"), id="no option"),
        pytest.param((("engraving", "M"), ("wrap", "true")), None, id="checkbox"),
        pytest.param((("engraving", "M"), ("wrap", "yes")), ("wrap", "invalid"), id="no tick"),
        pytest.param((("engraving", "M"), ("photo", "https://img.example/a.png")), None, id="image"),
        pytest.param((("engraving", "M"), ("photo", "http://img.example/a.png")), ("photo", "invalid"), id="not https"),
        pytest.param((("engraving", "M"), ("photo", "https://")), ("photo", "invalid"), id="no host"),
        pytest.param((("engraving", "M"), ("photo", "https://a b")), ("photo", "invalid"), id="white space"),
        pytest.param((("engraving", "M"), ("color", "red")), ("color", "unknown_field"), id="unknown field"),
    ],
)
def test_answers_are_checked_against_their_fields(answers: Answers, expected: tuple[str, str] | None) -> None:
    found = faults(item(*answers))

    assert found == ([] if expected is None else [(f"products.0.personalisation.{expected[0]}", expected[1])])


def test_every_fault_of_every_item_is_reported() -> None:
    assert faults(item(("font", "x")), item(("engraving", "M")), item(("engraving", "M"), product_id=2)) == [
        ("products.0.personalisation.engraving", "required"),
        ("products.0.personalisation.font", "not_offered"),
        ("products.2.personalisation.engraving", "unknown_field"),
    ]


def test_first_hundred_faults_are_reported() -> None:
    many = [item(*((f"key-{number}", "x") for number in range(40))) for _ in range(3)]

    assert len(faults(*many, complete=False)) == MAX_DETAILS


@pytest.mark.parametrize("letter", ["a", "é", "語", "😀"])
def test_all_answers_have_20000_bytes_at_most(letter: str) -> None:
    size = 500 // len(letter.encode("utf-16-le")) * 2  # as many letters as the text may contain
    answer = letter * size
    most = MAX_ANSWERS_BYTES // len(answer.encode())

    assert faults(*[item(("note", answer))] * most, of=WITH_NOTE) == []
    assert faults(*[item(("note", answer))] * (most + 1), of=WITH_NOTE) == [("products", "answers_too_long")]


def test_size_of_all_answers_is_checked_before_each_of_them() -> None:
    """The total size of all answers is checked before the individual answers, because a body can contain 100,000 answers to
    unknown fields."""
    assert faults(item(*((f"key-{number}", "x" * 10) for number in range(2001)))) == [("products", "answers_too_long")]


def test_text_field_without_a_limit_allows_500_characters() -> None:
    assert faults(item(("note", "a" * 500)), of=WITH_NOTE) == []
    assert faults(item(("note", "a" * 501)), of=WITH_NOTE) == [("products.0.personalisation.note", "too_long")]
    assert [character_limit(field) for field in (NOTE, *FIELDS)] == [500, 5, None, None, None]


@pytest.mark.parametrize("hidden", ["\x1b[2J", "\x07", "\x85", "\u202e", "\u2066", "a\rb"])
def test_characters_that_hide_what_an_answer_says_are_refused(hidden: str) -> None:
    assert faults(item(("note", hidden)), of=WITH_NOTE) == [("products.0.personalisation.note", "invalid_character")]


@pytest.mark.parametrize(
    "text",
    [
        "one\ntwo",
        "one\r\ntwo\tthree",
        "\u200f\u05e9\u05dc\u200e",
        "\u0645\u06cc\u200c\u062e\u0648",
        "👩\u200d👧",
        "café",
    ],
)
def test_line_breaks_emoji_and_right_to_left_text_are_accepted(text: str) -> None:
    assert faults(item(("note", text)), of=WITH_NOTE) == []


def test_price_does_not_need_required_answers() -> None:
    assert faults(item(), complete=False) == []
    assert faults(item(("font", "x")), complete=False) == [("products.0.personalisation.font", "not_offered")]


def test_shop_without_the_feature_accepts_and_requires_no_answers() -> None:
    assert faults(item(), on=False) == []
    assert faults(item(("engraving", "M")), on=False) == [("products.0.personalisation.engraving", "unknown_field")]


def test_answers_become_properties_by_label_and_fees() -> None:
    came_to = personalised(WITH_FIELDS, line(2, answers=(("engraving", "M"), ("wrap", "true"))))

    assert came_to == ({"Engraving": "M", "Gift wrap": "true"}, (99,), ("engraving", "wrap"))


def test_units_with_different_answers_and_fees_are_separate_lines() -> None:
    mug = product(1, variant(11))
    lines = [
        line_of(mug, 11, 2, section=1, answers=(("engraving", "M"),)),
        line_of(mug, 11, 1, section=2, answers=(("engraving", "M"),)),
        line_of(mug, 11, 1, section=1, answers=(("engraving", "N"),)),
        line_of(mug, 11, 4, section=1),
    ]
    pricing = Pricing(Decimal(0), Decimal(0), "none", Decimal(0), "EUR")
    items = configured_items(WITH_FIELDS, lines)
    whole = ConfiguredBundle(5, 42, "native", "Box", 900, None, False, "f" * 32, pricing, items, 0)
    mark = {"_bundle_data": f"5#9001#{'f' * 32}"}

    assert cart_lines_of(whole) == [
        {"id": 11, "quantity": 3, "properties": {**mark, "Engraving": "M"}},
        {"id": 11, "quantity": 1, "properties": {**mark, "Engraving": "N"}},
        {"id": 11, "quantity": 4, "properties": mark},
        {"id": 99, "quantity": 4, "properties": {**mark, "_bundle_fee": "1"}},
    ]
    assert variant_counts(items) == {11: 8}


def test_answers_do_not_change_a_ghost_identity() -> None:
    mug = product(1, variant(11))
    plain = configured_items(WITH_FIELDS, [line_of(mug, 11, 3, section=1)])
    answered = configured_items(
        WITH_FIELDS,
        [line_of(mug, 11, 2, section=1), line_of(mug, 11, 1, section=1, answers=(("engraving", "M"),))],
    )

    assert ghost_identity(42, plain, Decimal(9)) == ghost_identity(42, answered, Decimal(9))
