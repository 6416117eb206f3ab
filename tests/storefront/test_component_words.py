"""The web component's words: every one that it asks for is there, and none lies about unused.

What a shopper reads is found by key: some keys stand in the component as they are, others are made of a beginning and a code
of the service ("fault-sold_out").
"""

import re
from collections.abc import Iterator

import pytest

from bundlesvc.api.embed.texts import texts_by_language
from bundlesvc.api.storefront import FOLDER
from bundlesvc.domain.bundle import DISCOUNT_TYPES, SUBSCRIPTION_UNITS
from bundlesvc.domain.comparison import COMPARISONS
from bundlesvc.domain.limit_rules import LIMIT_RULE_TYPES
from bundlesvc.services.stock_reminders import MESSAGE_CODES

ELEMENT = FOLDER / "bundle-builder.js"
SOURCES = [ELEMENT, *sorted((FOLDER / "component").glob("*.js"))]
ENGLISH = texts_by_language()["en"]

FAMILIES = {
    "answer": ("required", "too_long", "not_offered", "invalid", "invalid_character"),
    "error": ("network", "403", "404", "429"),
    "every": tuple(f"{unit}{plural}" for unit in SUBSCRIPTION_UNITS for plural in ("", "s")),
    "fault": (
        "answers_too_long",
        "item_count",
        "not_active",
        "sold_out",
        "stock",
        "few",
        "not_sold_in_country",
        "section_hidden",
        "product_hidden",
        "required_missing",
        "required",
        "invalid_email",
        "not-yet",
    ),
    "limit": tuple(COMPARISONS),
    "notify": MESSAGE_CODES,
    "off": DISCOUNT_TYPES,
    "rule": LIMIT_RULE_TYPES,
}
"""By their beginning, the codes for which there are words."""


def _literals() -> set[str]:
    """Every quoted word of the component: the keys are among them."""
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    return set(re.findall(r'"([A-Za-z][\w-]*)"', source))


def _asked_for() -> Iterator[str]:
    """The keys that stand as they are in a call of `say`, not made of parts."""
    for path in SOURCES:
        for call in re.findall(r"\bsay\((?!`)([^)]*)", path.read_text("utf-8")):
            yield from re.findall(r'(?:^|\? | : )"([A-Za-z][\w-]*)"', call)


def _made() -> set[str]:
    return {f"{beginning}-{code}" for beginning, codes in FAMILIES.items() for code in codes}


def _first_words() -> dict[str, set[str]]:
    """The keys of the words that the element holds itself, by language."""
    table = ELEMENT.read_text("utf-8").split("const FIRST = {")[1].split("\n};")[0]
    languages = re.findall(r"^  (\w+): \{\n(.*?)\n  \},", table, re.MULTILINE | re.DOTALL)
    return {language: set(re.findall(r'^    "?([\w-]+)"?: "', words, re.MULTILINE)) for language, words in languages}


def test_there_are_words_for_every_key_that_is_asked_for() -> None:
    asked = set(_asked_for())

    assert len(asked) > 30
    assert asked <= set(ENGLISH)


@pytest.mark.parametrize("key", sorted(_made()))
def test_there_are_words_for_every_code(key: str) -> None:
    assert ENGLISH[key]


def test_no_words_are_unused() -> None:
    assert set(ENGLISH) - _literals() - _made() == set()


def test_what_is_said_before_the_service_answers() -> None:
    words = _first_words()

    assert set(words) == {"en", "de"}
    assert words["en"] == words["de"] == {"loading", "retry", "error", "error-network", "error-404", "error-429"}
    assert words["en"] <= set(ENGLISH)
