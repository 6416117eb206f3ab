"""Invalid documents and variables: nothing is executed, and the response contains errors without data."""

from typing import Any

import orjson
import pytest

from tests.standin.calling import Caller, Reply
from tests.standin.server import Standin

PRODUCT = "query Q($id: ID!) { product(id: $id) { id } }"
NODES = "query Q($ids: [ID!]!) { nodes(ids: $ids) { id } }"
CREATE = """mutation M($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkCreate(productId: $id, variants: $variants) { userErrors { message } }
}"""
GID = "gid://shopify/Product/1"


def refused(reply: Reply) -> Any:
    """Check that the request was refused as a whole, in a reply that states no query cost, and return the reply's only error."""
    assert reply.status == 200
    assert set(reply.json) == {"errors"}
    return reply.error


@pytest.mark.parametrize(
    ("document", "message", "path", "extensions"),
    [
        (
            "query Q { shop { id nope } }",
            "Field 'nope' doesn't exist on type 'Shop'",
            ["query Q", "shop", "nope"],
            {"code": "undefinedField", "typeName": "Shop", "fieldName": "nope"},
        ),
        (
            "query Q { its: shop { id(x: 1) } }",
            "Field 'id' doesn't accept argument 'x'",
            ["query Q", "its", "id"],
            {"code": "argumentNotAccepted", "name": "id", "typeName": "Field", "argumentName": "x"},
        ),
        (
            "query Q { product { id } }",
            "Field 'product' is missing required arguments: id",
            ["query Q", "product"],
            {"code": "missingRequiredArguments", "className": "Field", "name": "product", "arguments": "id"},
        ),
        (
            "query Q { shop }",
            "Field must have selections (field 'shop' returns Shop but has no selections. Did you mean 'shop { ... }'?)",
            ["query Q", "shop"],
            {"code": "selectionMismatch", "nodeName": "field 'shop'", "typeName": "Shop"},
        ),
        (
            "query Q { shop { ... on Nope { id } } }",
            "No such type Nope",
            ["query Q", "shop", "... on Nope"],
            {"code": "undefinedType", "typeName": "Nope"},
        ),
        (
            "query Q($x: ID) { shop { id } }",
            "Variable $x is declared by Q but not used",
            ["query Q"],
            {"code": "variableNotUsed", "variableName": "x"},
        ),
    ],
)
async def test_document_that_does_not_match_the_schema(
    call: Caller, document: str, message: str, path: list[str], extensions: dict[str, str]
) -> None:
    error = refused(await call(document))
    assert (error["message"], error["path"], error["extensions"]) == (message, path, extensions)
    assert error["locations"]


async def test_argument_of_the_wrong_type(call: Caller) -> None:
    error = refused(await call("{ markets(first: one) { nodes { id } } }"))
    assert error["extensions"]["code"] == "argumentLiteralsIncompatible"


async def test_other_faults_in_a_document(call: Caller) -> None:
    """An error for which the platform has no code is reported with the name of the violated validation rule as its code."""
    error = refused(await call("query Q { shop { id @deprecated } }"))
    assert error["extensions"] == {"code": "KnownDirectives"}


async def test_text_that_is_not_a_document(call: Caller, standin: Standin) -> None:
    assert refused(await call("query Q { shop"))["extensions"] == {"code": "PARSE_ERROR"}
    assert standin.calls == {"": 1}


async def test_user_errors_without_a_code_field(call: Caller) -> None:
    """The platform's basic `UserError` has no `code`, so a document that selects this field is refused."""
    document = """mutation M($id: ID!, $to: [PublicationInput!]!) {
      publishableUnpublish(id: $id, input: $to) { userErrors { field message code } }
    }"""
    error = refused(await call(document, id=GID, to=[]))
    assert error["extensions"] == {"code": "undefinedField", "typeName": "UserError", "fieldName": "code"}


async def test_one_of_several_operations_must_be_named(call: Caller, standin: Standin) -> None:
    both = "query One { shop { id } } query Two { shop { name } }"
    assert "operation name" in (await call(both)).error["message"]
    assert standin.calls == {"": 1}
    named = orjson.dumps({"query": both, "operationName": "Two"})
    assert (await call.post(named)).data == {"shop": {"name": "Stand-in"}}
    assert standin.calls == {"": 1, "Two": 1}


async def test_one_malformed_id_refuses_the_request(call: Caller) -> None:
    error = refused(await call(NODES, ids=[GID, "x", "gid://shopify/Product"]))
    assert error["message"] == (
        "Variable $ids of type [ID!]! was provided invalid value for "
        "1 (Invalid global id 'x'), 2 (Invalid global id 'gid://shopify/Product')"
    )
    assert error["extensions"] == {
        "code": "INVALID_VARIABLE",
        "value": [GID, "x", "gid://shopify/Product"],
        "problems": [
            {"path": [1], "explanation": "Invalid global id 'x'"},
            {"path": [2], "explanation": "Invalid global id 'gid://shopify/Product'"},
        ],
    }


@pytest.mark.parametrize(
    ("document", "variables", "path"),
    [
        (PRODUCT, {}, []),
        (PRODUCT, {"id": None}, []),
        (PRODUCT, {"id": "1"}, []),
        (PRODUCT, {"id": 1}, []),
        (NODES, {"ids": [GID, None]}, [1]),
        (CREATE, {"id": GID, "variants": [{"price": "ten"}]}, [0, "price"]),
        (CREATE, {"id": GID, "variants": [{"inventoryPolicy": "SOMETIMES"}]}, [0, "inventoryPolicy"]),
        (CREATE, {"id": GID, "variants": [{"sku": "A"}]}, [0]),  # the field belongs in inventoryItem
        (CREATE, {"id": GID, "variants": [{"optionValues": [{"optionId": "7"}]}]}, [0, "optionValues", 0, "optionId"]),
    ],
)
async def test_variable_of_the_wrong_type(
    call: Caller, document: str, variables: dict[str, Any], path: list[str | int]
) -> None:
    extensions = refused(await call(document, **variables))["extensions"]
    assert extensions["code"] == "INVALID_VARIABLE"
    assert [problem["path"] for problem in extensions["problems"]] == [path]


@pytest.mark.parametrize(
    ("document", "variables", "message", "path"),
    [
        (
            NODES,
            {"ids": [GID] * 251},
            "The input array size of 251 is greater than the maximum allowed of 250.",
            ["nodes", "ids"],
        ),
        (
            CREATE,
            {"id": GID, "variants": [{"price": "1"}] * 2049},
            "The input array size of 2049 is greater than the maximum allowed of 2048.",
            ["productVariantsBulkCreate", "variants"],
        ),
    ],
)
async def test_too_long_list(
    call: Caller, document: str, variables: dict[str, Any], message: str, path: list[str]
) -> None:
    reply = await call(document, **variables)
    assert (reply.codes, reply.error["message"], reply.error["path"]) == (["MAX_INPUT_SIZE_EXCEEDED"], message, path)
    assert "data" not in reply.json
    assert reply.cost["actualQueryCost"] is None


async def test_longest_list_of_ids(call: Caller) -> None:
    assert (await call(NODES, ids=[GID] * 250)).data == {"nodes": [None] * 250}
