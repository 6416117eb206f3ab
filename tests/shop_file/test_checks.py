"""Consistency rules between the parts of a shop file."""

from decimal import Decimal

import pytest

from bundlesvc.domain.shop import PlatformMarket
from bundlesvc.shop_file.loading import ShopFileInvalid
from tests.shop_file.shop_files import Broken, assert_broken, faults, load

UNIQUE = [
    Broken(
        '    variants: [{id: "9001", price: "0.00"}]',
        '    variants: [{id: "9001", price: "0.00"}]\n  ¦- {id: gid://platform/Product/111, title: Again}',
        "products.3.id",
        "Product 111 already exists.",
    ),
    Broken(
        '- {id: "2009", price: "2.00"}',
        '- {id: "2009", price: "2.00"}\n      ¦- {id: 1001, price: 1}',
        "products.1.variants.2.id",
        "Variant 1001 already exists.",
    ),
    Broken("title: Mug\n", "title: Mug\n    ¦handle: shirt\n", "products.1.handle", "'shirt' already exists"),
    Broken(
        "products:\n  - id",
        "  - {countryCode: no, currency: NOK, exchangeRate: 1}\nproducts:\n  - id",
        "markets.1.countryCode",
        "A market for 'NO' already exists.",
    ),
    Broken(
        "experiments:\n",
        "  - {id: 42, name: Again, type: native}\nexperiments:\n",
        "bundles.2.id",
        "Bundle 42 already exists.",
    ),
    Broken("bundleItemId: 1,", "bundleItemId: 2,", "bundles.0.sections.1.products.0.bundleItemId", "Bundle item 2"),
    Broken(
        "    requiredProducts:",
        "      - {id: 2}\n    requiredProducts:",
        "bundles.0.sections.2.id",
        "Section 2 already exists.",
    ),
    Broken("key: colour", "key: name", "bundles.0.personalisation.111.1.key", "'name' already exists"),
    Broken(
        'discount: "5"}\n    translations:',
        'discount: "5"}\n        ¦- {id: 7}\n    translations:',
        "bundles.0.subscription.groups.1.id",
        "Group 7",
    ),
    Broken(
        "frequency: 2, unit: week",
        "frequency: 1, unit: month",
        "bundles.0.subscription.groups.0.options.1",
        "every month",
    ),
    Broken(
        "bundles:\n",
        "  - {id: 7, title: Twice, options: [{name: Size}, {name: Size}]}\nbundles:\n",
        "products.3.options.1.name",
        "'Size' already exists",
    ),
    Broken(
        'weight: "0.5"}\n',
        'weight: "0.5"}\n  ¦- {id: exp-1, bundleId: 43, arms: [{bundleId: 43, weight: 1}]}\n',
        "experiments.1.id",
        "'exp-1' already exists",
    ),
    Broken(
        'weight: "0.5"}\n',
        'weight: "0.5"}\n  ¦- {id: exp-2, bundleId: 42, arms: [{bundleId: 42, weight: 1}]}\n',
        "experiments.1.bundleId",
        "An experiment for bundle 42 already exists.",
    ),
]

NAMED = [
    Broken('{"1001": 199.00}', '{"1003": 199.00}', "markets.0.prices.1003", "no variant 1003"),
    Broken('Ids: ["1002"]', 'Ids: ["1003"]', "markets.0.unavailableVariantIds.0", "no variant 1003"),
    Broken(
        "options: {Size: {name", "options: {Colour: {name", "products.0.translations.de.options.Colour", "no option"
    ),
    Broken(
        "optionValues: [S]",
        "optionValues: [S, Red]",
        "products.0.variants.0.optionValues",
        "1 option, but this variant has 2",
    ),
    Broken(", optionValues: [M]", "", "products.0.variants.1.optionValues", "1 option, but this variant has 0 values"),
    Broken('price: "2.00"}', 'price: "2.00", optionValues: [x]}', "products.1.variants.1.optionValues", "0 options"),
    Broken('platformProductId: "900"', 'platformProductId: "901"', "bundles.0.platformProductId", "no product 901"),
    Broken('parentVariantId: "9001"', 'parentVariantId: "9002"', "bundles.0.parentVariantId", "no variant 9002"),
    Broken(
        'parentVariantId: "9001"',
        'parentVariantId: "1001"',
        "bundles.0.parentVariantId",
        "Variant 1001 belongs to product 111, not to product 900.",
    ),
    Broken(
        'platformProductId: "222"',
        "platformProductId: 223",
        "bundles.0.sections.0.products.0.platformProductId",
        "no product",
    ),
    Broken(
        'variantIds: ["2001"]',
        'variantIds: ["2001", "1001"]',
        "bundles.0.sections.0.products.0.variantIds.1",
        "Variant 1001 belongs to product 111, not to product 222.",
    ),
    Broken(
        'variantIds: ["1001"]', 'variantIds: ["1009"]', "bundles.0.requiredProducts.0.variantIds.0", "no variant 1009"
    ),
    Broken(
        "sectionId: 1}\n      - {type: mult",
        "sectionId: 3}\n      - {type: mult",
        "bundles.0.limitRules.1.sectionId",
        "no section 3",
    ),
    Broken('  "111":\n', '  "112":\n', "bundles.0.personalisation.112", "no product 112"),
    Broken(
        'variantId: "2009"', 'variantId: "2008"', "bundles.0.personalisation.111.0.fee.variantId", "no variant 2008"
    ),
    Broken(
        "type: single-product",
        "type: single-product, personalisation: {111: [{key: k, type: text, fee: "
        "{variantId: 2009, amount: 1, currencyCode: EUR}}]}",
        "bundles.1.personalisation.111.0.fee",
        "Only native bundles",
    ),
    Broken('sections: {"1": {', 'sections: {"3": {', "bundles.0.translations.de.sections.3", "no section 3"),
    Broken('tiers: {"1": {', 'tiers: {"2": {', "bundles.0.translations.de.tiers.2", "no tier 2"),
    Broken("texts: {a3:", "texts: {c1:", "bundles.0.translations.de.texts.c1", "no condition action"),
    Broken('groups: {"7":', 'groups: {"8":', "bundles.0.translations.de.groups.8", "no group 8"),
    Broken(
        'personalisation: {"222"',
        'personalisation: {"333"',
        "bundles.0.translations.de.personalisation.333",
        "no personalisation of product 333",
    ),
    Broken(
        "print: {label",
        "prints: {label",
        "bundles.0.translations.de.personalisation.222.prints",
        "Product 222 has no personalisation field with this key.",
    ),
    Broken(
        "options: {matt: matt",
        "options: {gloss: matt",
        "bundles.0.translations.de.personalisation.222.print.options.gloss",
        "The field 'print' has no such option.",
    ),
    Broken("{bundleId: 43,", "{bundleId: 44,", "experiments.0.arms.1.bundleId", "no bundle 44"),
    Broken(
        "      - {bundleId: 42, weight: 50}\n", "", "experiments.0.arms.0.bundleId", "The first arm must be the bundle"
    ),
    Broken(
        "experiments:\n",
        "experiments:\n  ¦- {id: e0, bundleId: 43}\n",
        "experiments.0.arms",
        "at least one arm",
    ),
]


@pytest.mark.parametrize("broken", UNIQUE, ids=lambda broken: broken.path)
def test_ids_must_be_unique(broken: Broken) -> None:
    assert_broken(broken)


@pytest.mark.parametrize("broken", NAMED, ids=lambda broken: f"{broken.path}-{broken.message}")
def test_references_must_exist(broken: Broken) -> None:
    assert_broken(broken)


@pytest.mark.parametrize(
    "part",
    [
        "bundles: [{id: 1, name: B, type: native}]",
        "bundles: [{id: 1, name: B, type: native, sections: [{id: 1}]}]",
        "products: [{id: 1, title: T}]",
        "products: [{id: 1, title: T}, {id: 2, title: T}]",
        "bundles: [{id: 1, name: B, type: native, limitRules: [{type: multiples-of}]}]",
        "bundles: [{id: 1, name: B, type: native, limitRules: [{type: multiples-of, value: null, operation: null}]}]",
        "bundles: [{id: 1, name: B, type: native, subscription: {mode: required}}]",
        "bundles: [{id: 1, name: B, type: native, bundlingOption: upsells}]",
        "bundles: [{id: 1, name: B, type: native}]\nexperiments: [{id: e, bundleId: 1, arms: [{bundleId: 1, weight: 0.25}]}]",
    ],
)
def test_unusual_but_valid_files_load(part: str) -> None:
    load(f"shop: {{handle: s, currency: EUR}}\n{part}")


CHANNELS = """shop: {handle: tea, platform: {kind: vendure, domain: tea.example, channel: home,
  markets: [{countryCode: US, currency: USD, exchangeRate: "1.10", channel: us},
            {countryCode: CH, currency: CHF, exchangeRate: 1}]}}
bundles:
  - {id: 1, name: Box, type: native, platformProductId: "5", parentVariantId: "6"}
"""
"""A shop on a platform with channels and without ghost variants."""


def test_a_platform_with_channels_has_markets_in_the_file() -> None:
    link = load(CHANNELS).shop.platform
    assert link.channel == "home"
    assert link.market("US") == PlatformMarket("US", "USD", Decimal("1.10"), "us")
    assert link.market("CH") == PlatformMarket("CH", "CHF", Decimal(1), None)
    assert link.market("DE") is None


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ("type: native", "type: single-product", "bundles.0.type", "native bundles only"),
        ("type: native", "type: multiple-products", "bundles.0.type", "native bundles only"),
        (
            'parentVariantId: "6"',
            "limitRules: [{type: amount-of-items, operation: gte, value: 1}, {type: amount-of-weight, operation: gte, value: 1}]",
            "bundles.0.limitRules.1.type",
            "no weights",
        ),
        ("kind: vendure", "kind: shopify", "shop.platform.channel", "does not have it"),
        ("kind: vendure", "kind: shopify", "shop.platform.markets", "does not have it"),
        ("countryCode: CH", "countryCode: us", "shop.platform.markets.1.countryCode", "'US' already exists"),
        ("exchangeRate: 1}", "exchangeRate: 0}", "shop.platform.markets.1.exchangeRate", "greater than 0"),
        ("currency: CHF", "currency: Franc", "shop.platform.markets.1.currency", "three capital letters"),
        (", domain: tea.example", "", "shop.platform.domain", "required"),
    ],
)
def test_what_a_platform_lacks_is_refused(old: str, new: str, path: str, message: str) -> None:
    with pytest.raises(ShopFileInvalid) as invalid:
        load(CHANNELS.replace(old, new))
    assert any(fault.path == path and message in fault.message for fault in invalid.value.faults), invalid.value.faults


@pytest.mark.parametrize(
    ("times", "is_fault"),
    [
        ("publishedFrom: 2026-11-27T00:00, publishedUntil: 2026-11-28T00:00", False),
        ("publishedFrom: 2026-11-27T00:00", False),
        ("publishedFrom: 2026-11-27T00:00, publishedUntil: 2026-11-27T00:00", True),
        ("publishedFrom: 2026-11-27T00:00:30, publishedUntil: 2026-11-27T00:00", True),
        ("publishedFrom: 2026-11-27T00:00:30, publishedUntil: 2026-11-27T00:01", False),
    ],
)
def test_bundle_ends_after_it_has_begun(times: str, is_fault: bool) -> None:
    text = f"shop: {{handle: s}}\nbundles:\n  - {{id: 1, name: Box, type: native, {times}}}\n"
    found = [(fault.path, fault.message) for fault in faults(text)]
    expected = [("bundles.0.publishedUntil", "This must be later than publishedFrom.")] if is_fault else []
    assert [fault for fault in found if "published" in fault[0]] == expected


def test_times_of_bundles_are_in_the_time_zone_of_the_shop() -> None:
    text = """
shop: {handle: s, currency: EUR, timezone: Europe/Berlin}
products: [{id: 900, title: Gift, variants: [{id: 9001, price: 0}]}]
bundles:
  - {id: 1, name: Box, type: native, platformProductId: 900, parentVariantId: 9001, publishedFrom: "2026-11-27T00:00"}
"""
    (bundle,) = load(text).bundles
    assert (bundle.begins_at, bundle.ends_at) == (1_795_734_000, None)
