"""The web component's UI texts: every text that it uses exists, and none is unused.

Each text has a key. Some keys are literals in the component; others consist of a prefix and a code from a response of the service
("fault-sold_out").
"""

import re
from collections.abc import Iterator

import pytest

from bundlesvc.api.embed.rendering import texts_by_language
from bundlesvc.api.storefront_files.static_files import FOLDER
from bundlesvc.domain.bundle import DISCOUNT_TYPES
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from bundlesvc.services.shoppers.stock_reminders import MESSAGE_CODES

ELEMENT = FOLDER / "bundle-builder.js"
PLACEHOLDER = FOLDER / "component" / "view" / "placeholder.js"
SOURCES = [ELEMENT, *sorted((FOLDER / "component").rglob("*.js"))]
ENGLISH = texts_by_language()["en"]

FAMILIES = {
    "answer": ("required", "too_long", "not_offered", "invalid", "invalid_character"),
    "error": ("offline", "unreachable", "403", "404", "429"),
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
    "rule": RULE_TYPES,
}
"""The codes that have texts, by the prefix of the texts' keys."""


def _literals() -> set[str]:
    """Find every quoted word in the component's source. The keys of UI texts are among these words."""
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    return set(re.findall(r'"([A-Za-z][\w-]*)"', source))


def _used_keys() -> Iterator[str]:
    """Find the keys that are passed to `say` as literals."""
    for path in SOURCES:
        for call in re.findall(r"\bsay\((?!`)([^)]*)", path.read_text("utf-8")):
            yield from re.findall(r'(?:^|\? | : )"([A-Za-z][\w-]*)"', call)


def _composed_keys() -> set[str]:
    return {f"{beginning}-{code}" for beginning, codes in FAMILIES.items() for code in codes}


def _first_words() -> dict[str, set[str]]:
    """Find the keys of the UI texts that are built into the component, by language."""
    table = PLACEHOLDER.read_text("utf-8").split("const FIRST = {")[1].split("\n};")[0]
    languages = re.findall(r"^  (\w+): \{\n(.*?)\n  \},", table, re.MULTILINE | re.DOTALL)
    return {language: set(re.findall(r'^    "?([\w-]+)"?:\s+"', words, re.MULTILINE)) for language, words in languages}


def test_every_used_key_has_a_text() -> None:
    used = set(_used_keys())

    assert len(used) > 30
    assert used <= set(ENGLISH)


@pytest.mark.parametrize("key", sorted(_composed_keys()))
def test_every_code_has_a_text(key: str) -> None:
    assert ENGLISH[key]


def test_no_text_is_unused() -> None:
    assert set(ENGLISH) - _literals() - _composed_keys() == set()


def test_element_has_texts_for_the_time_before_the_first_response() -> None:
    words = _first_words()

    assert set(words) == {"en", "de"}
    errors = {f"error-{code}" for code in FAMILIES["error"]}
    assert words["en"] == words["de"] == {"loading", "retry", "again", "error", *errors}
    assert words["en"] <= set(ENGLISH)
