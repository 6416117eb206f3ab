"""Deployed functions, cart transforms, automatic discounts and metafields."""

from pathlib import Path
from typing import Any

import pytest

from tests.standin.app.deployment import WASM, ExtensionRefused, deploy
from tests.standin.calling import Caller
from tests.standin.data.functions import Function, Target
from tests.standin.data.shop import Shop
from tests.standin.server import Standin

CREATE = """mutation Create($id: String, $handle: String, $block: Boolean, $metafields: [MetafieldInput!]) {
  cartTransformCreate(functionId: $id, functionHandle: $handle, blockOnFailure: $block, metafields: $metafields) {
    cartTransform { id functionId blockOnFailure metafield(namespace: "$app:bundles", key: "config") { namespace value } }
    userErrors { field code message }
  }
}"""
DELETE = "mutation Delete($id: ID!) { cartTransformDelete(id: $id) { deletedId userErrors { field code } } }"
SET = """mutation Set($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { metafields { namespace key value } userErrors { field code elementIndex } }
}"""
CREATE_DISCOUNT = """mutation Create($discount: DiscountAutomaticAppInput!) {
  discountAutomaticAppCreate(automaticAppDiscount: $discount) {
    automaticAppDiscount { discountId title status appliesOnSubscription recurringCycleLimit appDiscountType { functionId } }
    userErrors { field code }
  }
}"""
UPDATE_DISCOUNT = """mutation Update($id: ID!, $discount: DiscountAutomaticAppInput!) {
  discountAutomaticAppUpdate(id: $id, automaticAppDiscount: $discount) {
    automaticAppDiscount { title status endsAt recurringCycleLimit }
    userErrors { field code }
  }
}"""
CONFIG = {"namespace": "$app:bundles", "key": "config", "type": "json", "value": "{}"}
START = "2026-11-01T00:00:00Z"


@pytest.fixture(autouse=True)
def deployed(standin: Standin) -> None:
    """Deploy one function per API."""
    for id_, handle, target in (
        ("id-merge", "merge", "cart.transform.run"),
        ("id-discount", "discount", "cart.lines.discounts.generate.run"),
    ):
        standin.shop.functions.deploy(Function(id_, handle, handle, "one", "2026-07", (Target(target, "run"),)))


async def create(call: Caller, **variables: Any) -> Any:
    return (await call(CREATE, **variables)).data["cartTransformCreate"]


async def create_discount(call: Caller, **given: Any) -> Any:
    discount = {"title": "Bundles", "functionHandle": "discount", "startsAt": START, **given}
    return (await call(CREATE_DISCOUNT, discount=discount)).data["discountAutomaticAppCreate"]


async def set_metafield(call: Caller, owner: str, **given: Any) -> Any:
    return (await call(SET, metafields=[{**CONFIG, "ownerId": owner, **given}])).data["metafieldsSet"]


async def test_functions_are_listed(call: Caller) -> None:
    document = "query($type: String) { shopifyFunctions(first: 5, apiType: $type) { nodes { id handle apiType } } }"
    nodes = (await call(document)).data["shopifyFunctions"]["nodes"]
    assert [(node["id"], node["handle"]) for node in nodes] == [("id-merge", "merge"), ("id-discount", "discount")]
    nodes = (await call(document, type="cart_transform")).data["shopifyFunctions"]["nodes"]
    assert [node["handle"] for node in nodes] == ["merge"]


async def test_cart_transform_is_created_listed_and_deleted(call: Caller) -> None:
    made = await create(call, handle="merge", block=True, metafields=[CONFIG])
    assert made["userErrors"] == []
    transform = made["cartTransform"]
    assert (transform["functionId"], transform["blockOnFailure"]) == ("id-merge", True)
    assert transform["metafield"] == {"namespace": "app--1--bundles", "value": "{}"}
    document = "query { cartTransforms(first: 5) { nodes { id } } }"
    assert (await call(document)).data["cartTransforms"]["nodes"] == [{"id": transform["id"]}]
    gone = (await call(DELETE, id=transform["id"])).data["cartTransformDelete"]
    assert gone == {"deletedId": transform["id"], "userErrors": []}
    again = (await call(DELETE, id=transform["id"])).data["cartTransformDelete"]
    assert again["userErrors"] == [{"field": ["id"], "code": "NOT_FOUND"}]


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({}, "functionId", "MISSING_FUNCTION_IDENTIFIER"),
        ({"id": "id-merge", "handle": "merge"}, "functionHandle", "MULTIPLE_FUNCTION_IDENTIFIERS"),
        ({"handle": "other"}, "functionHandle", "FUNCTION_NOT_FOUND"),
        ({"id": "id-discount"}, "functionId", "FUNCTION_DOES_NOT_IMPLEMENT"),
        ({"id": "id-merge", "metafields": [{**CONFIG, "value": "{"}]}, "metafields", "INVALID_METAFIELDS"),
    ],
)
async def test_invalid_cart_transform_is_refused(call: Caller, given: Any, field: str, code: str) -> None:
    (error,) = (await create(call, **given))["userErrors"]
    assert (error["field"], error["code"]) == ([field], code)


async def test_a_second_cart_transform_is_refused(call: Caller, standin: Standin) -> None:
    await create(call, handle="merge")
    assert (await create(call, id="id-merge"))["userErrors"][0]["code"] == "FUNCTION_ALREADY_REGISTERED"
    another = Function("id-2", "merge-2", "", "", "2026-07", (Target("cart.transform.run", "run"),))
    standin.shop.functions.deploy(another)
    assert (await create(call, handle="merge-2"))["userErrors"][0]["code"] == "MAXIMUM_CART_TRANSFORMS"


async def test_custom_apps_need_the_right_plan(call: Caller, standin: Standin) -> None:
    standin.shop.functions.eligible = False
    assert (await create(call, handle="merge"))["userErrors"][0]["code"] == "CUSTOM_APP_FUNCTION_NOT_ELIGIBLE"


async def test_a_function_deployed_again_keeps_its_id(call: Caller, standin: Standin) -> None:
    await create(call, handle="merge")
    target = (Target("cart.transform.run", "run"),)
    standin.shop.functions.deploy(Function("id-merge", "merge", "merge", "two", "2026-07", target))
    assert len(standin.shop.functions.deployed) == 2
    assert (await create(call, handle="merge"))["userErrors"][0]["code"] == "FUNCTION_ALREADY_REGISTERED"


async def test_metafields_are_set_and_replaced(call: Caller) -> None:
    owner = (await create(call, handle="merge", metafields=[CONFIG]))["cartTransform"]["id"]
    made = await set_metafield(call, owner, value='{"a": 1}')
    assert made["userErrors"] == []
    assert made["metafields"] == [{"namespace": "app--1--bundles", "key": "config", "value": '{"a": 1}'}]
    document = """query { cartTransforms(first: 1) { nodes {
      own: metafield(namespace: "$app:bundles", key: "config") { value }
      other: metafield(namespace: "bundles", key: "config") { value }
    } } }"""
    (node,) = (await call(document)).data["cartTransforms"]["nodes"]
    assert node == {"own": {"value": '{"a": 1}'}, "other": None}


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"ownerId": "gid://shopify/CartTransform/404"}, "ownerId", "INVALID"),
        ({"value": "{"}, "value", "INVALID_VALUE"),
        ({"type": "poem"}, "type", "INVALID_TYPE"),
        ({"key": "k"}, "key", "TOO_SHORT"),
        ({"key": "k" * 65}, "key", "TOO_LONG"),
        ({"namespace": "app--2--bundles"}, "namespace", "APP_NOT_AUTHORIZED"),
    ],
)
async def test_invalid_metafield_is_refused_and_none_is_set(
    call: Caller, standin: Standin, given: Any, field: str, code: str
) -> None:
    owner = (await create(call, handle="merge"))["cartTransform"]["id"]
    both = [{**CONFIG, "ownerId": owner}, {**CONFIG, "ownerId": owner, **given}]
    refused = (await call(SET, metafields=both)).data["metafieldsSet"]
    assert refused["userErrors"] == [{"field": ["metafields", "1", field], "code": code, "elementIndex": 1}]
    assert standin.shop.functions.cart_transforms[0].metafields == {}


async def test_too_many_metafields_are_refused(call: Caller) -> None:
    owner = (await create(call, handle="merge"))["cartTransform"]["id"]
    refused = (await call(SET, metafields=[{**CONFIG, "ownerId": owner}] * 26)).data["metafieldsSet"]
    assert [error["code"] for error in refused["userErrors"]] == ["LESS_THAN_OR_EQUAL_TO"]


async def test_discount_is_created_listed_and_changed(call: Caller) -> None:
    made = await create_discount(call, recurringCycleLimit=0, metafields=[CONFIG], endsAt="2026-11-02T00:00:00Z")
    assert made["userErrors"] == []
    discount = made["automaticAppDiscount"]
    assert (discount["status"], discount["recurringCycleLimit"]) == ("EXPIRED", 0)
    assert discount["appDiscountType"] == {"functionId": "id-discount"}
    document = """query($query: String) { discountNodes(first: 5, query: $query) { nodes {
      id discount { __typename } metafield(namespace: "$app:bundles", key: "config") { value }
    } } }"""
    (node,) = (await call(document, query="method:automatic AND type:app")).data["discountNodes"]["nodes"]
    assert node == {
        "id": discount["discountId"],
        "discount": {"__typename": "DiscountAutomaticApp"},
        "metafield": {"value": "{}"},
    }
    assert (await call(document, query="type:bxgy")).data["discountNodes"]["nodes"] == []
    changed = await call(UPDATE_DISCOUNT, id=node["id"], discount={"endsAt": None, "recurringCycleLimit": 0})
    assert changed.data["discountAutomaticAppUpdate"] == {
        "automaticAppDiscount": {"title": "Bundles", "status": "ACTIVE", "endsAt": None, "recurringCycleLimit": 0},
        "userErrors": [],
    }
    assert (await set_metafield(call, node["id"]))["userErrors"] == []


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"functionHandle": None}, [], "MISSING_FUNCTION_IDENTIFIER"),
        ({"functionId": "id-discount"}, [], "MULTIPLE_FUNCTION_IDENTIFIERS"),
        ({"functionHandle": "merge"}, ["functionHandle"], "INVALID"),
        ({"title": ""}, ["title"], "BLANK"),
        ({"startsAt": None}, ["startsAt"], "BLANK"),
        ({"appliesOnSubscription": False, "appliesOnOneTimePurchase": False}, [], "APPLIES_ON_NOTHING"),
        ({"metafields": [{**CONFIG, "type": "poem"}]}, ["metafields", "0", "type"], "INVALID"),
    ],
)
async def test_invalid_discount_is_refused(call: Caller, given: Any, field: list[str], code: str) -> None:
    error = (await create_discount(call, **given))["userErrors"][0]
    assert error == {"field": ["automaticAppDiscount", *field], "code": code}


async def test_titles_of_automatic_discounts_are_unique(call: Caller) -> None:
    await create_discount(call)
    (error,) = (await create_discount(call))["userErrors"]
    assert error == {"field": ["automaticAppDiscount", "title"], "code": "TAKEN"}


async def test_unknown_discount_cannot_be_changed(call: Caller) -> None:
    reply = await call(UPDATE_DISCOUNT, id="gid://shopify/DiscountAutomaticNode/404", discount={})
    assert reply.data["discountAutomaticAppUpdate"]["userErrors"] == [{"field": ["id"], "code": "INVALID"}]


@pytest.mark.parametrize(
    ("scope", "document"),
    [
        ("read_cart_transforms", "query { cartTransforms(first: 1) { nodes { id } } }"),
        ("read_discounts", "query { discountNodes(first: 1) { nodes { id } } }"),
        ("write_cart_transforms", 'mutation { cartTransformCreate(functionId: "x") { userErrors { code } } }'),
        (
            "write_discounts",
            "mutation { discountAutomaticAppCreate(automaticAppDiscount: {}) { userErrors { code } } }",
        ),
    ],
)
async def test_access_scopes_are_needed(call: Caller, standin: Standin, scope: str, document: str) -> None:
    standin.missing_scopes.add(scope)
    assert (await call(document)).error["extensions"]["requiredAccess"] == f"`{scope}` access scope."


async def test_metafields_need_the_scope_of_their_owner(call: Caller, standin: Standin) -> None:
    owner = (await create(call, handle="merge"))["cartTransform"]["id"]
    standin.missing_scopes.add("write_cart_transforms")
    reply = await call(SET, metafields=[{**CONFIG, "ownerId": owner}])
    assert reply.error["extensions"]["requiredAccess"] == "`write_cart_transforms` access scope."


MANIFEST = """api_version = "2026-07"
[[extensions]]
type = "function"
name = "Merge"
handle = "merge"
uid = "u-1"
description = "one"
[[extensions.targeting]]
target = "cart.transform.run"
input_query = "input.graphql"
export = "run"
[extensions.build]
command = "node --version"
path = "function.wasm"
"""
QUERY = "query Input { cart { lines { id } } }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shopify.extension.toml").write_text(MANIFEST)
    (tmp_path / "input.graphql").write_text(QUERY)
    (tmp_path / "function.wasm").write_bytes(WASM + b"\1\0\0\0")
    return tmp_path


def test_a_folder_is_deployed(folder: Path) -> None:
    shop = Shop()
    deploy(shop, folder)
    target = Target("cart.transform.run", "run", QUERY)
    module = (folder / "function.wasm").read_bytes()
    assert shop.functions.deployed == [Function("u-1", "merge", "Merge", "one", "2026-07", (target,), module)]


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("shopify.extension.toml", "[[", "[", "cannot be read"),
        ("shopify.extension.toml", 'name = "Merge"', "", "no name"),
        ("shopify.extension.toml", 'handle = "merge"', 'handle = "-merge"', "handle is invalid"),
        ("shopify.extension.toml", "node --version", " ", "build command"),
        ("shopify.extension.toml", "2026-07", "2024-01", "unknown to the stand-in"),
        ("shopify.extension.toml", "function.wasm", "dist/index.wasm", "dist/index.wasm cannot be read"),
        ("input.graphql", "lines", "rows", "Cannot query field 'rows'"),
        ("input.graphql", "}", "", "Syntax Error"),
        ("input.graphql", "query", "#" * 3000 + "\nquery", "too large"),
        ("function.wasm", "asm", "elf", "not WebAssembly"),
    ],
)
def test_an_invalid_folder_is_refused(folder: Path, name: str, old: str, new: str, words: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
    shop = Shop()
    with pytest.raises(ExtensionRefused, match=words):
        deploy(shop, folder)
    assert shop.functions.deployed == []
