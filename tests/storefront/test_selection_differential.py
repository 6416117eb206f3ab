"""The service and local evaluation agree on random shops and selections (docs/contract.md#valid-selections).

The request body comes from the client. It includes the conditions discount calculated by the client, and the service would refuse
the request if that discount differed from its own.
"""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.measures import ITEMS, MONEY, WEIGHT, WEIGHT_UNITS
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.condition_cases import Json
from tests.running.properties import examples
from tests.storefront.graphs import (
    AMOUNTS,
    COUNTS,
    DISCOUNT_TYPES,
    DISCOUNT_VALUES,
    GRAMS,
    OPERATIONS,
    PRICES,
    PRODUCTS,
    SECTIONS,
    VARIANTS,
    WEIGHTS,
    graphs,
)
from tests.storefront.node import RunScript
from tests.storefront.service import Answers, ShopInMemory

BUNDLE, OWN_PRODUCT, OWN_VARIANT = 42, "9", "91"

SOLD_OUT: Json = {"inventoryTracked": True, "inventoryPolicy": "deny", "inventoryQuantity": 0}
STOCKS = st.sampled_from([{}, {}, {}, SOLD_OUT])
STATUSES = st.sampled_from(["ACTIVE", "ACTIVE", "ACTIVE", "DRAFT"])
ALL_FEATURES = ["conditions", "subscriptions", "personalisation"]
FEATURES = st.just(ALL_FEATURES) | st.just(ALL_FEATURES) | st.lists(st.sampled_from(ALL_FEATURES), unique=True)
SOME_VARIANTS = st.sampled_from([[], [], ["11"], ["12"], ["11", "12"]])
MULTIPLES = st.sampled_from(["", "0", "1.5", "2", "3"])

FIELDS = [
    {"key": "name", "label": "Name", "type": "text", "required": True, "characterLimit": 4},
    {"key": "colour", "label": "Colour", "type": "dropdown", "options": ["Red", "Blue"]},
]
NO_ANSWERS: st.SearchStrategy[Json] = st.just({})
GOOD_ANSWERS = st.sampled_from([{"name": "Mira"}, {"name": "Jo", "colour": "Red"}])
ANSWERS = GOOD_ANSWERS | st.sampled_from([{}, {"name": ""}, {"name": "Mirabelle"}, {"name": "Jo", "colour": "Green"}])
GROUPS = [
    {"id": 7, "options": [{"frequency": 1, "unit": "month"}, {"frequency": 2, "unit": "week", "discount": "7.25"}]}
]
SUBSCRIPTIONS = st.fixed_dictionaries(
    {
        "id": st.sampled_from([7] * 9 + [8]),
        "frequency": st.just(2),
        "unit": st.sampled_from(["week"] * 9 + ["month"]),
        "email": st.sampled_from(["mira@mail.example"] * 9 + ["mira"]),
    }
)


@st.composite
def discounts(draw: st.DrawFn) -> Json:
    tier = st.fixed_dictionaries(
        {
            "type": st.sampled_from(["total_products", "bulk_buy", "total_price"]),
            "operation": OPERATIONS,
            "value": COUNTS | AMOUNTS,
            "discount": DISCOUNT_VALUES,
        }
    )
    return {
        "type": draw(DISCOUNT_TYPES),
        "value": draw(DISCOUNT_VALUES),
        "minimum": draw(st.sampled_from([None, None, "9.99", "20.00"])),
        "operator": draw(st.sampled_from([None, "max", "cumulative"])),
        "tiers": draw(st.lists(tier, max_size=4)),
    }


@st.composite
def limit_rules(draw: st.DrawFn) -> Json:
    type_ = draw(st.sampled_from(list(RULE_TYPES.values())))
    values = {ITEMS: MULTIPLES if type_.is_multiple else COUNTS, MONEY: AMOUNTS, WEIGHT: WEIGHTS}
    value = draw(values[type_.unit])
    return {"type": type_.name, "operation": draw(OPERATIONS), "value": value, "sectionId": draw(st.none() | SECTIONS)}


@st.composite
def bundles(draw: st.DrawFn) -> Json:
    """Draw bundle 42 with sections 1, 2 and 10. It refers only to variants that exist in its products."""
    offers = draw(st.lists(st.tuples(st.sampled_from([1, 2, 10]), PRODUCTS, SOME_VARIANTS), min_size=2, max_size=8))
    named = [(section, _named(product, variants)) for section, product, variants in offers]
    sections: list[Json] = [{"id": section, "name": f"Section {section}", "products": []} for section in (1, 2, 10)]
    for index, (section, product) in enumerate(named, start=1):
        products = next(one["products"] for one in sections if one["id"] == section)
        products.append({"bundleItemId": index, **product})
    required = draw(st.lists(st.tuples(PRODUCTS, SOME_VARIANTS, st.integers(1, 3)), max_size=2))
    return {
        "id": BUNDLE,
        "name": "Box",
        "type": draw(st.sampled_from(["native", "single-product"])),
        "platformProductId": OWN_PRODUCT,
        "parentVariantId": OWN_VARIANT,
        "discount": draw(discounts() | discounts() | st.none()),
        "sections": sections,
        "requiredProducts": [{**_named(product, variants), "quantity": count} for product, variants, count in required],
        "limitRules": draw(st.lists(limit_rules(), max_size=5)),
        "conditions": draw(st.just([]) | graphs()),
        "personalisation": draw(st.sampled_from([{}, {"1": FIELDS}])),
        "subscription": {
            "mode": draw(st.sampled_from(["optional", "optional", "required", "disabled"])),
            "groups": GROUPS,
        },
    }


def _named(product: str, variants: list[str]) -> Json:
    return {"platformProductId": product, "variantIds": variants if product == "1" else []}


@st.composite
def shops(draw: st.DrawFn) -> Json:
    """Draw shop files with one bundle and one market. Prices in yen are rounded."""
    owned = {product: [variant for variant in PRICES if variant.startswith(product)] for product in ("1", "2", "3")}
    products: list[Json] = [
        {
            "id": product,
            "title": f"Product {product}",
            "handle": product,
            "status": draw(STATUSES),
            "variants": [
                {"id": id_, "title": id_, "price": PRICES[id_], "grams": GRAMS[id_], **draw(STOCKS)} for id_ in variants
            ],
        }
        for product, variants in owned.items()
    ]
    own = {"id": OWN_PRODUCT, "title": "Box", "handle": "box", "variants": [{"id": OWN_VARIANT, "price": "0.00"}]}
    market = {
        "countryCode": "US",
        "currency": draw(st.sampled_from(["USD", "JPY", "KWD"])),
        "exchangeRate": draw(st.sampled_from(["1.10", "0.0067", "162.5"])),
        "priceAdjustment": draw(st.sampled_from(["-12.5", "0", "5"])),
        "prices": {"12": "10.00"},
        "unavailableVariantIds": draw(st.sampled_from([[], ["21"]])),
    }
    shop = {
        "handle": "demo",
        "currency": draw(st.sampled_from(["EUR", "JPY"])),
        "weightUnit": draw(st.sampled_from(WEIGHT_UNITS)),
        "activeFeatures": draw(FEATURES),
    }
    return {"shop": shop, "markets": [market], "products": [*products, own], "bundles": [draw(bundles())]}


@st.composite
def stray_items(draw: st.DrawFn) -> Json:
    """Draw an item with any variant in any section, often with the product to which the variant belongs."""
    variant = draw(VARIANTS)
    product = draw(st.sampled_from([variant[0], variant[0], "2"]))
    return {"variant": variant, "product": product, "section": draw(st.just(0) | SECTIONS)}


@st.composite
def selections(draw: st.DrawFn, bundle: Json) -> Json:
    """Draw selections, mostly of items that the bundle's sections offer, so that the checks of other rules are also reached."""
    offered = [
        {"variant": variant, "product": product["platformProductId"], "section": section["id"]}
        for section in bundle["sections"]
        for product in section["products"]
        for variant in PRICES
        if variant.startswith(product["platformProductId"]) and variant in (product["variantIds"] or PRICES)
    ]
    good = draw(st.lists(st.sampled_from(offered), min_size=1, max_size=10))
    stray = draw(st.just([]) | st.just([]) | st.lists(stray_items(), max_size=2))
    answers = GOOD_ANSWERS if bundle["personalisation"] else NO_ANSWERS
    answers = draw(st.sampled_from([answers, answers, answers, answers, ANSWERS]))
    return {
        "items": [{**item, "personalisation": _draw_for(draw, item, answers)} for item in (*good, *stray)],
        "type": draw(st.sampled_from([bundle["type"]] * 4 + ["multiple-products"])),
        "subscription": draw(st.none() | SUBSCRIPTIONS),
    }


def _draw_for(draw: st.DrawFn, item: Json, answers: st.SearchStrategy[Json]) -> Json:
    return draw(answers) if item["product"] == "1" else {}


@examples(300)
@given(data=st.data())
def test_service_and_client_agree(run_script: RunScript, data: st.DataObject) -> None:
    tree = data.draw(shops())
    selection = data.draw(selections(tree["bundles"][0]))
    country = data.draw(st.sampled_from([None, "US", "FR"]))
    shop = ShopInMemory(tree, day_rate=data.draw(st.booleans()))
    shown = shop.settings()

    came_to = run_script(
        "evaluate-selections.mjs",
        {
            "bundle": shop.bundle(BUNDLE),
            "products": shop.products(BUNDLE, country),
            "selection": selection,
            "context": {"currency": shown["currency"], "country": country, "activeFeatures": shown["activeFeatures"]},
        },
    )

    _check(came_to["evaluation"], shop, came_to["body"])


def _check(evaluation: Json, shop: ShopInMemory, body: Json) -> None:
    answers = shop.answers(BUNDLE, body)
    if not evaluation["unlisted"]:
        assert Answers(evaluation["pricing"], evaluation["presentment"], evaluation["refusal"]) == answers
        return
    assert evaluation["pricing"] is evaluation["presentment"] is None
    if evaluation["refusal"]:
        assert answers.refusal
        assert evaluation["refusal"]["code"] == answers.refusal["code"] == "selection_invalid"
        assert _paths(evaluation["refusal"]) <= _paths(answers.refusal)


def _paths(refusal: Any) -> set[str]:
    return {detail["path"] for detail in refusal["details"]}
