"""The file format: how each element of a file is loaded, and which fault is reported when it is invalid."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.bundle import (
    Arm,
    Bundle,
    BundleTranslation,
    Discount,
    FieldTranslation,
    GroupTranslation,
    LimitRule,
    PersonalisationFee,
    PersonalisationField,
    RecurringGroup,
    RequiredProduct,
    Section,
    SectionProduct,
    SectionTranslation,
    SubscriptionOption,
    SubscriptionProgram,
    Tier,
    TierTranslation,
)
from bundlesvc.domain.product import Option, OptionTranslation, ProductTranslation, Swatch, Variant
from bundlesvc.domain.shop import Market, PlatformLink, Shop, ShopSettings
from tests.shop_file.shop_files import FULL, SAMPLE, Broken, assert_broken, faults, load


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load(FULL).bundles[0]


def test_the_sample_loads() -> None:
    shop_file = load(SAMPLE)
    (box,) = shop_file.bundles
    assert shop_file.shop.settings == ShopSettings("EUR", "€{{amount}}", "kg")
    assert [product.title for product in shop_file.products] == ["Shirt", "Gift Box"]
    assert box.product_ids == (111,)
    assert box.translations["de"].tiers == {0: TierTranslation("Drei sparen")}
    assert shop_file.experiments[0].arms == (Arm(42, Decimal(50)),)


def test_a_shop() -> None:
    assert load(FULL).shop == Shop(
        handle="full",
        name="Full Shop",
        domain="full.example",
        locale="en",
        headless_enabled=True,
        active_features=("conditions", "subscriptions", "personalisation"),
        platform=PlatformLink("embedded"),
        templates=("wide", "compact"),
        settings=ShopSettings("EUR", "€{{amount}}", "kg"),
    )


def test_defaults_of_a_shop() -> None:
    shop = load("shop: {handle: least, currency: JPY}").shop
    assert shop == Shop(
        handle="least",
        name="least",
        domain="",
        locale="en",
        headless_enabled=False,
        active_features=(),
        platform=PlatformLink("embedded"),
        templates=(),
        settings=ShopSettings("JPY", "{{amount}}", "kg"),
    )


def test_norway_is_a_country_and_amounts_are_exact() -> None:
    assert load(FULL).markets == (
        Market("NO", "NOK", Decimal("11.50"), Decimal("-5.5"), {1001: Decimal("199.00")}, (1002,)),
    )


def test_a_product() -> None:
    shirt = load(FULL).products[0]
    assert shirt.tags == ("linen", "0123", "yes")
    assert shirt.options == (Option("Size", ("S", "M"), {"S": Swatch("#C02020")}),)
    assert shirt.translations == {
        "de": ProductTranslation("Hemd", options={"Size": OptionTranslation("Größe", {"S": "Klein"})})
    }
    small = Variant(
        id=1001,
        title="S",
        price=Decimal("19.90"),
        compare_at_price=None,
        sku="0123",
        inventory_tracked=False,
        inventory_policy="deny",
        inventory_quantity=0,
        grams=0,
        option_values=("S",),
    )
    assert shirt.variants == (
        small,
        replace(small, id=1002, title="M", sku="", inventory_quantity=-2, option_values=("M",)),
    )


def test_products_and_variants_may_have_global_ids() -> None:
    mug = load(FULL).products[1]
    assert (mug.id, mug.variants[0].id, mug.variants[0].title) == (222, 2001, "Default Title")


def test_a_bundle(bundle: Bundle) -> None:
    assert (bundle.id, bundle.name, bundle.type) == (42, "Box", "native")
    assert (bundle.product_id, bundle.parent_variant_id) == (900, 9001)
    assert bundle.required_products == (RequiredProduct(111, (1001,), 2),)
    assert bundle.limit_rules == (
        LimitRule("total-number-of-products", "gte", "2.0"),
        LimitRule("amount-of-weight", "lte", "0.9", 1),
        LimitRule("multiples-of", "whatever", ""),
    )


def test_a_discount(bundle: Bundle) -> None:
    tiers = (
        Tier("total_products", "gte", "3", Decimal("5.00")),
        Tier("total_price", "gt", "50.0", Decimal("10.00"), "Ten"),
    )
    assert bundle.discount == Discount("percentage", Decimal("10.00"), "tiered", Decimal("20.00"), "cumulative", tiers)


def test_amounts_have_two_decimals(bundle: Bundle) -> None:
    assert bundle.discount is not None
    assert [str(tier.discount) for tier in bundle.discount.tiers] == ["5.00", "10.00"]


def test_sections_are_sorted_by_their_order(bundle: Bundle) -> None:
    assert bundle.sections == (
        Section(1, "Shirts", "", "", 4, auto_next_section=False, products=(SectionProduct(1, 111),)),
        Section(2, "Mugs", "", "", 5, auto_next_section=False, products=(SectionProduct(2, 222, (2001,)),)),
    )


@pytest.mark.parametrize(
    ("sections", "order"),
    [
        ("[{id: 3}, {id: 1}, {id: 2}]", [(3, 0), (1, 1), (2, 2)]),
        ("[{id: 3, order: 2}, {id: 1}, {id: 2, order: 1}]", [(1, 1), (2, 1), (3, 2)]),
        ("[{id: 3, order: 0}, {id: 1, order: 0}, {id: 2, order: -1}]", [(2, -1), (3, 0), (1, 0)]),
        ("[{id: 3, order: null}]", [(3, 0)]),
        ("[]", []),
        ("null", []),
    ],
)
def test_the_order_of_a_section_defaults_to_its_place(sections: str, order: list[tuple[int, int]]) -> None:
    text = f"shop: {{handle: s, currency: EUR}}\nbundles: [{{id: 1, name: B, type: native, sections: {sections}}}]"
    assert [(section.id, section.order) for section in load(text).bundles[0].sections] == order


def test_personalisation(bundle: Bundle) -> None:
    fee = PersonalisationFee(2009, Decimal("2.00"), "EUR")
    assert bundle.personalisation == {
        111: (
            PersonalisationField("name", "name", "Your name", "text", required=True, character_limit=20, fee=fee),
            PersonalisationField("colour", "colour", "colour", "dropdown", options=("red", "NO")),
        ),
        222: (PersonalisationField("print", "print", "print", "dropdown", options=("matt", "NO")),),
    }


def test_subscription(bundle: Bundle) -> None:
    options = (SubscriptionOption(1, "month"), SubscriptionOption(2, "week", Decimal("5.00")))
    assert bundle.subscription == SubscriptionProgram("required", (RecurringGroup(7, "Monthly", options),))


def test_translations(bundle: Bundle) -> None:
    assert bundle.translations == {
        "de": BundleTranslation(
            "Kiste",
            "",
            {1: SectionTranslation("Hemden")},
            {1: TierTranslation("Zehn")},
            {"a3": "Hallo"},
            {222: {"print": FieldTranslation("Druck", "Mira", "Auf der Seite", {"matt": "matt", "NO": "nein"})}},
            {7: GroupTranslation("Monatlich")},
        )
    }


def test_defaults_of_a_bundle() -> None:
    bare = load(FULL).bundles[1]
    assert bare == Bundle(
        id=43,
        name="Bare",
        description="",
        image_url="",
        type="single-product",
        bundling_option="bundles",
        published=True,
        layout="single-page",
        product_id=None,
        parent_variant_id=None,
        template_code="wide",
        discount=None,
        sections=(),
        required_products=(),
        limit_rules=(),
    )


@pytest.mark.parametrize(
    ("templates", "given", "template"),
    [("[]", "null", "default"), ("[wide]", "null", "wide"), ("[wide, thin]", "thin", "thin"), ("[]", "mine", "mine")],
)
def test_the_template_of_a_bundle_defaults_to_the_first_one(templates: str, given: str, template: str) -> None:
    text = f"""shop: {{handle: s, currency: EUR, templates: {templates}}}
bundles: [{{id: 1, name: B, type: native, templateCode: {given}}}]"""
    assert load(text).bundles[0].template_code == template


@pytest.mark.parametrize(
    ("discount", "flat_or_tiered"),
    [
        ("{type: fixed, value: 5}", "flat"),
        ("{type: fixed, tiers: [{type: bulk_buy, operation: eq, value: 2, discount: 1}]}", "tiered"),
        (
            "{type: fixed, value: 5, flatOrTiered: flat, tiers: [{type: bulk_buy, operation: eq, value: 2, discount: 1}]}",
            "flat",
        ),
        ("{type: fixed, flatOrTiered: tiered}", "tiered"),
    ],
)
def test_a_discount_with_tiers_is_tiered_by_default(discount: str, flat_or_tiered: str) -> None:
    text = f"shop: {{handle: s, currency: EUR}}\nbundles: [{{id: 1, name: B, type: native, discount: {discount}}}]"
    read = load(text).bundles[0].discount
    assert read is not None
    assert read.flat_or_tiered == flat_or_tiered
    assert len(read.tiers) == discount.count("tiers:")


@pytest.mark.parametrize(
    ("subscription", "program"),
    [
        ("{}", SubscriptionProgram("disabled")),
        ("null", SubscriptionProgram("disabled")),
        ("{groups: [{id: 1}]}", SubscriptionProgram("optional", (RecurringGroup(1, "", ()),))),
        ("{mode: optional}", SubscriptionProgram("optional")),
        ("{mode: disabled, groups: [{id: 1}]}", SubscriptionProgram("disabled", (RecurringGroup(1, "", ()),))),
    ],
)
def test_a_subscription_with_groups_is_optional_by_default(subscription: str, program: SubscriptionProgram) -> None:
    text = (
        f"shop: {{handle: s, currency: EUR}}\nbundles: [{{id: 1, name: B, type: native, subscription: {subscription}}}]"
    )
    assert load(text).bundles[0].subscription == program


@pytest.mark.parametrize(
    "empty",
    [
        "discount: null",
        "discount: {}",
        "conditions: []",
        "personalisation: {}",
        "personalisation: null",
        "limitRules: null",
        "translations: {}",
        "translations: {de: {}}",
        "translations: {de: null}",
        "requiredProducts: []",
        "description: null",
    ],
)
def test_parts_may_be_empty(empty: str) -> None:
    text = f"shop: {{handle: s, currency: EUR}}\nbundles: [{{id: 1, name: B, type: native, {empty}}}]"
    load(text)


def test_repeated_ids_in_a_list_count_once() -> None:
    text = FULL.replace('variantIds: ["2001"]', 'variantIds: ["2001", gid://platform/ProductVariant/2001]')
    assert load(text).bundles[0].sections[1].products[0].variant_ids == (2001,)


def test_a_live_shop_has_no_settings_and_its_products_are_not_checked() -> None:
    shop_file = load(
        """shop: {handle: live, platform: {kind: shopify, domain: live.myshopify.com}}
bundles:
  - {id: 1, name: B, type: native, platformProductId: "5", parentVariantId: "8000000000000000",
     sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "6", variantIds: ["7"]}]}]}
products: []
"""
    )
    assert shop_file.shop.settings is None
    assert shop_file.shop.platform == PlatformLink("shopify", "live.myshopify.com")
    assert shop_file.bundles[0].parent_variant_id == 8_000_000_000_000_000


BROKEN = [
    Broken("shop:\n  handle: full\n", "shop:\n", "shop.handle", "required"),
    Broken("handle: full", "handle: a b", "shop.handle", "shop handle"),
    Broken("name: Full Shop", "name: [Full]", "shop.name", "single value"),
    Broken(
        "shop:\n  handle: full\n  name: Full Shop\n  domain: full.example\n  currency: EUR\n",
        "shop:\n  handle: full\n",
        "shop.currency",
        "required",
    ),
    Broken("currency: EUR\n  moneyFormat", "currency: eur\n  moneyFormat", "shop.currency", "three capital letters"),
    Broken('moneyFormat: "€{{amount}}"', "moneyFormat: €", "shop.moneyFormat", "placeholder"),
    Broken("weightUnit: kg", "weightUnit: stone", "shop.weightUnit", "g, kg, oz, lb"),
    Broken("locale: en", "locale: english", "shop.locale", "language tag"),
    Broken("headlessEnabled: true", "headlessEnabled: on", "shop.headlessEnabled", "not true or false"),
    Broken(
        "[conditions, subscriptions, personalisation]", "[conditions, discounts]", "shop.activeFeatures.1", "ab-testing"
    ),
    Broken("platform: {kind: embedded}", "platform: {kind: other}", "shop.platform.kind", "embedded, shopify"),
    Broken("platform: {kind: embedded}", "platform: embedded", "shop.platform", "mapping"),
    Broken("locale: en", "locale: en\n  ¦lokale: de", "shop.lokale", "Did you mean 'locale'?"),
    Broken('products:\n  - id: "111"', 'extra: 1\nproducts:\n  - id: "111"', "extra", "Unknown key 'extra'."),
    Broken("experiments:\n", "experiment: []\nexperiments:\n", "experiment", "Did you mean 'experiments'?"),
    Broken('prices: {"1001": 199.00}', "prices: [199.00]", "markets.0.prices", "a mapping of keys"),
    Broken("countryCode: NO", "countryCode: false", "markets.0.countryCode", "not a country code"),
    Broken("currency: NOK", "currency: null", "markets.0.currency", "required"),
    Broken("exchangeRate: 11.50", "exchangeRate: 0", "markets.0.exchangeRate", "greater than 0"),
    Broken("exchangeRate: 11.50", "exchangeRate: 1.15e1", "markets.0.exchangeRate", "not a decimal number"),
    Broken('priceAdjustment: "-5.5"', "priceAdjustment: -100", "markets.0.priceAdjustment", "greater than -100"),
    Broken('{"1001": 199.00}', '{"1001": 199.005}', "markets.0.prices.1001", "at most 2 decimals"),
    Broken('{"1001": 199.00}', '{"x": 199.00}', "markets.0.prices.x", "not an id"),
    Broken(
        '{"1001": 199.00}',
        '{"1001": 1,\n ¦gid://platform/ProductVariant/1001: 2}',
        "markets.0.prices.gid://platform/ProductVariant/1001",
        "is here already",
    ),
    Broken(
        'unavailableVariantIds: ["1002"]', "unavailableVariantIds: 1002", "markets.0.unavailableVariantIds", "a list"
    ),
    Broken(
        'unavailableVariantIds: ["1002"]',
        "unavailableVariantIds: [~]",
        "markets.0.unavailableVariantIds.0",
        "cannot be null",
    ),
    Broken("title: Shirt\n", "title: ''\n", "products.0.title", "empty"),
    Broken("title: Shirt\n", "title: Shirt\n    ¦status: active\n", "products.0.status", "ACTIVE, ARCHIVED, DRAFT"),
    Broken("tags: [linen, 0123, yes]", "tags: linen", "products.0.tags", "a list"),
    Broken('color: "#C02020"', "colour: red", "products.0.options.0.swatches.S.colour", "Did you mean 'color'?"),
    Broken("price: 19.90,", "", "products.0.variants.0.price", "required"),
    Broken("price: 19.90,", "price: 19.905,", "products.0.variants.0.price", "at most 2 decimals"),
    Broken("price: 19.90,", "price: -1,", "products.0.variants.0.price", "negative"),
    Broken(
        "inventoryQuantity: -2", "inventoryQuantity: 2.5", "products.0.variants.1.inventoryQuantity", "whole number"
    ),
    Broken(
        "inventoryQuantity: -2", "inventoryPolicy: refuse", "products.0.variants.1.inventoryPolicy", "deny, continue"
    ),
    Broken("inventoryQuantity: -2", "grams: -2", "products.0.variants.1.grams", "at least 0"),
    Broken(
        "inventoryQuantity: -2", "compareAtPrice: none", "products.0.variants.1.compareAtPrice", "not a decimal number"
    ),
    Broken(
        '- {id: "2009", price: "2.00"}',
        '- {id: "2009", price: "2.00"}\n      ¦- {id: 8000000000000000, price: 1}',
        "products.1.variants.2.id",
        "ghost variants",
    ),
    Broken("de: {title: Hemd", "german: {title: Hemd", "products.0.translations.german", "language tag"),
    Broken("name: Box", "name: null", "bundles.0.name", "required"),
    Broken("type: native", "type: nativ", "bundles.0.type", "native, multiple-products, single-product"),
    Broken("id: 43, name: Bare, type: single-product", "id: 43, name: Bare", "bundles.1.type", "required"),
    Broken("id: 42\n", "id: 42\n    ¦layout: grid\n", "bundles.0.layout", "single-page, multiple-sections"),
    Broken("id: 42\n", "id: 42\n    ¦published: 1\n", "bundles.0.published", "not true or false"),
    Broken("id: 42\n", "id: 42\n    ¦discounts: {}\n", "bundles.0.discounts", "Did you mean 'discount'?"),
    Broken("type: percentage\n", "type: percent\n", "bundles.0.discount.type", "percentage, fixed, price"),
    Broken('value: "10.00"\n', 'value: "10.001"\n', "bundles.0.discount.value", "at most 2 decimals"),
    Broken('value: "10.00"\n', 'value: "-10"\n', "bundles.0.discount.value", "negative"),
    Broken('value: "10.00"\n', 'value: "101"\n', "bundles.0.discount.value", "A percentage must be at most 100."),
    Broken("flatOrTiered: tiered", "flatOrTiered: both", "bundles.0.discount.flatOrTiered", "flat, tiered"),
    Broken(
        'discount:\n      type: percentage\n      value: "10.00"\n      flatOrTiered: tiered',
        "discount:\n      type: percentage\n      flatOrTiered: flat",
        "bundles.0.discount.value",
        "required",
    ),
    Broken("operator: cumulative", "operator: sum", "bundles.0.discount.operator", "max, cumulative"),
    Broken("type: total_products,", "type: total,", "bundles.0.discount.tiers.0.type", "bulk_buy"),
    Broken('value: "3", discount', 'value: "-3", discount', "bundles.0.discount.tiers.0.value", "negative"),
    Broken(
        'discount: "5"}\n        -', 'discount: "500"}\n        -', "bundles.0.discount.tiers.0.discount", "at most 100"
    ),
    Broken('discount: "10.00", customText: Ten', "customText: Ten", "bundles.0.discount.tiers.1.discount", "required"),
    Broken("customText: Ten", "customTxt: Ten", "bundles.0.discount.tiers.1.customTxt", "Did you mean 'customText'?"),
    Broken("name: Shirts", "name: [Shirts]", "bundles.0.sections.1.name", "single value"),
    Broken("order: 4", "order: first", "bundles.0.sections.1.order", "whole number"),
    Broken("order: 4", "autoNextSection: maybe", "bundles.0.sections.1.autoNextSection", "not true or false"),
    Broken(
        'variantIds: ["2001"]',
        'vairantIds: ["2001"]',
        "bundles.0.sections.0.products.0.vairantIds",
        "Unknown key 'vairantIds'. Did you mean 'variantIds'?",
    ),
    Broken("{bundleItemId: 1, ", "{", "bundles.0.sections.1.products.0.bundleItemId", "required"),
    Broken("quantity: 2}\n    limit", "quantity: 0}\n    limit", "bundles.0.requiredProducts.0.quantity", "at least 1"),
    Broken("type: amount-of-weight", "type: weight", "bundles.0.limitRules.1.type", "amount-of-weight"),
    Broken('operation: lte, value: "0.9"', 'operation: le, value: "0.9"', "bundles.0.limitRules.1.operation", "lte"),
    Broken('operation: lte, value: "0.9"', 'value: "0.9"', "bundles.0.limitRules.1.operation", "required"),
    Broken('operation: lte, value: "0.9"', "operation: lte", "bundles.0.limitRules.1.value", "required"),
    Broken(
        'operation: lte, value: "0.9"', "operation: lte, value: ''", "bundles.0.limitRules.1.value", "decimal number"
    ),
    Broken('operation: whatever, value: ""', "value: many", "bundles.0.limitRules.2.value", "not a decimal number"),
    Broken("type: dropdown", "type: select", "bundles.0.personalisation.111.1.type", "text, dropdown, checkbox, image"),
    Broken("characterLimit: 20", "characterLimit: 0", "bundles.0.personalisation.111.0.characterLimit", "at least 1"),
    Broken("{key: colour, ", "{", "bundles.0.personalisation.111.1.key", "required"),
    Broken('amount: "2", ', "", "bundles.0.personalisation.111.0.fee.amount", "required"),
    Broken("mode: required", "mode: always", "bundles.0.subscription.mode", "optional, required, disabled"),
    Broken("unit: month", "unit: months", "bundles.0.subscription.groups.0.options.0.unit", "day, week, month, year"),
    Broken("frequency: 1,", "frequency: 0,", "bundles.0.subscription.groups.0.options.0.frequency", "at least 1"),
    Broken(
        'discount: "5"}\n    trans',
        "discount: 101}\n    trans",
        "bundles.0.subscription.groups.0.options.1.discount",
        "100",
    ),
    Broken("name: Kiste", "nmae: Kiste", "bundles.0.translations.de.nmae", "Did you mean 'name'?"),
    Broken(
        "placeholder: Mira",
        "hint: Mira",
        "bundles.0.translations.de.personalisation.222.print.hint",
        "Unknown key",
    ),
    Broken("weight: 50", "weight: 0", "experiments.0.arms.0.weight", "greater than 0"),
    Broken("id: exp-1", "id: ''", "experiments.0.id", "empty"),
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: f"{broken.path}-{broken.new.strip()[:30]}")
def test_each_broken_part_is_one_fault_in_its_line(broken: Broken) -> None:
    assert_broken(broken)


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("markets: []", "shop", "required"),
        ("shop: null", "shop", "required"),
        ("shop: demo", "shop", "mapping"),
        ("shop: {handle: s, currency: EUR}\nbundles: {}", "bundles", "a list"),
        ("shop: {handle: s, currency: EUR}\nproducts: [~]", "products.0", "mapping"),
        ("shop: {handle: s, currency: EUR}\nproducts: [shirt]", "products.0", "mapping"),
        ("shop: {handle: s, currency: EUR}\nbundles: [[1]]", "bundles.0", "mapping"),
    ],
)
def test_files_with_the_wrong_structure(text: str, path: str, message: str) -> None:
    (fault,) = faults(text)
    assert (fault.path, fault.line) == (path, text.count("\n") + 1)
    assert message in fault.message


@pytest.mark.parametrize(
    ("more", "path", "message"),
    [
        ("platform: {kind: shopify}", "shop.platform.domain", "required"),
        ("platform: {kind: shopify, domain: d.example}, currency: EUR", "shop.currency", "remove it"),
        ("platform: {kind: shopify, domain: d.example}, moneyFormat: '{{amount}}'", "shop.moneyFormat", "remove it"),
        ("platform: {kind: shopify, domain: d.example}, weightUnit: kg", "shop.weightUnit", "remove it"),
        (
            "platform: {kind: shopify, domain: d.example}}\nproducts: [{id: 1, title: T}]\nmarkets: [",
            "products",
            "remove it",
        ),
        (
            "platform: {kind: shopify, domain: d.e}}\nmarkets: [{countryCode: US, currency: USD, exchangeRate: 1}]\nbundles: [",
            "markets",
            "remove it",
        ),
    ],
)
def test_settings_of_a_live_platform_are_refused(more: str, path: str, message: str) -> None:
    closing = "]" if more.endswith("[") else "}"
    (fault,) = faults(f"shop: {{handle: s, {more}{closing}")
    assert fault.path == path
    assert message in fault.message


@pytest.mark.parametrize(
    "domain",
    ["a.myshopify.com", "A-1.MyShopify.com", "my-shop.example.co.uk", "xn--mnchen-3ya.example", "a" * 63 + ".example"],
)
def test_the_domain_of_a_live_platform_is_a_host_name(domain: str) -> None:
    shop_file = load(f"shop: {{handle: s, platform: {{kind: shopify, domain: {domain}}}}}")
    assert shop_file.shop.platform.domain == domain


@pytest.mark.parametrize(
    "domain",
    [
        "d",
        "https://a.myshopify.com",
        "a.myshopify.com/admin",
        "a.myshopify.com:8443",
        "user:word@a.myshopify.com",
        "a.myshopify.com?x=1",
        "a.myshopify.com#",
        "a.myshopify.com.",
        "-a.myshopify.com",
        "a..com",
        "a_b.example",
        "münchen.example",
        "127.0.0.1",
        "[::1]",
        "my shop.example",
        " ",
        "a" * 64 + ".example",
        "a." * 130 + "example",
    ],
)
def test_a_domain_that_is_not_a_host_name_is_a_fault(domain: str) -> None:
    """A domain that is not a host name is a fault, because the shop's access token is sent to this host."""
    (fault,) = faults(f'shop:\n  handle: s\n  platform: {{kind: shopify,\n    domain: "{domain}"}}')
    assert (fault.path, fault.line) == ("shop.platform.domain", 4)
    assert "a host name such as" in fault.message
