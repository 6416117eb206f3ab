"""The stand-in creates, changes and deletes variants in the way that the service needs for ghost variants."""

from decimal import Decimal
from typing import Any

import pytest

from tests.standin.calling import Caller
from tests.standin.data.generated import product
from tests.standin.data.shop import Option, OptionValue, Product, Variant
from tests.standin.server import Standin

CREATE = """mutation Create(
  $productId: ID!, $variants: [ProductVariantsBulkInput!]!, $strategy: ProductVariantsBulkCreateStrategy
) {
  productVariantsBulkCreate(productId: $productId, variants: $variants, strategy: $strategy) {
    product { hasOnlyDefaultVariant }
    productVariants {
      id title price position inventoryPolicy sku taxable
      selectedOptions { name value }
      inventoryItem { tracked requiresShipping measurement { weight { unit value } } }
      metafield(namespace: "bundles", key: "mark") { value }
    }
    userErrors { field message code }
  }
}"""
CREATE_BY_DEFAULT = """mutation Create($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkCreate(productId: $productId, variants: $variants) { userErrors { code } }
}"""
UPDATE = """mutation Update($productId: ID!, $variants: [ProductVariantsBulkInput!]!, $partly: Boolean = false) {
  productVariantsBulkUpdate(productId: $productId, variants: $variants, allowPartialUpdates: $partly) {
    productVariants { id price compareAtPrice title }
    userErrors { field message code }
  }
}"""
DELETE = """mutation Delete($productId: ID!, $variantsIds: [ID!]!) {
  productVariantsBulkDelete(productId: $productId, variantsIds: $variantsIds) {
    product { id }
    userErrors { field message code }
  }
}"""
OPTIONS = """mutation Options($productId: ID!, $options: [OptionCreateInput!]!, $how: ProductOptionCreateVariantStrategy) {
  productOptionsCreate(productId: $productId, options: $options, variantStrategy: $how) {
    product { options { name optionValues { name hasVariants } } variantsCount { count } }
    userErrors { field message code }
  }
}"""
UNPUBLISH = """mutation Hide($id: ID!, $input: [PublicationInput!]!) {
  publishableUnpublish(id: $id, input: $input) {
    publishable { ... on ProductVariant { id } }
    userErrors { field message }
  }
}"""

BOX = "gid://shopify/Product/1"
GONE = "gid://shopify/Product/404"
OWN = 10_001
PRESERVE = "PRESERVE_STANDALONE_VARIANT"


def variant_gid(number: int) -> str:
    return f"gid://shopify/ProductVariant/{number}"


def ghost(value: str = "abc", price: str = "29.90", option: str = "Title", **others: Any) -> dict[str, Any]:
    return {
        "price": price,
        "optionValues": [{"optionName": option, "name": value}],
        "inventoryPolicy": "CONTINUE",
        "inventoryItem": {"sku": f"ghost-{value}", "tracked": False, "requiresShipping": False},
        **others,
    }


@pytest.fixture
def box(standin: Standin) -> Product:
    """The product of a bundle, with a single default variant."""
    box = product(1)
    standin.shop.add(box)
    return box


@pytest.fixture
def shirt(standin: Standin) -> Product:
    options = [
        Option(11, "Size", [OptionValue(12, "S"), OptionValue(13, "M")]),
        Option(14, "Fit", [OptionValue(15, "Slim")]),
    ]
    shirt = Product(2, "Shirt", "shirt", options, [Variant(21, ["S", "Slim"], Decimal(20))])
    standin.shop.add(shirt)
    return shirt


async def create(call: Caller, *variants: dict[str, Any], to: str = BOX, strategy: str = PRESERVE) -> Any:
    reply = await call(CREATE, productId=to, variants=list(variants), strategy=strategy)
    return reply.data["productVariantsBulkCreate"]


async def test_ghost_variant_beside_the_own_variant(call: Caller, box: Product) -> None:
    weight = {"unit": "GRAMS", "value": 12.5}
    given = ghost(
        taxable=False,
        published=False,
        compareAtPrice="40",
        metafields=[{"namespace": "bundles", "key": "mark", "type": "boolean", "value": "true"}],
    )
    given["inventoryItem"]["measurement"] = {"weight": weight}
    made = await create(call, given)
    assert made["userErrors"] == []
    assert made["product"] == {"hasOnlyDefaultVariant": False}
    (found,) = made["productVariants"]
    own, new = box.variants
    assert (own.id, new.published, new.compare_at_price) == (OWN, False, Decimal(40))
    assert found == {
        "id": variant_gid(new.id),
        "title": "abc",
        "price": "29.90",
        "position": 2,
        "inventoryPolicy": "CONTINUE",
        "sku": "ghost-abc",
        "taxable": False,
        "selectedOptions": [{"name": "Title", "value": "abc"}],
        "inventoryItem": {"tracked": False, "requiresShipping": False, "measurement": {"weight": weight}},
        "metafield": {"value": "true"},
    }
    assert [value.name for value in box.options[0].values] == ["Default Title", "abc"]


async def test_default_strategy_deletes_the_default_variant(call: Caller, box: Product) -> None:
    reply = await call(CREATE_BY_DEFAULT, productId=BOX, variants=[ghost()])
    assert reply.data["productVariantsBulkCreate"]["userErrors"] == []
    assert [variant.title for variant in box.variants] == ["abc"]


@pytest.mark.parametrize(("strategy", "left"), [("DEFAULT", 2), ("REMOVE_STANDALONE_VARIANT", 1), (PRESERVE, 2)])
async def test_single_variant_with_another_name_stays(call: Caller, standin: Standin, strategy: str, left: int) -> None:
    box = product(1)
    box.variants[0].option_values = ["Large"]
    standin.shop.add(box)
    await create(call, ghost(), strategy=strategy)
    assert len(box.variants) == left


async def test_every_option_needs_a_value(call: Caller, shirt: Product) -> None:
    made = await create(call, ghost("L", option="Size"), to="gid://shopify/Product/2")
    assert made["productVariants"] is None
    assert made["userErrors"] == [
        {
            "field": ["variants", "0", "optionValues"],
            "message": "You need to add option values for Fit",
            "code": "NEED_TO_ADD_OPTION_VALUES",
        }
    ]
    assert len(shirt.variants) == 1


async def test_values_and_options_by_id(call: Caller, shirt: Product) -> None:
    choices = [
        {"optionId": "gid://shopify/ProductOption/11", "id": "gid://shopify/ProductOptionValue/13"},
        {"optionId": "gid://shopify/ProductOption/14", "name": "Wide"},
    ]
    made = await create(call, ghost(optionValues=choices), to="gid://shopify/Product/2")
    assert made["productVariants"][0]["title"] == "M / Wide"


@pytest.mark.parametrize(
    ("variants", "field", "code"),
    [
        ([ghost("Default Title")], ["variants", "0"], "VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE"),
        ([ghost("a"), ghost("a")], ["variants", "1"], "VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE"),
        ([ghost("a"), ghost("b", price="-1")], ["variants", "1", "price"], "GREATER_THAN_OR_EQUAL_TO"),
        ([ghost(id=variant_gid(OWN))], ["variants", "0", "id"], "NO_KEY_ON_CREATE"),
    ],
)
async def test_one_fault_refuses_the_whole_call(
    call: Caller, box: Product, variants: list[dict[str, Any]], field: list[str], code: str
) -> None:
    made = await create(call, *variants)
    assert made["productVariants"] is None
    assert [(error["field"], error["code"]) for error in made["userErrors"]] == [(field, code)]
    assert len(box.variants) == 1


async def test_unknown_option(call: Caller, box: Product) -> None:
    choices = [{"optionName": "Title", "name": "a"}, {"optionName": "Size", "name": "S"}]
    (error,) = (await create(call, ghost(optionValues=choices)))["userErrors"]
    assert error == {
        "field": ["variants", "0", "optionValues", "1"],
        "message": "Option does not exist",
        "code": "INVALID_INPUT",
    }


async def test_product_has_up_to_2048_variants(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1, variants=2047))
    made = await create(call, ghost("a", option="Size"), ghost("b", option="Size"))
    (error,) = made["userErrors"]
    assert (error["field"], "2048" in error["message"]) == (["variants"], True)
    assert (await create(call, ghost("a", option="Size")))["userErrors"] == []
    assert len(standin.shop.products[1].variants) == 2048


@pytest.mark.parametrize(
    ("document", "variables", "name"),
    [
        (CREATE, {"variants": []}, "productVariantsBulkCreate"),
        (UPDATE, {"variants": []}, "productVariantsBulkUpdate"),
        (DELETE, {"variantsIds": []}, "productVariantsBulkDelete"),
        (OPTIONS, {"options": []}, "productOptionsCreate"),
    ],
)
async def test_deleted_product(call: Caller, document: str, variables: dict[str, Any], name: str) -> None:
    (error,) = (await call(document, productId=GONE, **variables)).data[name]["userErrors"]
    assert error == {"field": ["productId"], "message": "Product does not exist", "code": "PRODUCT_DOES_NOT_EXIST"}


async def test_prices_are_changed(call: Caller, box: Product) -> None:
    own = {"id": variant_gid(OWN), "price": "12.5", "compareAtPrice": "15"}
    updated = (await call(UPDATE, productId=BOX, variants=[own])).data["productVariantsBulkUpdate"]
    assert updated == {
        "productVariants": [
            {"id": variant_gid(OWN), "price": "12.50", "compareAtPrice": "15.00", "title": "Default Title"}
        ],
        "userErrors": [],
    }
    cleared = {"id": variant_gid(OWN), "compareAtPrice": None, "optionValues": [{"optionName": "Title", "name": "Box"}]}
    updated = (await call(UPDATE, productId=BOX, variants=[cleared])).data["productVariantsBulkUpdate"]
    assert updated["productVariants"][0] == {
        "id": variant_gid(OWN),
        "price": "12.50",
        "compareAtPrice": None,
        "title": "Box",
    }


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"price": "1"}, ["variants", "1", "id"], "PRODUCT_VARIANT_ID_MISSING"),
        ({"id": variant_gid(404)}, ["variants", "1", "id"], "PRODUCT_VARIANT_DOES_NOT_EXIST"),
        ({"id": variant_gid(OWN), "price": "-1"}, ["variants", "1", "price"], "GREATER_THAN_OR_EQUAL_TO"),
        (
            {
                "id": variant_gid(OWN),
                "inventoryQuantities": [{"availableQuantity": 1, "locationId": "gid://shopify/Location/1"}],
            },
            ["variants", "1", "inventoryQuantities"],
            "NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE",
        ),
        (
            {"id": variant_gid(OWN), "optionValues": [{"optionName": "Size", "name": "S"}]},
            ["variants", "1", "optionValues", "0"],
            "OPTION_DOES_NOT_EXIST",
        ),
    ],
)
async def test_refused_changes(call: Caller, box: Product, given: dict[str, Any], field: list[str], code: str) -> None:
    right = {"id": variant_gid(OWN), "price": "99"}
    before = box.variants[0].price
    refused = (await call(UPDATE, productId=BOX, variants=[right, given])).data["productVariantsBulkUpdate"]
    assert [(error["field"], error["code"]) for error in refused["userErrors"]] == [(field, code)]
    assert (refused["productVariants"], box.variants[0].price) == (None, before)

    partly = (await call(UPDATE, productId=BOX, variants=[right, given], partly=True)).data["productVariantsBulkUpdate"]
    assert len(partly["userErrors"]) == 1
    assert box.variants[0].price == 99


async def delete(call: Caller, *numbers: int) -> Any:
    ids = [variant_gid(number) for number in numbers]
    return (await call(DELETE, productId=BOX, variantsIds=ids)).data["productVariantsBulkDelete"]


async def test_ghost_variants_are_deleted(call: Caller, box: Product) -> None:
    await create(call, ghost("a"), ghost("b"))
    _, first, second = (variant.id for variant in box.variants)
    assert await delete(call, first, second) == {"product": {"id": BOX}, "userErrors": []}
    assert [variant.id for variant in box.variants] == [OWN]


async def test_id_of_another_product_refuses_the_whole_call(call: Caller, box: Product, shirt: Product) -> None:
    await create(call, ghost("a"))
    refused = await delete(call, 21, box.variants[1].id)
    assert refused["product"] is None
    (error,) = refused["userErrors"]
    assert error["field"] == ["variantsIds", "0"]
    assert error["code"] == "AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT"
    assert (len(box.variants), len(shirt.variants)) == (2, 1)


async def test_last_variant_stays(call: Caller, box: Product) -> None:
    (error,) = (await delete(call, OWN))["userErrors"]
    assert error["code"] == "CANNOT_DELETE_LAST_VARIANT"
    assert len(box.variants) == 1


async def add_options(call: Caller, product_id: int, options: list[Any], how: str = "LEAVE_AS_IS") -> Any:
    global_id = f"gid://shopify/Product/{product_id}"
    return (await call(OPTIONS, productId=global_id, options=options, how=how)).data["productOptionsCreate"]


def option(name: str, *values: str) -> dict[str, Any]:
    return {"name": name, "values": [{"name": value} for value in values]}


async def test_new_options_replace_the_title(call: Caller, box: Product) -> None:
    made = await add_options(call, 1, [option("Kind", "Own", "Ghost")])
    assert made["userErrors"] == []
    values = [{"name": "Own", "hasVariants": True}, {"name": "Ghost", "hasVariants": False}]
    assert made["product"] == {"options": [{"name": "Kind", "optionValues": values}], "variantsCount": {"count": 1}}
    assert (box.variants[0].id, box.variants[0].title) == (OWN, "Own")


async def test_new_options_beside_existing_ones(call: Caller, shirt: Product) -> None:
    made = await add_options(call, 2, [option("Colour", "Red", "Blue")], how="CREATE")
    assert made["product"]["variantsCount"] == {"count": 4}
    assert {tuple(variant.option_values) for variant in shirt.variants} == {
        (size, "Slim", colour) for size in "SM" for colour in ("Red", "Blue")
    }


@pytest.mark.parametrize(
    ("options", "how", "field", "code"),
    [
        ([option("", "a")], "LEAVE_AS_IS", ["options", "0"], "OPTION_NAME_MISSING"),
        ([option("A / B", "a")], "LEAVE_AS_IS", ["options", "0", "name"], "INVALID_NAME"),
        ([option("Size", "a")], "LEAVE_AS_IS", ["options", "0"], "OPTION_ALREADY_EXISTS"),
        ([option("Colour")], "LEAVE_AS_IS", ["options", "0", "values"], "OPTION_VALUES_MISSING"),
        ([option("Colour", "a", "a")], "LEAVE_AS_IS", ["options", "0", "values"], "DUPLICATED_OPTION_VALUE"),
        ([option("Colour", "a"), option("Cut", "b")], "LEAVE_AS_IS", ["options"], "OPTIONS_OVER_LIMIT"),
        ([option("Colour", *map(str, range(1025)))], "CREATE", ["options"], "TOO_MANY_VARIANTS_CREATED"),
    ],
)
async def test_refused_options(
    call: Caller, shirt: Product, options: list[Any], how: str, field: list[str], code: str
) -> None:
    refused = await add_options(call, 2, options, how)
    assert [(error["field"], error["code"]) for error in refused["userErrors"]] == [(field, code)]
    assert len(shirt.options) == 2


async def test_variant_is_unpublished(call: Caller, box: Product) -> None:
    hidden = await call(UNPUBLISH, id=variant_gid(OWN), input=[{"publicationId": "gid://shopify/Publication/1"}])
    assert hidden.data["publishableUnpublish"] == {"publishable": {"id": variant_gid(OWN)}, "userErrors": []}
    assert box.variants[0].unpublished_from == {1}


async def test_unknown_publication(call: Caller, box: Product) -> None:
    gone = await call(UNPUBLISH, id=GONE, input=[{"publicationId": "gid://shopify/Publication/1"}])
    assert gone.data["publishableUnpublish"]["userErrors"][0]["field"] == ["id"]
    hidden = await call(UNPUBLISH, id=BOX, input=[{"publicationId": "gid://shopify/Publication/404"}])
    (error,) = hidden.data["publishableUnpublish"]["userErrors"]
    assert error["field"] == ["input", "0", "publicationId"]
    assert box.unpublished_from == set()


async def test_stock_is_set_on_create(call: Caller, box: Product) -> None:
    stock = [{"availableQuantity": 3, "locationId": "gid://shopify/Location/1"}]
    await create(call, ghost(inventoryQuantities=stock))
    assert box.variants[1].quantity == 3
