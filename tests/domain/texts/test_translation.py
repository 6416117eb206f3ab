"""The language of a response, and translated bundles and products (docs/contract.md#languages)."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import (
    BundleTranslation,
    FieldTranslation,
    GroupTranslation,
    PersonalisationField,
    RecurringGroup,
    SectionTranslation,
    SubscriptionOption,
    SubscriptionProgram,
    TierTranslation,
)
from bundlesvc.domain.product import Option, OptionTranslation, Product, ProductTranslation, Swatch
from bundlesvc.domain.texts.translation import choose_language, find_translation, translate_bundle, translate_product
from tests.domain.builders import bundle, product, section, tier, tiered, variant

TAGS = st.sampled_from(["de", "de-CH", "DE", "fr", "fr-CA", "en", "en-GB", "ja", "", "-", "*"])


@pytest.mark.parametrize(
    ("requested", "available", "chosen"),
    [
        pytest.param([], ["de"], "en", id="nothing requested"),
        pytest.param(["de"], [], "en", id="nothing available"),
        pytest.param(["de"], ["de"], "de", id="exact"),
        pytest.param(["de-CH"], ["de", "de-CH"], "de-CH", id="exact before language"),
        pytest.param(["de-CH"], ["de-AT", "de"], "de", id="language"),
        pytest.param(["de-ch"], ["DE"], "DE", id="any case"),
        pytest.param(["de"], ["de-CH"], "en", id="no region for a language"),
        pytest.param(["zh-Hant-TW"], ["zh"], "zh", id="script and region"),
        pytest.param(["ja", "de"], ["de"], "de", id="the next best"),
        pytest.param(["en-GB", "de"], ["de"], "en", id="the shop's own is available"),
        pytest.param(["de-CH", "fr"], ["fr", "de"], "de", id="a language of the first before the second"),
        pytest.param(["ja", "", "-", "*"], ["de"], "en", id="nothing of it"),
    ],
)
def test_first_available_language_is_chosen(requested: list[str], available: list[str], chosen: str) -> None:
    assert choose_language(requested, available, "en") == chosen


@given(requested=st.lists(TAGS), available=st.lists(TAGS.filter(bool)), own=st.sampled_from(["en", "de-AT"]))
def test_chosen_language_is_always_available(requested: list[str], available: list[str], own: str) -> None:
    assert choose_language(requested, available, own) in {*available, own}


def test_a_translation_is_found_by_tag_or_language() -> None:
    translations = {"de": 1, "fr-CA": 2}

    requested = ("de", "DE", "de-CH", "fr-ca", "fr", "fr-FR", "en")
    assert [find_translation(translations, each) for each in requested] == [1, 1, 1, 2, None, None, None]


WORDS = BundleTranslation(
    name="Kiste",
    description="",
    sections={1: SectionTranslation("Hemden", ""), 9: SectionTranslation("Nirgends", "")},
    tiers={1: TierTranslation("Drei"), 7: TierTranslation("Nirgends")},
    texts={"a1": "Hallo", "a2": "", "c1": "Nirgends"},
)
BOX = bundle(
    description="All in one",
    discount=replace(
        tiered("percentage", tier("total_products", "gte", "2", "5"), tier("total_products", "gte", "3", "7")),
        tiers=tuple(
            replace(tier("total_products", "gte", value, value), custom_text=text)
            for value, text in (("2", "Two"), ("3", None))
        ),
    ),
    sections=(section(1), section(2)),
    conditions=(
        {"id": "c1", "kind": "condition", "type": "total-products"},
        {"id": "a1", "kind": "action", "type": "message", "text": "Hello"},
        {"id": "a2", "kind": "action", "type": "message", "text": "Bye"},
    ),
    translations={"de": WORDS},
)


def test_a_bundle_in_another_language() -> None:
    translated = translate_bundle(BOX, "de-CH")

    assert (translated.name, translated.description) == ("Kiste", "All in one")
    assert [(each.name, each.description) for each in translated.sections] == [("Hemden", ""), ("Section 2", "")]
    assert translated.discount is not None
    assert [each.custom_text for each in translated.discount.tiers] == ["Two", "Drei"]
    assert [node.get("text") for node in translated.conditions] == [None, "Hallo", "Bye"]
    assert [list(node) for node in translated.conditions] == [list(node) for node in BOX.conditions]


ENGRAVED = replace(
    BOX,
    personalisation={
        1: (
            PersonalisationField("f1", "words", "Words", "text", placeholder="Mira", help_text="Short"),
            PersonalisationField("f2", "hue", "Colour", "dropdown", options=("red", "blue", "Rot")),
        ),
        2: (PersonalisationField("f3", "hue", "Colour", "dropdown", options=("red",)),),
    },
    subscription=SubscriptionProgram(
        "optional", (RecurringGroup(7, "Monthly", ()), RecurringGroup(8, "Yearly", (SubscriptionOption(1, "year"),)))
    ),
    translations={
        "de": BundleTranslation(
            personalisation={
                1: {"words": FieldTranslation("Worte"), "hue": FieldTranslation("Farbe", options={"red": "Rot"})},
                3: {"words": FieldTranslation("Nirgends")},
            },
            groups={8: GroupTranslation("Jährlich"), 9: GroupTranslation("Nirgends")},
        )
    },
)


def test_personalisation_and_groups_in_another_language() -> None:
    translated = translate_bundle(ENGRAVED, "de")

    words, hue = translated.personalisation[1]
    assert (words.label, words.placeholder, words.help_text) == ("Worte", "Mira", "Short")
    assert (hue.label, hue.options, hue.option_labels) == ("Farbe", ("red", "blue", "Rot"), {"red": "Rot"})
    assert translated.personalisation[2] == ENGRAVED.personalisation[2]
    assert [group.name for group in translated.subscription.groups] == ["Monthly", "Jährlich"]
    assert translated.subscription.groups[1].options == ENGRAVED.subscription.groups[1].options


def test_translation_changes_only_texts() -> None:
    translated = translate_bundle(BOX, "de")

    assert replace(
        translated, name=BOX.name, sections=BOX.sections, discount=BOX.discount, conditions=BOX.conditions
    ) == replace(BOX)
    assert [replace(each, name="") for each in translated.sections] == [replace(each, name="") for each in BOX.sections]
    assert BOX.name == "Box"


@pytest.mark.parametrize("language", ["en", "fr", "d"])
def test_bundle_without_a_translation_is_unchanged(language: str) -> None:
    assert translate_bundle(BOX, language) == BOX


def test_a_bundle_without_discount_has_none_in_any_language() -> None:
    assert translate_bundle(replace(BOX, discount=None), "de").discount is None


SHIRT = replace(
    product(
        1,
        replace(variant(11, title="S / Slim"), option_values=("S", "Slim")),
        replace(variant(12, title="The M"), option_values=("M", "Slim")),
        replace(variant(13, title="S"), option_values=("S",)),
    ),
    description_html="<p>Linen</p>",
    options=(Option("Size", ("S", "M"), {"S": Swatch("#C02020")}), Option("Fit", ("Slim",))),
    translations={
        "de": ProductTranslation(
            "Hemd", "", {"Size": OptionTranslation("", {"S": "Klein", "M": ""}), "Fit": OptionTranslation("Schnitt")}
        )
    },
)


def test_a_product_in_another_language() -> None:
    translated = translate_product(SHIRT, "de-AT")

    assert (translated.title, translated.description_html, translated.handle) == ("Hemd", "<p>Linen</p>", "product-1")
    assert translated.options == (
        Option("Size", ("Klein", "M"), {"Klein": Swatch("#C02020")}),
        Option("Schnitt", ("Slim",)),
    )
    assert [(each.title, each.option_values) for each in translated.variants] == [
        ("Klein / Slim", ("Klein", "Slim")),
        ("The M", ("M", "Slim")),
        ("S", ("S",)),
    ]


def test_each_text_is_found_by_tag_and_else_by_language() -> None:
    swiss = ProductTranslation("", "<p>Schwiiz</p>", {"Size": OptionTranslation("Grössi", {"M": "Mittel"})})
    shirt = translate_product(replace(SHIRT, translations={**SHIRT.translations, "de-CH": swiss}), "de-CH")

    assert (shirt.title, shirt.description_html) == ("Hemd", "<p>Schwiiz</p>")
    assert [(option.name, option.values) for option in shirt.options] == [
        ("Grössi", ("Klein", "Mittel")),
        ("Schnitt", ("Slim",)),
    ]
    region = BundleTranslation(name="Harass", sections={2: SectionTranslation("Becher")})
    box = translate_bundle(replace(BOX, translations={"DE": WORDS, "de-ch": region}), "de-CH")
    assert (box.name, [each.name for each in box.sections]) == ("Harass", ["Hemden", "Becher"])
    assert [node.get("text") for node in box.conditions] == [None, "Hallo", "Bye"]


@given(
    value=st.text(max_size=4), price=st.decimals(0, 1000, places=2), language=st.sampled_from(["de", "de-CH", "en", ""])
)
def test_prices_and_ids_are_the_same_in_every_language(value: str, price: Decimal, language: str) -> None:
    words = ProductTranslation(value, value, {"Size": OptionTranslation(value, {"S": value})})
    own: Product = replace(SHIRT, translations={"de": words})
    own = replace(own, variants=tuple(replace(each, price=price) for each in own.variants))

    translated = translate_product(own, language)

    assert [replace(each, title="", option_values=()) for each in translated.variants] == [
        replace(each, title="", option_values=()) for each in own.variants
    ]


def test_an_unnamed_variant_stays_unnamed() -> None:
    scarf = replace(product(2), translations={"de": ProductTranslation("Schal")})

    translated = translate_product(scarf, "de")

    assert (translated.title, translated.variants) == ("Schal", scarf.variants)


@pytest.mark.parametrize("language", ["en", "fr-CA"])
def test_product_without_a_translation_is_unchanged(language: str) -> None:
    assert translate_product(SHIRT, language) == SHIRT
