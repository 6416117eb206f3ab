"""Findings about missing translations and missing UI texts."""

import pytest

from tests.shop_file.lint.linted import SHIRTS_THEN_MUGS, action, found, lint, nodes, shop

ALL_IN_GERMAN = """
- {id: 100, title: Shirt, translations: {de: {title: Hemd}}, variants: [{id: 1001, price: 20}]}
- {id: 200, title: Mug, translations: {de: {title: Becher}}, variants: [{id: 2001, price: 8}]}
- {id: 300, title: Tea, variants: [{id: 3001, price: 5}]}
- {id: 900, title: Box, variants: [{id: 9001, price: 0}]}
"""
TIER = "discount: {type: percentage, tiers: [{type: total_products, operation: gte, value: 3, discount: 5}]}"
TIER_WITH_TEXT = TIER.replace("discount: 5", "discount: 5, customText: Three")
ENGRAVED = "personalisation: {200: [{key: words, label: Words, type: text, helpText: Short}]}"
COLOURED = "personalisation: {200: [{key: hue, label: Colour, type: dropdown, options: [red, blue]}]}"
SUBSCRIBED = "subscription: {groups: [{id: 7, name: Monthly, options: [{frequency: 1, unit: month}]}]}"
MISSING = ["warning translation-missing translations"]


def test_a_bundle_needs_the_languages_of_its_products() -> None:
    assert found(shop(products=ALL_IN_GERMAN)) == MISSING
    assert found(shop("translations: {de: {name: Kiste}}", products=ALL_IN_GERMAN)) == []
    assert found(shop("translations: {de: {name: Kiste}}", products=ALL_IN_GERMAN, features="conditions")) == [
        "warning feature-off shop.activeFeatures"
    ]


def test_a_product_needs_the_languages_of_its_bundle() -> None:
    text = shop("translations: {de: {name: Kiste}}", products=ALL_IN_GERMAN.replace("{de: {title: Becher}}", "{}"))
    (finding,) = lint(text)
    assert (finding.code, finding.path) == ("translation-missing", "products.1.translations")
    assert finding.message == "Product 200 is not translated into de, but other parts of the shop are."


def test_texts_of_features_that_are_off_need_no_translation() -> None:
    text = shop(
        ENGRAVED, SUBSCRIBED, "translations: {de: {name: Kiste}}", products=ALL_IN_GERMAN, features="translations"
    )
    assert [finding.code for finding in lint(text) if finding.code == "translation-incomplete"] == []


def test_products_in_no_bundle_are_ignored() -> None:
    assert not [finding for finding in lint(shop(products=ALL_IN_GERMAN)) if "300" in finding.message]


@pytest.mark.parametrize(
    ("locale", "translations", "findings"),
    [
        ("en", "{DE: {name: Kiste}}", []),
        ("en", "{de-AT: {name: Kiste}}", ["translation-missing bundles.0"]),
        ("en", "{de: {name: Kiste}, de-AT: {name: Kisterl}}", []),
        ("en", "{de: {name: Kiste}, fr: {name: Boîte}}", ["translation-missing products"]),
        ("de", "{}", []),
        ("de-CH", "{}", []),
        ("fr", "{}", ["translation-missing bundles.0"]),
    ],
)
def test_which_languages_cover_others(locale: str, translations: str, findings: list[str]) -> None:
    text = shop(f"translations: {translations}", products=ALL_IN_GERMAN).replace(
        "{handle: s,", f"{{handle: s, locale: {locale},"
    )
    reported = [f"{finding.code} {finding.path}" for finding in lint(text)]
    assert {line.removesuffix(".translations").removesuffix(".0").removesuffix(".1") for line in reported} == {
        line.removesuffix(".0") for line in findings
    }


def test_a_region_needs_only_what_differs_from_its_language() -> None:
    products = ALL_IN_GERMAN.replace("{de: {title: Hemd}}", "{de: {title: Hemd}, de-AT: {}}")
    assert found(shop("translations: {de: {name: Kiste}, de-AT: {}}", products=products)) == []
    texts = "translations: {de: {}, de-AT: {name: Kisterl}}"
    assert found(shop(texts, products=products)) == ["warning translation-incomplete translations.de"]


@pytest.mark.parametrize(
    ("parts", "words", "missing"),
    [
        ([], "{name: Kiste}", None),
        ([], "{}", "name"),
        ([], "{name: ' '}", "name"),
        (["description: Nice"], "{name: Kiste}", "description"),
        (["description: Nice"], "{name: Kiste, description: Schön}", None),
        ([SHIRTS_THEN_MUGS], "{name: Kiste}", "name of section 1, name of section 2"),
        ([SHIRTS_THEN_MUGS], "{name: Kiste, sections: {1: {name: Hemden}, 2: {name: Becher}}}", None),
        ([TIER_WITH_TEXT], "{name: Kiste}", "text of tier 0"),
        ([TIER_WITH_TEXT], "{name: Kiste, tiers: {0: {customText: Drei}}}", None),
        ([TIER], "{name: Kiste}", None),
        ([nodes(action("a", "message", text="Hello"))], "{name: Kiste}", "text of action 'a'"),
        ([nodes(action("a", "message", text="Hello"))], "{name: Kiste, texts: {a: Hallo}}", None),
        ([nodes(action("a", "message", text="''"))], "{name: Kiste}", None),
        (
            [ENGRAVED],
            "{name: Kiste}",
            "label of field 'words' of product 200, helpText of field 'words' of product 200",
        ),
        ([ENGRAVED], "{name: Kiste, personalisation: {200: {words: {label: Worte, helpText: Kurz}}}}", None),
        (
            [COLOURED],
            "{name: Kiste, personalisation: {200: {hue: {label: Farbe, options: {red: rot}}}}}",
            "option 'blue' of field 'hue' of product 200",
        ),
        ([COLOURED], "{name: Kiste, personalisation: {200: {hue: {label: F, options: {red: r, blue: b}}}}}", None),
        ([SUBSCRIBED], "{name: Kiste}", "name of group 7"),
        ([SUBSCRIBED], "{name: Kiste, groups: {7: {name: Monatlich}}}", None),
    ],
)
def test_texts_of_a_bundle(parts: list[str], words: str, missing: str | None) -> None:
    text = shop(*parts, f"translations: {{de: {words}}}", products=ALL_IN_GERMAN)
    findings = [finding for finding in lint(text) if finding.code == "translation-incomplete"]
    assert [finding.message for finding in findings] == ([f"Not translated: {missing}."] if missing else [])
    assert all(finding.path == "bundles.0.translations.de" for finding in findings)


@pytest.mark.parametrize(
    ("product", "words", "missing"),
    [
        ("title: Mug", "{title: Becher}", None),
        ("title: Mug", "{}", "title"),
        ("title: Mug, descriptionHtml: <p>Nice</p>", "{title: Becher}", "descriptionHtml"),
        ("title: Mug, options: [{name: Size}]", "{title: Becher}", "option 'Size'"),
        ("title: Mug, options: [{name: Size}]", "{title: Becher, options: {Size: {values: {S: K}}}}", "option 'Size'"),
        ("title: Mug, options: [{name: Size, values: [S]}]", "{title: Becher, options: {Size: {name: Größe}}}", None),
    ],
)
def test_texts_of_a_product(product: str, words: str, missing: str | None) -> None:
    values = ", optionValues: [S]" if "options:" in product else ""
    products = f"""
- {{id: 200, {product}, translations: {{de: {words}}}, variants: [{{id: 2001, price: 8{values}}}]}}
- {{id: 900, title: Box, variants: [{{id: 9001, price: 0}}]}}
"""
    sections = "sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: 200}]}]"
    findings = lint(shop(sections, "translations: {de: {name: Kiste}}", products=products))
    assert [finding.message for finding in findings] == ([f"Not translated: {missing}."] if missing else [])
    assert all(finding.path == "products.0.translations.de" for finding in findings)
