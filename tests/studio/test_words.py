"""The studio's UI texts: every text that the page uses exists in English and German, and none is unused."""

import re
from pathlib import Path

import pytest

from bundlesvc.domain.bundle import DISCOUNT_TYPES, SUBSCRIPTION_MODES, SUBSCRIPTION_UNITS, TIER_TYPES
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, SECTION_QUANTITY
from bundlesvc.domain.live_platform.platform_bundle import FAULTS
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.domain.personalisation import FIELD_TYPES
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from bundlesvc.studio.page_files import PAGE
from tests.studio.page import in_page

pytestmark = pytest.mark.process

SOURCES = [path for path in PAGE.rglob("*.js") if path.parent.name != "words"]
FAMILIES: dict[str, tuple[str, ...]] = {
    "discount": ("none", *DISCOUNT_TYPES),
    "discount-value": DISCOUNT_TYPES,
    "discount-value-hint": DISCOUNT_TYPES,
    "tier": TIER_TYPES,
    "operation": tuple(COMPARISONS),
    "rule-operation": tuple(COMPARISONS),
    "rule": tuple(RULE_TYPES),
    "test": tuple(name for name in CONDITION_TYPES if name != SECTION_QUANTITY.name),
    "action": tuple(ACTION_TYPES),
    "action-sentence": tuple(ACTION_TYPES),
    "subscription": SUBSCRIPTION_MODES,
    "unit": SUBSCRIPTION_UNITS,
    "field": FIELD_TYPES,
    "bundle-fault": FAULTS,
    "severity": ("error", "warning", "note"),
    "revision": ("draft", "scheduled", "live", "past", "discarded"),
    "save": ("saved", "saving", "offline", "asking", "gone"),
    "file": ("workbook", "no-text", "empty", "open-quote", "no-title", "no-price", "foreign-price"),
    "row": (
        *(
            "open-quote",
            "stray-quote",
            "more-cells",
            "no-title",
            "too-long",
            "hidden",
            "twice",
            "sku-twice",
            "sku-taken",
        ),
        *("no-price", "which-price", "large-price", "foreign-price", "no-quantity", "no-grams", "no-image"),
    ),
    "feature-off": ("conditions", "subscriptions", "personalisation", "translations"),
}
"""The codes that need texts, by the prefix of the texts' keys."""


@pytest.fixture(scope="module")
def words() -> dict[str, dict[str, str]]:
    (made,) = in_page(("words",))
    result: dict[str, dict[str, str]] = made
    return result


@pytest.fixture(scope="module")
def source() -> str:
    return "".join(path.read_text("utf-8") for path in SOURCES)


def test_both_languages_have_the_same_texts_with_the_same_places(words: dict[str, dict[str, str]]) -> None:
    def places(texts: dict[str, str]) -> dict[str, list[str]]:
        return {key: sorted(re.findall(r"\{(\w+)\}", text)) for key, text in texts.items()}

    assert places(words["en"]) == places(words["de"])


def test_every_text_that_is_used_exists(words: dict[str, dict[str, str]], source: str) -> None:
    used = set(re.findall(r'\bsay\(\s*"([\w-]+)"', source)) | set(re.findall(r'\bsay\([^"]*\? "([\w-]+)" : "', source))

    assert len(used) > 100
    assert used - set(words["en"]) == set()


def test_every_code_has_a_text(words: dict[str, dict[str, str]]) -> None:
    composed = {f"{beginning}-{code}" for beginning, codes in FAMILIES.items() for code in codes}

    assert composed - set(words["en"]) == set()


def test_every_type_can_be_chosen(words: dict[str, dict[str, str]]) -> None:
    """Every type of rule, condition and action can be chosen. The number of units in a section is not a separate choice: it is
    the number of units in the selection, restricted to a section."""
    (types,) = in_page(("types",))

    assert set(types["rules"]) == set(RULE_TYPES)
    assert {*types["tests"], SECTION_QUANTITY.name} == set(CONDITION_TYPES)
    assert set(types["actions"]) == set(ACTION_TYPES)
    assert set(types["sentences"]) <= set(words["en"])


def test_every_test_and_action_can_be_made() -> None:
    """Every condition and action can be created. If the editor lacks the fields of a type, this test fails."""
    tests = [name for name in CONDITION_TYPES if name != SECTION_QUANTITY.name]
    first = {"productId": "1", "variantId": "11", "product": "1", "section": 2}
    node = {"id": "one", "kind": "condition"}
    made = in_page(
        *(("testOfType", node, name, first) for name in tests),
        *(("actionOfType", node, name, first) for name in ACTION_TYPES),
    )

    assert [each["type"] for each in made] == [*tests, *ACTION_TYPES]


def test_every_action_has_blanks() -> None:
    source = (PAGE / "editor" / "condition-actions.js").read_text("utf-8")

    assert set(re.findall(r'case "([\w-]+)":', source)) == set(ACTION_TYPES)


def test_no_text_is_unused(words: dict[str, dict[str, str]], source: str) -> None:
    literals = set(re.findall(r'["`]([A-Za-z][\w-]*)["`]', source))
    beginnings = set(re.findall(r'\b(?:sayOf|say)\(\s*(?:/\*\*.*?\*/ \()?[`"]([\w-]+?)(?:-\$\{|")', source))
    composed = {key for key in words["en"] if any(key.startswith(f"{beginning}-") for beginning in beginnings)}
    counted = {key for key in words["en"] if key.split("-")[0] in ("one", "many")}

    assert set(words["en"]) - literals - composed - counted == set()


def test_page_loads_its_own_files_only() -> None:
    for path in (*SOURCES, *PAGE.rglob("*.css"), *PAGE.rglob("*.html")):
        addresses = re.findall(r"https?://[^\"'\s)]+", Path(path).read_text("utf-8"))
        assert {address for address in addresses if "w3.org" not in address} <= {"https://"}, path
