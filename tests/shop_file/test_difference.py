"""The changes that loading a shop file would make."""

import pytest

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.difference import difference
from tests.shop_file.shop_files import FULL, SAMPLE, load


def changed(*replacements: tuple[str, str]) -> list[str]:
    text = FULL
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return difference(load(FULL), load(text))


def test_a_new_shop_has_a_line_for_each_part() -> None:
    assert difference(None, load(FULL)) == [
        "+ shop full",
        "+ market NO",
        "+ product 111 Shirt",
        "+ product 222 Mug",
        "+ product 900 Gift Box",
        "+ bundle 42 Box",
        "+ bundle 43 Bare",
        "+ experiment exp-1",
    ]


@pytest.mark.parametrize("text", [SAMPLE, FULL], ids=["sample", "full"])
def test_equal_shops_have_no_difference(text: str) -> None:
    assert difference(load(text), load(text)) == []


def test_the_order_of_products_and_bundles_does_not_matter() -> None:
    shop_file = load(FULL)
    turned = ShopFile(
        shop_file.shop,
        shop_file.markets[::-1],
        shop_file.products[::-1],
        shop_file.bundles[::-1],
        shop_file.experiments[::-1],
    )
    assert difference(turned, shop_file) == []


def test_parts_missing_from_a_newer_file_are_removed() -> None:
    empty = load("shop: {handle: full, name: Full Shop, domain: full.example, currency: EUR}")
    lines = difference(load(FULL), empty)
    assert lines[-7:] == [
        "- market NO",
        "- product 111 Shirt",
        "- product 222 Mug",
        "- product 900 Gift Box",
        "- bundle 42 Box",
        "- bundle 43 Bare",
        "- experiment exp-1",
    ]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("name: Full Shop", "name: Fuller Shop", ["~ shop full name: Full Shop -> Fuller Shop"]),
        ("currency: EUR\n", "currency: USD\n", ["~ shop full currency: EUR -> USD"]),
        ("headlessEnabled: true", "headlessEnabled: false", ["~ shop full headlessEnabled: true -> false"]),
        ("[wide, compact]", "[wide]", ["~ shop full templates: [wide, compact] -> [wide]"]),
        (
            "platform: {kind: embedded}",
            "platform: {kind: embedded, domain: d.example}",
            ["~ shop full platform.domain: null -> d.example"],
        ),
        ("exchangeRate: 11.50", "exchangeRate: 11.75", ["~ market NO exchangeRate: 11.50 -> 11.75"]),
        ("199.00", "189", ["~ market NO prices.1001: 199.00 -> 189.00"]),
        ('{"1001": 199.00}', "{}", ["- market NO prices.1001: 199.00"]),
        ("countryCode: NO", "countryCode: SE", ["+ market SE", "- market NO"]),
        ("price: 19.90,", "price: 21,", ["~ product 111 variants.1001.price: 19.90 -> 21.00"]),
        ("sku: 0123", "sku: ''", ['~ product 111 variants.1001.sku: 0123 -> ""']),
        ('- {id: "2009", price: "2.00"}\n', '- {id: "2009", price: "2.00"}\n      - {id: 2002, title: Big, price: 9}\n',
         ["+ product 222 variants.2002 Big"]),
        ("tags: [linen, 0123, yes]", "tags: []", ["~ product 111 tags: [linen, 0123, yes] -> []"]),
        ("name: Größe", "name: Grösse", ["~ product 111 translations.de.options.Size.name: Größe -> Grösse"]),
        ('value: "10.00"\n', 'value: "12"\n', ["~ bundle 42 discount.value: 10.00 -> 12.00"]),
        ('minimum: "20"', "minimum: null", ["~ bundle 42 discount.minimum: 20.00 -> null"]),
        ('value: "3", discount', 'value: "3.0", discount', ["~ bundle 42 discount.tiers.0.value: 3 -> 3.0"]),
        ("name: Shirts", "name: Tops", ["~ bundle 42 sections.1.name: Shirts -> Tops"]),
        ("order: 4", "order: 6", ["~ bundle 42 sections: [1, 2] -> [2, 1]", "~ bundle 42 sections.1.order: 4 -> 6"]),
        ('variantIds: ["2001"]', "variantIds: []", ["~ bundle 42 sections.2.products.2.variantIds: [2001] -> []"]),
        ('    platformProductId: "900"\n    parentVariantId: "9001"\n', "", [
            "~ bundle 42 platformProductId: 900 -> null", "~ bundle 42 parentVariantId: 9001 -> null"]),
        ("      - {id: c6, kind: condition, type: subscription-chosen}\n", "", ["- bundle 42 conditions.c6"]),
        ("text: Hello", "text: Hi", ["~ bundle 42 conditions.a3.text: Hello -> Hi"]),
        ("children: [c1, c2, g2]", "children: [c1, g2]", ["~ bundle 42 conditions.g1.children: [c1, c2, g2] -> [c1, g2]"]),
        ("depth: 3,", "depth: {at: most},", ["~ bundle 42 conditions.x1.depth: 3 -> {at: most}"]),
        ("required: TRUE", "required: false", ["~ bundle 42 personalisation.111.name.required: true -> false"]),
        (', fee: {variantId: "2009", amount: "2", currencyCode: EUR}', "", ["- bundle 42 personalisation.111.name.fee"]),
        ("mode: required", "mode: optional", ["~ bundle 42 subscription.mode: required -> optional"]),
        ("        texts: {a3: Hallo, a7: null}\n", "      fr: {name: Boîte}\n", [
            "- bundle 42 translations.de.texts.a3: Hallo", "+ bundle 42 translations.fr Boîte"]),
        ("name: Bare", "name: Bare, discount: {type: fixed, value: 1}", ["+ bundle 43 discount"]),
        ("weight: 50", "weight: 60", ["~ experiment exp-1 arms.0.weight: 50 -> 60"]),
    ],
)  # fmt: skip
def test_changes_are_named_as_in_the_file(old: str, new: str, lines: list[str]) -> None:
    assert changed((old, new)) == lines


def test_long_and_broken_texts_are_shortened_to_a_line() -> None:
    (line,) = changed(("text: Hello", f'text: "a\\nb{"c" * 500}"'))
    assert line.startswith("~ bundle 42 conditions.a3.text: Hello -> a bccc")
    assert line.endswith("…")
    assert len(line) < 160


def test_unprintable_characters_are_replaced() -> None:
    """Unprintable characters are replaced. A file with control characters does not load, but one with a zero-width space does."""
    assert changed(("text: Hello", 'text: "\\u200bHello"')) == ["~ bundle 42 conditions.a3.text: Hello -> \ufffdHello"]


def test_equal_amounts_are_no_difference() -> None:
    assert changed(('value: "10.00"\n', "value: 10\n"), ("exchangeRate: 11.50", "exchangeRate: 11.5")) == []


def test_a_changed_order_of_parts_is_a_difference() -> None:
    first, second = "      - {bundleId: 42, weight: 50}\n", '      - {bundleId: 43, weight: "0.5"}\n'
    assert changed((first, first + '      - {bundleId: 42, weight: "0.5"}\n'), (second, "")) == [
        "~ experiment exp-1 arms.1.bundleId: 43 -> 42"
    ]
    c6 = "      - {id: c6, kind: condition, type: subscription-chosen}\n"
    (line,) = changed((c6, ""), ("    personalisation:\n", f"{c6}    personalisation:\n"))
    assert line.startswith("~ bundle 42 conditions: [c1, c2, c3")
