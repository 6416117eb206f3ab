"""The OpenAPI document is valid, complete and accurate."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import bundlesvc
from bundlesvc.api.agents.routes import MCP_PATH
from bundlesvc.api.documentation.pages import DOCS_PATH
from bundlesvc.api.documentation.plain_text import LLMS_PATH
from bundlesvc.api.errors import FAULT_CODES, STATES, STATUSES
from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.document import DOCUMENT_PATH
from bundlesvc.api.responses.errors import DETAIL_CODES, DETAIL_FIELDS
from bundlesvc.api.storefront_files.static_files import STATIC_PATH
from bundlesvc.domain import errors
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.orders.refusals import OrderInvalid, RefundInvalid
from tests.api.conftest import BASE, Api
from tests.api.response_check import ResponseCheck, response_check

Json = dict[str, Any]
METHODS = ("get", "post", "put", "delete", "patch", "head", "options")
PUBLIC = {"/healthz", "/readyz", "/metrics", "/openapi.json", "/webhooks/platform/{shop}", "/webhooks/platform"}

CODES = {
    "invalid_json": 400,
    "invalid_request": 400,
    "selection_invalid": 400,
    "rules_not_met": 400,
    "idempotency_key_invalid": 400,
    "idempotency_key_reused": 400,
    "subscription_invalid": 400,
    "personalisation_invalid": 400,
    "conditions_discount_mismatch": 400,
    "price_changed": 400,
    "content_encoding_unsupported": 400,
    "body_too_slow": 400,
    "key_invalid": 403,
    "key_scope": 403,
    "origin_not_allowed": 403,
    "shop_not_enabled": 403,
    "signature_invalid": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_too_large": 413,
    "rate_limited": 429,
    "internal_error": 500,
    "platform_error": 502,
    "overloaded": 503,
    "platform_not_connected": 503,
    "platform_unavailable": 503,
    "ghost_variants_full": 503,
    "storage_unavailable": 503,
    "shutting_down": 503,
    "platform_timeout": 504,
    "http_version_unsupported": 505,
}
"""Every error code, with its status."""


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
async def document(api: Api) -> Json:
    return await api.document()


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the path, the method and the description of each operation."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def error_codes(operation: Json) -> Iterator[tuple[str, str]]:
    """Yield the documented error codes of an operation, with their statuses."""
    for status, response in operation["responses"].items():
        if status >= "400":
            for code in response["content"]["application/json"]["examples"]:
                yield code, status


def validator(document: Json, schema: Json) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": document["components"]})


async def test_document_is_served_to_everyone_as_json(api: Api) -> None:
    async with api.client.get("/openapi.json", headers={"Origin": "https://any.example"}) as response:
        assert response.status == 200
        assert response.content_type == "application/json"
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert (await response.json())["openapi"].startswith("3.1.")


async def test_document_is_valid(document: Json) -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


async def test_every_route_is_in_the_document_and_nothing_else(api: Api, document: Json) -> None:
    """The document describes every route and nothing else.

    Exceptions: the tools for assistants describe themselves in `tools/list`, as their protocol requires, and the management API
    has its own document."""
    routes = {
        (resource.canonical, route.method)
        for resource in api.client.app.router.resources()
        if not resource.canonical.startswith((STATIC_PATH, DOCS_PATH, LLMS_PATH, MANAGE_PATH, DOCUMENT_PATH))
        and resource.canonical not in ("/", f"{BASE}{MCP_PATH}")
        for route in resource
        if route.method != "OPTIONS"
    }
    described = {(path, method.upper()) for path, method, _ in operations(document)}

    assert {route for route in routes if route[1] != "HEAD"} == described
    assert {path for path, method in routes if method == "HEAD"} == {path for path, method in routes if method == "GET"}


async def test_every_endpoint_of_the_main_api_is_described(document: Json) -> None:
    described = {(method.upper(), path.removeprefix(BASE)) for path, method, _ in operations(document)}

    assert described >= {
        ("GET", "/bundles"),
        ("GET", "/bundles/{id}"),
        ("GET", "/bundles/{id}/products"),
        ("POST", "/bundles/{id}/configure"),
        ("POST", "/bundles/{id}/price"),
        ("GET", "/settings"),
    }


def leaves(kind: type[errors.BundlesvcError]) -> Iterator[type[errors.BundlesvcError]]:
    """Yield the domain's most specific error classes: each has its own code and no subclass in the domain with another code."""
    in_domain = [each for each in kind.__subclasses__() if each.__module__ == errors.__name__]
    below = [each for each in in_domain if "code" in vars(each) or not hasattr(each, "code")]
    if not below:
        yield kind
    for each in below:
        yield from leaves(each)


def test_every_error_has_a_status_and_a_known_code() -> None:
    one = errors.StorageUnavailable  # its subclasses share one code
    found = {one if issubclass(kind, one) else kind for kind in leaves(errors.BundlesvcError)}
    assert found == {*STATUSES, *STATES}
    of_aiohttp = {"method_not_allowed": 405, "internal_error": 500}
    assert {kind.code: status for kind, status in STATUSES.items()} | of_aiohttp == CODES


async def test_every_error_code_is_in_the_document_under_its_status(document: Json) -> None:
    found = {pair for _, _, operation in operations(document) for pair in error_codes(operation)}

    assert found == {(code, str(status)) for code, status in CODES.items()}


COMMON = {
    "key_invalid",
    "key_scope",
    "origin_not_allowed",
    "shop_not_enabled",
    "rate_limited",
    "method_not_allowed",
    "internal_error",
}


async def test_every_endpoint_lists_the_common_errors(document: Json) -> None:
    for path, _, operation in operations(document):
        if path.startswith(BASE):
            assert {code for code, _ in error_codes(operation)} >= COMMON


async def test_keys_are_required_below_the_base_only(document: Json) -> None:
    (scheme,) = document["components"]["securitySchemes"].items()
    assert (scheme[1]["type"], scheme[1]["scheme"]) == ("http", "bearer")

    open_to_all = {
        path for path, _, operation in operations(document) if operation.get("security", document["security"]) == []
    }
    assert open_to_all == PUBLIC
    assert all(path.startswith(BASE) for path, _, _ in operations(document) if path not in PUBLIC)


async def test_every_operation_is_described(document: Json) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]

    assert len(set(names)) == len(names)
    for path, _, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}
        assert all(parameter["description"] for parameter in operation["parameters"])


async def test_gets_below_the_base_have_etags(document: Json) -> None:
    for path, method, operation in operations(document):
        if path.startswith(BASE) and method == "get" and "/embed/" not in path and "/configured-bundles/" not in path:
            assert "If-None-Match" in [parameter["name"] for parameter in operation["parameters"]]
            assert "304" in operation["responses"]


def examples(document: Json) -> Iterator[tuple[str, Json, Any]]:
    """Yield the location, the schema and the value of every example in the document."""
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        for parameter in operation["parameters"]:
            if "example" in parameter:
                yield f"{where} {parameter['name']}", parameter["schema"], parameter["example"]
        contents = {"request": operation.get("requestBody", {}).get("content", {})}
        contents |= {status: response.get("content", {}) for status, response in operation["responses"].items()}
        for name, content in contents.items():
            for media in content.values():
                if "example" in media:
                    yield f"{where} {name}", media["schema"], media["example"]
                for code, example in media.get("examples", {}).items():
                    yield f"{where} {name} {code}", media["schema"], example["value"]


async def test_examples_match_their_schemas(document: Json) -> None:
    found = list(examples(document))

    assert len(found) > 100
    wrong = {
        where: [error.message for error in validator(document, schema).iter_errors(example)]
        for where, schema, example in found
    }
    assert {where: messages for where, messages in wrong.items() if messages} == {}


async def test_json_bodies_have_examples(document: Json) -> None:
    for path, method, operation in operations(document):
        bodies = [operation["requestBody"]["content"]] if "requestBody" in operation else []
        bodies.append(operation["responses"]["200"]["content"])
        if path != "/openapi.json":
            assert all("example" in body["application/json"] for body in bodies if "application/json" in body), (
                path,
                method,
            )


# The fields of each schema; optional fields are in brackets.
FIELDS = {
    "BundleSummary": "id name description imageUrl type bundlingOption published [handle] [fromPrice] [discountSummary]",
    "Bundle": "id name description imageUrl type bundlingOption published layout discount sections requiredProducts "
    "limitRules weightUnit conditionsEngineEnabled conditionsPartial [conditionsEngineNodes] [sellingPlans] [personalisation]",
    "Discount": "type value flatOrTiered minimum operator tiers",
    "Tier": "type value operation discount customText",
    "Section": "id name description imageUrl order autoNextSection products",
    "SectionProduct": "bundleItemId platformProductId variantIds",
    "RequiredProduct": "platformProductId variantIds quantity",
    "LimitRule": "type operation value sectionId",
    "Products": "products",
    "Product": "platformProductId platformProductGid title handle imageUrl status tags descriptionHtml options variants",
    "ProductOption": "name position values swatches",
    "Variant": "platformVariantId platformVariantGid title price compareAtPrice sku available inventoryQuantity grams "
    "optionValues [image] [presentmentPrice] [presentmentCurrency] [priceInShopCurrency] [availableForSale] "
    "[exchangeRate]",
    "Pricing": "originalPrice discountedPrice discountType discountValue currency",
    "PriceResult": "originalPrice discountedPrice discountType discountValue currency [presentment]",
    "Presentment": "originalPrice discountedPrice currency",
    "ConfigureResult": "configured_bundle_id variant_id product_id discount subscription_id pricing [presentment] cart",
    "CartPayload": "line_items attributes",
    "CartLine": "id quantity properties",
    "CartAttributes": "_bundles",
    "Settings": "activeFeatures currency moneyFormat weightUnit",
    "SellingPlan": "sellingPlanId name cadenceLabel savingPercent groupId frequency unit required",
    "PersonalisationField": "id key label type required placeholder characterLimit options optionLabels helpText fee",
    "PersonalisationFee": "variantId amount currencyCode",
    "Error": "error code requestId [detail] [details] [limit]",
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
async def test_schemas_have_exactly_these_fields(document: Json, name: str) -> None:
    schema = document["components"]["schemas"][name]
    fields = FIELDS[name].split()

    assert schema["properties"].keys() == {field.strip("[]") for field in fields}
    assert set(schema["required"]) == {field for field in fields if not field.startswith("[")}
    assert schema["additionalProperties"] is False


def broken(document: Json, path: str, *gone: str) -> Json:
    """A copy of the document in which one entry below a path is missing."""
    copy: Json = orjson.loads(orjson.dumps(document))
    place = copy["paths"][path]
    for name in gone[:-1]:
        place = place[name]
    del place[gone[-1]]
    return copy


async def test_responses_in_tests_are_checked_against_the_served_document(document: Json) -> None:
    assert response_check(BASE).document == document


async def test_undocumented_response_fails_the_tests(document: Json) -> None:
    """An undocumented response fails the tests, which proves that the check of every response works."""
    path = f"{BASE}/bundles/{{id}}"
    error = orjson.dumps({"error": "x", "code": "not_found", "requestId": "x", "detail": "Not found."})
    ResponseCheck(document).check("GET", f"{BASE}/bundles/98", 404, error)

    for gone in (
        ["get", "responses", "404"],
        ["get", "responses", "404", "content", "application/json", "examples", "not_found"],
    ):
        with pytest.raises(AssertionError):
            ResponseCheck(broken(document, path, *gone)).check("GET", f"{BASE}/bundles/98", 404, error)
    with pytest.raises(AssertionError, match="not documented"):
        ResponseCheck(document).check("GET", f"{BASE}/bundles/98", 418, error)
    with pytest.raises(AssertionError, match="not documented"):
        ResponseCheck(broken(document, path, "get")).check("GET", f"{BASE}/bundles/98", 200, b"{}")


def parameter(document: Json, path: str, name: str) -> Json:
    """The schema of a parameter of a GET operation."""
    return next(
        each["schema"] for each in document["paths"][f"{BASE}{path}"]["get"]["parameters"] if each["name"] == name
    )


def accepts(document: Json, schema: Json, value: object) -> bool:
    return validator(document, schema).is_valid(value)


async def test_document_says_which_parameters_are_refused(document: Json) -> None:
    variant = parameter(document, "/embed/api/v1/bundle/{id}/variant/{variantId}", "variantId")
    assert [accepts(document, variant, number) for number in (1, MAX_ID, 0, MAX_ID + 1)] == [True, True, False, False]
    country = parameter(document, "/bundles/{id}/products", "countryCode")
    assert (country["minLength"], country["maxLength"]) == (2, 2)
    assert [accepts(document, country, code) for code in ("US", "us", "", "U", "ZZ")] == [
        True,
        True,
        False,
        False,
        False,
    ]


REMINDER = {"variant": "10191", "customer_email": "mira@mail.example", "bundle_name": "Breakfast Box"}


@pytest.mark.parametrize(
    ("name", "body", "accepted"),
    [
        ("NotifyRequest", REMINDER, True),
        ("NotifyRequest", {**REMINDER, "variant": "gid://platform/ProductVariant/10191"}, True),
        ("NotifyRequest", {**REMINDER, "variant": "gid://platform/Product/10191"}, False),
        ("NotifyRequest", {**REMINDER, "variant": "x"}, False),
        ("NotifyRequest", {**REMINDER, "customer_email": "mira"}, False),
        (
            "ContentRequest",
            {"bundles": [{"configuredBundleId": 1}, {"variantId": 1, "configuredBundleId": None}]},
            True,
        ),
        ("ContentRequest", {"bundles": [{}]}, False),
        ("ContentRequest", {"bundles": [{"variantId": None}]}, False),
        ("ContentRequest", {"bundles": [{"variantId": MAX_ID + 1}]}, False),
        ("ContentRequest", {"bundles": [{"variantId": 1}] * 101}, False),
    ],
)
async def test_document_says_which_bodies_are_refused(
    document: Json, name: str, body: object, *, accepted: bool
) -> None:
    assert accepts(document, document["components"]["schemas"][name], body) is accepted


async def test_error_codes_are_enumerated_for_each_response(document: Json) -> None:
    for path, method, operation in operations(document):
        for status, response in operation["responses"].items():
            if status >= "400":
                content = response["content"]["application/json"]
                assert content["schema"]["properties"]["code"]["enum"] == list(content["examples"]), (path, method)
    assert set(document["components"]["schemas"]["Error"]["properties"]["code"]["enum"]) == set(CODES)


async def test_detail_codes_are_enumerated_for_each_response(document: Json) -> None:
    def codes(path: str, method: str = "post") -> set[str]:
        schema = document["paths"][f"{BASE}{path}"][method]["responses"]["400"]["content"]["application/json"]["schema"]
        return set(schema["properties"]["details"]["items"]["properties"]["code"]["enum"])

    assert codes("/embed/api/v1/content") == {"required", "invalid"}
    assert codes("/embed/api/v1/bundle", "get") == {"required", "invalid", "unknown_template"}
    assert codes("/bundles/{id}/price") >= {"unknown_group", "not_in_section", "mismatch", "answers_too_long"}
    assert "sold_out" not in codes("/bundles/{id}/price")
    assert "sold_out" in codes("/bundles/{id}/configure")


WRONG_CODES: dict[str, Json] = {
    "misspelt error": {"code": "rule_not_met"},
    "misspelt detail": {"code": "rules_not_met", "details": [{"code": "soldout"}]},
    "detail of another error": {"code": "selection_invalid", "details": [{"code": "blocked"}]},
    "detail without its fields": {"code": "rules_not_met", "details": [{"code": "sold_out"}]},
}
"""Errors that the service itself never sends."""


@pytest.mark.parametrize("wrong", WRONG_CODES.values(), ids=WRONG_CODES)
async def test_error_with_wrong_codes_does_not_match_its_schema(document: Json, wrong: Json) -> None:
    details = [{"path": "products.0", "message": "No.", **detail} for detail in wrong.get("details", ())]
    error = {"error": "No.", "requestId": "0f1e", **wrong, "details": details}

    assert not validator(document, document["components"]["schemas"]["Error"]).is_valid(error)


def test_every_detail_code_with_fields_exists() -> None:
    assert DETAIL_FIELDS.keys() <= set(DETAIL_CODES)


def test_every_fault_of_the_code_has_an_enumerated_code() -> None:
    source = Path(bundlesvc.__file__).parent
    found = {
        code
        for path in source.rglob("*.py")
        if "shop_file" not in path.parts
        for code in re.findall(r'\bFault\(\s*[^()]*?,\s*"([a-z_]+)",', path.read_text())
    }
    assert len(found) > 15
    of_orders = {*OrderInvalid.fault_codes, *RefundInvalid.fault_codes}
    assert found <= set(chain.from_iterable(FAULT_CODES.values())) | of_orders
