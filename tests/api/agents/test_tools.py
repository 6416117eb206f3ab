"""The tools return what the API returns: the same bundles, prices, refusals and stored bundles."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import orjson
import pytest

from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.agents.assistant import Assistant, Json
from tests.api.conftest import Api, MakeApi
from tests.api.selection import configure_body, item, items, price_body
from tests.api.stored import rows


def counted(*chosen: str) -> list[Json]:
    """Parse items: "1001@2*3" is an item with quantity 3; without "*3", the item has no quantity."""
    parts = [each.partition("*") for each in chosen]
    return [{**item(one), **({"quantity": int(count)} if count else {})} for one, _, count in parts]


def selection(bundle_id: int, *chosen: str, **more: object) -> Json:
    return {"bundleId": bundle_id, "products": counted(*chosen), **more}


def purchase(bundle_id: int, *chosen: str, **more: object) -> Json:
    return selection(bundle_id, *chosen, **{"idempotencyKey": str(uuid4()), **more})


async def test_list_is_that_of_the_api(assistant: Assistant) -> None:
    listed = await assistant.call("list_bundles", {"limit": 100})
    of_api = (await assistant.api.get("/bundles?include=offer")).held().json

    fields = ("id", "name", "description", "type", "handle", "fromPrice", "discountSummary")
    assert listed["bundles"] == [{name: bundle[name] for name in fields} for bundle in of_api]
    assert (listed["currency"], listed["nextCursor"]) == ("EUR", None)


async def test_list_comes_in_parts(assistant: Assistant) -> None:
    whole = (await assistant.call("list_bundles", {"limit": 100}))["bundles"]
    found, cursor = [], None
    while True:
        part = await assistant.call("list_bundles", {"limit": 7, "cursor": cursor} if cursor else {"limit": 7})
        assert 1 <= len(part["bundles"]) <= 7
        found += part["bundles"]
        cursor = part["nextCursor"]
        if cursor is None:
            break
    assert found == whole


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": "5"}, "limit"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": 5}, "cursor"),
        ({"language": "no language"}, "language"),
        ({"lang": "de"}, "lang"),
    ],
)
async def test_wrong_argument_of_the_list_is_named(assistant: Assistant, arguments: Json, path: str) -> None:
    refused = await assistant.refusal("list_bundles", arguments)
    assert refused["code"] == "invalid_request"
    assert [detail["path"] for detail in refused["details"]] == [path]


async def test_bundle_has_what_is_needed_to_choose(assistant: Assistant) -> None:
    bundle = await assistant.call("get_bundle", {"bundleId": 10})

    shirts, mugs, extras, required = bundle["sections"]
    assert [section["id"] for section in bundle["sections"]] == [1, 2, 3, 0]
    assert [variant["variant"] for variant in shirts["products"][0]["variants"]] == ["1001", "1002", "1003", "1004"]
    assert shirts["products"][0]["tags"] == ["linen", "summer"]
    assert shirts["products"][0]["variants"][0] == {
        "variant": "1001",
        "title": "Shirt (S)",
        "options": {"Size": "S"},
        "price": "19.99",
        "available": True,
        "grams": 200,
        "left": 5,
    }
    assert [(each["available"], each["left"]) for each in shirts["products"][0]["variants"]] == [
        (True, 5),
        (True, None),
        (True, None),
        (False, 0),
    ]
    assert [variant["variant"] for variant in mugs["products"][0]["variants"]] == ["2001"]
    assert [product["title"] for product in extras["products"]] == ["Tea", "Mug", "Lamp", "Shirt"]
    assert [product["product"] for product in required["products"]] == ["600"]


async def test_bundle_has_its_rules_as_data_and_in_english(assistant: Assistant) -> None:
    rules = (await assistant.call("get_bundle", {"bundleId": 10}))["rules"]
    of_api = (await assistant.api.get("/bundles/10")).held().json

    assert [{name: value for name, value in rule.items() if name != "sentence"} for rule in rules["limits"]] == of_api[
        "limitRules"
    ]
    assert [rule["sentence"] for rule in rules["limits"]] == [
        "Choose at least 2 items for the bundle.",
        "The weight of the section Shirts must be at most 0.90 kg.",
    ]
    assert [rule["sentence"] for rule in rules["required"]] == ["The bundle must contain at least 1 of Card (Sun)."]
    assert rules["conditions"] == [
        {
            "actionId": "a1",
            "sentence": "If (the number of items is at least 3 or the number of Shirt (M) in the section Shirts is at least 1), "
            "the discount is 15.00 percent, in place of the bundle's own.",
        }
    ]
    assert rules["conditionNodes"] == of_api["conditionsEngineNodes"]
    assert (rules["discount"], rules["discountSentence"]) == (of_api["discount"], "Up to 12.5% off")
    assert rules["subscription"] == {"required": False, "sentence": None}


async def test_bundle_is_in_the_shoppers_language_at_prices_of_the_country(assistant: Assistant) -> None:
    bundle = await assistant.call("get_bundle", {"bundleId": 10, "language": "de-CH", "countryCode": "us"})

    assert (bundle["name"], bundle["language"], bundle["sections"][0]["name"]) == ("Alles", "de", "Hemden")
    variants = {
        variant["variant"]: variant
        for section in bundle["sections"]
        for product in section["products"]
        for variant in product["variants"]
    }
    products = (await assistant.api.get("/bundles/10/products?countryCode=US")).held().json["products"]
    of_api = {variant["platformVariantId"]: variant for product in products for variant in product["variants"]}
    assert variants
    for id_, variant in variants.items():
        assert variant["price"] == of_api[id_]["priceInShopCurrency"]
        assert variant["presentmentPrice"] == of_api[id_]["presentmentPrice"]
        assert variant["presentmentCurrency"] == "USD"
        assert variant["available"] is (of_api[id_]["available"] and of_api[id_]["availableForSale"])
    assert not variants["2002"]["available"]


async def test_unpublished_bundle_is_read_with_a_test_key_only(
    assistant: Assistant, shared_api_with_test_key: Api
) -> None:
    unpublished = {"bundleId": 70}
    assert (await assistant.refusal("get_bundle", unpublished))["code"] == "not_found"
    assert (await Assistant(shared_api_with_test_key).call("get_bundle", unpublished))["id"] == 70


SELECTIONS: list[tuple[int, tuple[str, ...], Mapping[str, object]]] = [
    (20, ("1001@1*2", "2001@2"), {}),
    (20, ("1002@1*2", "2001@2"), {"countryCode": "US"}),
    (20, ("1002@1*2",), {"countryCode": "JP"}),
    (23, ("1002@1*3", "2001@2"), {}),
    (27, ("1002@1", "1002@1*2"), {}),
]


@pytest.mark.parametrize(("bundle_id", "chosen", "more"), SELECTIONS)
async def test_price_is_that_of_the_api(
    assistant: Assistant, bundle_id: int, chosen: tuple[str, ...], more: Mapping[str, object]
) -> None:
    of_api = (await assistant.api.post(f"/bundles/{bundle_id}/price", price_body(*chosen, **more))).held().json
    arguments = selection(bundle_id, *chosen, **more)

    assert await assistant.call("price_selection", arguments) == of_api
    checked = await assistant.call("check_selection", arguments)
    assert checked == {"valid": True, "code": None, "details": [], "pricing": of_api}


REFUSED: list[tuple[int, tuple[str, ...], Mapping[str, object]]] = [
    (10, ("1001@1",), {}),
    (40, ("1001@1*6", "2001@2", "2001@3"), {"countryCode": "US"}),
    (41, ("1002@1*5",), {}),
    (20, ("1004@1",), {}),
    (20, ("5001@3",), {}),
    (20, ("1001@9", "1001@2", "9999@1"), {}),
    (20, ("1001@1*9",), {}),
    (20, ("1001@1",), {"subscription": {"id": 7, "frequency": 1, "unit": "month"}}),
]


def with_subscriber(more: Mapping[str, Any]) -> Json:
    """Add the subscriber's e-mail address, which `configure` requires, to arguments that contain a subscription."""
    if "subscription" not in more:
        return dict(more)
    return {**more, "subscription": {**more["subscription"], "email": "mira@mail.example"}}


@pytest.mark.parametrize(("bundle_id", "chosen", "more"), REFUSED)
async def test_refusal_is_that_of_the_api(
    assistant: Assistant, bundle_id: int, chosen: tuple[str, ...], more: Mapping[str, object]
) -> None:
    """A tool and the API refuse a selection with the same code and faults.

    A tool locates a fault by item; the API, which has one entry per unit, locates it by unit."""
    checked = await assistant.call("check_selection", selection(bundle_id, *chosen, **more))
    complete = with_subscriber(more)
    body: Json = {"type": "native", **price_body(*chosen, **complete)}
    of_api = (await assistant.api.post(f"/bundles/{bundle_id}/configure", body)).held(400).json

    assert (checked["valid"], checked["code"]) == (False, of_api["code"])
    assert {detail["message"] for detail in checked["details"]} == {detail["message"] for detail in of_api["details"]}
    refused = await assistant.refusal("configure", purchase(bundle_id, *chosen, **complete))
    assert refused["code"] == of_api["code"]
    assert refused["details"] == checked["details"]


async def test_fault_names_the_item_as_it_was_sent(assistant: Assistant) -> None:
    checked = await assistant.call("check_selection", selection(20, "1002@1*40", "1001@1*6", "9999@1*3"))
    assert [detail["path"] for detail in checked["details"]] == ["products.2.product"]
    checked = await assistant.call("check_selection", selection(20, "1002@1*40", "1001@1*6"))
    assert [(detail["path"], detail["code"]) for detail in checked["details"]] == [("products.1", "sold_out")]


async def test_price_is_known_of_a_selection_that_breaks_a_rule(assistant: Assistant) -> None:
    checked = await assistant.call("check_selection", selection(41, "1002@1*5"))
    assert (checked["valid"], checked["pricing"]["originalPrice"]) == (False, "99.95")


@pytest.mark.parametrize(
    ("products", "paths"),
    [
        (None, ["products"]),
        ("1001", ["products"]),
        ([5], ["products.0"]),
        ([{**item("1001@1"), "quantity": 0}], ["products.0.quantity"]),
        ([{**item("1001@1"), "quantity": MAX_ITEMS + 1}], ["products.0.quantity"]),
        ([{**item("1001@1"), "quantity": 1.5}], ["products.0.quantity"]),
        ([{**item("1001@1"), "quantity": "2"}], ["products.0.quantity"]),
        ([{**item("1001@1"), "quantity": None}], ["products.0.quantity"]),
        ([item("1001@1"), {**item("1001@1"), "count": 2}], ["products.1.count"]),
        ([{"variant": 1001, "section": 1, "qty": 1}], ["products.0.product", "products.0.qty", "products.0.variant"]),
        ([item("1001@1")] * (MAX_ITEMS + 1), ["products"]),
    ],
)
async def test_wrong_items_are_named(assistant: Assistant, products: object, paths: list[str]) -> None:
    arguments = {"bundleId": 20, "products": products}
    for tool, more in (("check_selection", {}), ("price_selection", {}), ("configure", {"idempotencyKey": "k"})):
        refused = await assistant.refusal(tool, {**arguments, **more})
        assert refused["code"] == "invalid_request"
        assert sorted(detail["path"] for detail in refused["details"]) == paths


@pytest.mark.parametrize(("chosen", "count"), [(("1002@1*200", "1002@1"), 201), ((), 0)])
async def test_number_of_units_is_limited(assistant: Assistant, chosen: tuple[str, ...], count: int) -> None:
    checked = await assistant.call("check_selection", selection(20, *chosen))
    assert [detail["code"] for detail in checked["details"]] == ["item_count"]
    assert f"there are {count}" in checked["details"][0]["message"]


@pytest.mark.parametrize("name", ["type", "visitorId", "bundleContent", "country", "expectedprice"])
async def test_unknown_argument_is_refused(assistant: Assistant, name: str) -> None:
    refused = await assistant.refusal("configure", purchase(20, "1001@1", **{name: "native"}))
    assert [(detail["path"], detail["message"]) for detail in refused["details"]] == [
        (name, "This tool has no such argument.")
    ]


@pytest.mark.parametrize(("bundle_id", "chosen", "more"), SELECTIONS)
async def test_configured_bundle_is_charged_at_its_price(
    buyer: Assistant, database: Database, bundle_id: int, chosen: tuple[str, ...], more: Mapping[str, object]
) -> None:
    price = await buyer.call("price_selection", selection(bundle_id, *chosen, **more))
    configured = await buyer.call("configure", purchase(bundle_id, *chosen, **more))

    (stored,) = await rows(database, configured_bundles)
    assert stored["id"] == configured["configured_bundle_id"]
    assert {**configured["pricing"], **{key: configured[key] for key in ("presentment",) if key in configured}} == price
    cart = configured["cart"]
    units = sum(line["quantity"] for line in cart["line_items"])
    assert units == len(items(*chosen))
    assert orjson.loads(cart["attributes"]["_bundles"])[str(stored["id"])]["discount"] == configured["discount"]
    assert (configured["replayed"], configured["handOverUrl"]) == (False, None)


async def test_ghost_variant_is_configured(buyer: Assistant) -> None:
    configured = await buyer.call("configure", purchase(30, "1002@1*2"))
    assert configured["cart"] is None
    assert configured["variant_id"] != "9101"


async def test_repeated_call_stores_nothing_more(buyer: Assistant, database: Database) -> None:
    arguments = purchase(20, "1001@1*2")
    first = await buyer.call("configure", arguments)
    again = await buyer.call("configure", dict(reversed(arguments.items())))

    assert again == {**first, "replayed": True}
    assert len(await rows(database, configured_bundles)) == 1


async def test_idempotency_key_belongs_to_one_selection(buyer: Assistant, database: Database) -> None:
    arguments = purchase(20, "1001@1*2")
    await buyer.call("configure", arguments)
    other = {**arguments, "products": counted("1001@1*3")}

    assert (await buyer.refusal("configure", other))["code"] == "idempotency_key_reused"
    assert len(await rows(database, configured_bundles)) == 1


async def test_idempotency_keys_of_the_api_are_others(buyer: Assistant, database: Database) -> None:
    key = {"Idempotency-Key": "one"}
    await buyer.call("configure", purchase(20, "1001@1", idempotencyKey="one"))
    (await buyer.api.post("/bundles/20/configure", configure_body("1001@1"), key)).held()
    assert len(await rows(database, configured_bundles)) == 2


@pytest.mark.parametrize("key", ["", " ", "a ", "ü", "a\nb", "a\n", "x" * 256, 5, None])
async def test_idempotency_key_is_checked(buyer: Assistant, key: object) -> None:
    refused = await buyer.refusal("configure", purchase(20, "1001@1", idempotencyKey=key))
    assert [detail["path"] for detail in refused["details"]] == ["idempotencyKey"]


@pytest.mark.parametrize("key", ["a", "two words", "~" * 255])
async def test_idempotency_key_may_be_any_printable_text(buyer: Assistant, key: str) -> None:
    assert (await buyer.call("configure", purchase(20, "1001@1", idempotencyKey=key)))["replayed"] is False


async def test_changed_price_configures_nothing(buyer: Assistant, database: Database) -> None:
    refused = await buyer.refusal("configure", purchase(20, "1001@1", expectedPrice="1.00"))

    assert refused["code"] == "price_changed"
    assert [(each["expected"], each["actual"]) for each in refused["details"]] == [("1.00", "17.99")]
    assert await rows(database, configured_bundles) == []
    assert await buyer.call("configure", purchase(20, "1001@1", expectedPrice="17.99"))


async def test_subscription_is_stored_for_its_subscriber(buyer: Assistant) -> None:
    plan = {"id": 7, "frequency": 2, "unit": "week"}
    price = await buyer.call("price_selection", selection(50, "1001@1", subscription=plan))
    subscribed = {**plan, "email": "mira@mail.example"}
    configured = await buyer.call("configure", purchase(50, "1001@1", subscription=subscribed))

    assert configured["subscription_id"] is not None
    assert configured["pricing"] == price
    missing = await buyer.refusal("configure", purchase(50, "1001@1", subscription=plan))
    assert [detail["path"] for detail in missing["details"]] == ["subscription.email"]


@pytest.mark.parametrize(
    ("template", "bundle_id", "expected"),
    [
        ("https://{shop}.example/box?id={id}&u={unique}", 20, "https://demo.example/box?id={id}&u={unique}"),
        ("https://shop.example/cart/{variant}:1", 30, "https://shop.example/cart/{variant}:1"),
        ("https://shop.example/{bundle}/{id}", 30, "https://shop.example/30/{id}"),
        ("https://shop.example/cart/{variant}:1", 20, None),
        ("https://shop.example/box?u={unique}", 30, None),
    ],
)
async def test_shopper_goes_on_at_the_storefront(
    make_api: MakeApi, settings: Settings, template: str, bundle_id: int, expected: str | None
) -> None:
    buyer = Assistant(await make_api(settings=replace(settings, hand_over_url=template)))
    configured = await buyer.call("configure", purchase(bundle_id, "1002@1*2"))

    lines = (configured["cart"] or {}).get("line_items")
    unique = lines[0]["properties"]["_bundle_data"].rpartition("#")[2] if lines else ""
    values = {"id": configured["configured_bundle_id"], "unique": unique, "variant": configured["variant_id"]}
    assert configured["handOverUrl"] == (None if expected is None else expected.format(**values))


async def test_unknown_code_cannot_be_explained(assistant: Assistant) -> None:
    refused = await assistant.refusal("explain_refusal", {"code": "nothing"})
    assert [detail["path"] for detail in refused["details"]] == ["code"]
