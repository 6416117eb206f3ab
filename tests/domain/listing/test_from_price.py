"""The from-price of a bundle (docs/contract.md#from-price)."""

import json
from decimal import Decimal

import pytest
from hypothesis import given

from bundlesvc.domain.listing.from_price import from_price
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import parse_shop_file
from tests.running.properties import examples
from tests.shop_file.lint.small_shops import MOST_ITEMS, Made, Tree, selections, shops
from tests.shop_file.shop_files import SHOP_JSON

AT_MOST_ALL_THAT_IS_TRIED = {
    "type": "total-number-of-products",
    "operation": "lte",
    "value": str(MOST_ITEMS),
    "sectionId": None,
}


def parsed(tree: Tree) -> ShopFile:
    return parse_shop_file(json.dumps(tree).encode(), SHOP_JSON)


def computed(file: ShopFile) -> Decimal | None:
    assert file.shop.settings
    return from_price(file.shop, file.bundles[0], {each.id: each for each in file.products}, file.shop.settings)


def counts(file: ShopFile, made: Made) -> bool:
    """Whether the from-price applies to this selection: it can be bought, is for the home market, and has a subscription if and
    only if the bundle requires one."""
    program = file.bundles[0].subscription
    required = program.mode == "required" and bool(program.groups)
    return made.can_be_bought and made.country is None and made.facts.subscribed == required


@examples(120)
@given(shops())
def test_from_price_is_that_of_the_cheapest_selection(shop: Tree) -> None:
    shop["bundles"][0]["limitRules"].append(AT_MOST_ALL_THAT_IS_TRIED)
    file = parsed(shop)
    found = computed(file)
    if found is not None:
        assert found == min(made.priced.pricing.discounted for made in selections(file) if counts(file, made))


@examples(40)
@given(shops())
def test_no_small_selection_is_cheaper(shop: Tree) -> None:
    """No small selection is cheaper than the from-price.

    Without a limit on the number of units, the cheapest selection may be larger than the selections that this test tries."""
    file = parsed(shop)
    found = computed(file)
    if found is not None:
        prices = [made.priced.pricing.discounted for made in selections(file) if counts(file, made)]
        assert found <= min(prices, default=found)


def product(id_: int, price: str, **fields: object) -> Tree:
    variant = {"id": f"{id_}1", "price": price, "grams": "100", **fields}
    return {"id": str(id_), "title": f"P{id_}", "variants": [variant]}


def section(id_: int, *products: int) -> Tree:
    items = [{"bundleItemId": str(10 * id_ + each), "platformProductId": str(each)} for each in products]
    return {"id": str(id_), "products": items}


def rule(type_: str, operation: str, value: str, section_id: int | None = None) -> Tree:
    return {"type": type_, "operation": operation, "value": value, "sectionId": section_id and str(section_id)}


def box(*rules: Tree, **fields: object) -> Decimal | None:
    """Compute the from-price of a bundle that consists of tea (4.00, three in stock) or jam (6.00), and a card (2.00) or ribbon
    (3.00)."""
    bundle = {
        "id": "1",
        "name": "Box",
        "type": "native",
        "platformProductId": "9",
        "parentVariantId": "91",
        "sections": [section(1, 1, 2), section(2, 3, 4)],
        "limitRules": list(rules),
        **fields,
    }
    stock = {"inventoryTracked": "true", "inventoryQuantity": "3"}
    products = [
        product(1, "4.00", **stock),
        product(2, "6.00"),
        product(3, "2.00"),
        product(4, "3.00"),
        product(9, "0"),
    ]
    features = ["conditions", "subscriptions", "personalisation"]
    shop = {"handle": "s", "currency": "EUR", "weightUnit": "kg", "activeFeatures": features}
    return computed(parsed({"shop": shop, "products": products, "bundles": [bundle]}))


def tiered(type_: str, *tiers: tuple[str, str, str, str], minimum: str | None = None) -> Tree:
    names = ("type", "operation", "value", "discount")
    steps = [dict(zip(names, tier, strict=True)) for tier in tiers]
    return {"type": type_, "value": "0", "flatOrTiered": "tiered", "minimum": minimum, "tiers": steps}


TOTAL, PRODUCT, VARIANT = "total-number-of-products", "amount-of-one-product", "amount-of-one-variant"
TWO_TEAS = [{"platformProductId": "1", "variantIds": [], "quantity": "2"}]


@pytest.mark.parametrize(
    ("rules", "fields", "price"),
    [
        ([], {}, "2.00"),
        ([rule(TOTAL, "gte", "3")], {}, "6.00"),
        ([rule(TOTAL, "gt", "2"), rule(TOTAL, "lte", "500")], {}, "6.00"),
        ([rule(TOTAL, "eq", "4"), rule(TOTAL, "eq", "6")], {}, "8.00"),
        ([rule(TOTAL, "gte", "2", 1)], {}, "8.00"),
        ([rule(TOTAL, "gte", "5", 1)], {}, "24.00"),  # three teas are left
        ([rule(TOTAL, "gte", "1", 1), rule(TOTAL, "gte", "2", 2)], {}, "8.00"),
        ([rule(TOTAL, "lte", "1", 2), rule(TOTAL, "gte", "3")], {}, "10.00"),
        ([rule("multiples-of", "eq", "3", 1)], {}, "12.00"),
        ([rule("multiples-of", "eq", "5"), rule(TOTAL, "gt", "5")], {}, "20.00"),
        ([rule(PRODUCT, "lte", "1"), rule(TOTAL, "gte", "3")], {}, "9.00"),
        ([rule(VARIANT, "lt", "2", 2), rule(TOTAL, "gte", "2", 2)], {}, "5.00"),
        ([rule(PRODUCT, "gte", "2")], {}, "4.00"),
        ([rule("number-of-different-products", "gte", "2", 2), rule(TOTAL, "gte", "3", 2)], {}, "7.00"),
        ([], {"requiredProducts": TWO_TEAS}, "8.00"),
        ([rule(TOTAL, "gte", "2", 2)], {"requiredProducts": TWO_TEAS}, "8.00"),  # the teas may be placed in section 2
        ([rule(TOTAL, "gte", "3")], {"discount": {"type": "price", "value": "5.00"}}, "5.00"),
        ([rule(TOTAL, "gte", "2")], {"discount": tiered("price", ("total_products", "gte", "4", "3.50"))}, "3.50"),
        ([rule(TOTAL, "gte", "2")], {"discount": tiered("fixed", ("bulk_buy", "gte", "3", "5.00"))}, "1.00"),
        ([rule(TOTAL, "gte", "2")], {"discount": tiered("percentage", ("total_products", "lte", "2", "50"))}, "2.00"),
        ([rule(TOTAL, "gte", "3")], {"discount": tiered("percentage", ("total_price", "gte", "6", "50"))}, "3.00"),
        ([], {"subscription": {"mode": "optional", "groups": [{"id": "7", "options": [{"frequency": "1", "unit": "day",
                                                                                       "discount": "50"}]}]}}, "2.00"),
        ([], {"subscription": {"mode": "required", "groups": [{"id": "7", "options": [{"frequency": "1", "unit": "day",
                                                                                       "discount": "50"}]}]}}, "1.00"),
        ([], {"conditions": [{"id": "a", "kind": "action", "type": "message", "text": "Hello"}]}, "2.00"),
    ],
)  # fmt: skip
def test_from_price(rules: list[Tree], fields: Tree, price: str) -> None:
    assert box(*rules, **fields) == Decimal(price)


FEE = {"variantId": "91", "amount": "1.00", "currencyCode": "EUR"}
FIELD = {"id": "f", "key": "f", "label": "Name", "type": "text", "required": "true", "fee": FEE}


@pytest.mark.parametrize(
    ("rules", "fields"),
    [
        ([rule(TOTAL, "gte", "9"), rule(TOTAL, "lte", "8")], {}),
        ([rule(TOTAL, "gte", "201")], {}),
        ([], {"platformProductId": None, "parentVariantId": None}),
        ([], {"sections": []}),
        ([], {"requiredProducts": [{"platformProductId": "1", "variantIds": [], "quantity": "4"}]}),
        ([], {"requiredProducts": TWO_TEAS * 2}),
        ([rule("amount-of-weight", "gte", "1")], {}),
        ([rule("bundle-price", "gte", "10")], {}),
        ([rule("number-of-different-products", "gte", "2")], {}),
        ([], {"discount": tiered("percentage", ("total_price", "gte", "7", "90"))}),
        ([], {"personalisation": {"3": [FIELD]}}),
        ([], {"conditions": [{"id": "a", "kind": "action", "type": "free-item", "variantId": "31", "quantity": "1"}]}),
        ([rule(TOTAL, "gte", "150", 1), rule(TOTAL, "gte", "150", 2)], {}),
    ],
)
def test_from_price_is_null(rules: list[Tree], fields: Tree) -> None:
    assert box(*rules, **fields) is None
