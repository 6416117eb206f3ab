"""Every field of the response schemas is rendered (docs/decisions/0019-one-description-per-wire-shape.md).

The tests check every response against its schema, which reveals a misspelt or missing field only where the schema requires it.
Here, every field must appear in a real response, including the optional ones.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi
from tests.api.embed.conftest import EMBED
from tests.api.embed.conftest import SHOP_TEXT as EMBED_SHOP
from tests.api.selection import Json, configure_body, item, price_body, reading_path

ENGRAVED = {**item("1001@1"), "personalisation": {"engraving": "Mira"}}
Field = tuple[str, str]
"""The name of a schema and of one of its fields."""

SPLIT = f"{EMBED}/bundle?id=40&visitor_id=7d444840-9dc0-11d1-b245-5ffdce74fad2"
SUBSCRIPTION = {"id": 7, "frequency": 2, "unit": "week", "email": "mira@mail.example"}
REMINDER = {"variant": "2002", "customer_email": "mira@mail.example", "bundle_name": "Everything"}


def rendered_fields(document: Json, schema: Json, value: Any) -> Iterator[Field]:
    """Yield the fields of named schemas that appear in a value."""
    for choice in schema.get("anyOf", []):
        yield from rendered_fields(document, choice, value)
    name = schema.get("$ref", "").rpartition("/")[2]
    schema = document["components"]["schemas"][name] if name else schema
    if isinstance(value, list):
        for entry in value:
            yield from rendered_fields(document, schema.get("items", {}), entry)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                yield name, key
            described = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(described, dict):
                yield from rendered_fields(document, described, inner)


def described_fields(document: Json, schema: Json) -> set[Field]:
    """The fields of a schema and of all schemas nested in it."""
    found: set[Field] = set()
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        name = each.get("$ref", "").rpartition("/")[2]
        each = document["components"]["schemas"][name] if name else each
        new = {(name, key) for key in each.get("properties", {})} - found
        if name and not new:
            continue
        found |= new
        inner = [each.get("items"), each.get("additionalProperties"), *each.get("anyOf", [])]
        waiting += [one for one in (*inner, *each.get("properties", {}).values()) if isinstance(one, dict)]
    return found


async def field_sets(
    api: Api, method: str, path: str, template: str, body: object = None
) -> tuple[set[Field], set[Field]]:
    """Send a request, and return the fields in the response and the fields that the OpenAPI document describes for this
    operation."""
    document = await api.document()
    response = await api.request(method, path, body)
    operation = document["paths"][f"/api/headless/v1{template}"][method.lower()]
    schema = operation["responses"][str(response.status)]["content"]["application/json"]["schema"]
    if response.status >= 400:
        schema = {"$ref": schema["$ref"]}
    return set(rendered_fields(document, schema, response.json)), described_fields(document, schema)


MAIN = [
    ("GET", "/bundles?include=offer", "/bundles", None),
    ("GET", "/bundles/10", "/bundles/{id}", None),
    ("GET", "/bundles/50", "/bundles/{id}", None),
    ("GET", "/bundles/10/products?countryCode=US", "/bundles/{id}/products", None),
    ("GET", "/settings", "/settings", None),
    ("POST", "/bundles/20/price", "/bundles/{id}/price", price_body("1001@1", countryCode="JP")),
    ("POST", "/bundles/41/complete", "/bundles/{id}/complete", price_body("2001@2", "2001@2")),
    ("POST", "/bundles/10/complete", "/bundles/{id}/complete", {"products": [ENGRAVED] * 5}),
    (
        "POST",
        "/bundles/50/configure",
        "/bundles/{id}/configure",
        configure_body("1001@1", subscription=SUBSCRIPTION, countryCode="US"),
    ),
]
EMBEDDED = [
    ("GET", f"{EMBED}/settings", f"{EMBED}/settings", None),
    ("GET", SPLIT, f"{EMBED}/bundle", None),
    ("POST", f"{EMBED}/notify", f"{EMBED}/notify", REMINDER),
]
REFUSED = [
    ("GET", "/bundles/98", "/bundles/{id}", None),
    ("POST", "/bundles/40/configure", "/bundles/{id}/configure", configure_body("1004@1", "2001@2")),
    ("POST", "/bundles/41/configure", "/bundles/{id}/configure", configure_body("1001@1")),
    (
        "POST",
        "/bundles/60/price",
        "/bundles/{id}/price",
        price_body("1001@1", "1001@1", bundleContent={"conditionsDiscount": {"type": "fixed", "value": "1.00"}}),
    ),
    (
        "POST",
        "/bundles/20/configure",
        "/bundles/{id}/configure",
        configure_body("1001@1", "2001@2", expectedPrice="0.01"),
    ),
]


async def test_every_field_is_rendered(shared_api: Api, make_api: MakeApi, settings: Settings) -> None:
    hurried = await make_api(settings=replace(settings, completion_work=0))
    embed = await make_api(EMBED_SHOP)
    made = (
        (await embed.post("/bundles/30/configure", configure_body("1001@2", "6001@0", type="multiple-products")))
        .held()
        .json
    )
    looked_up = [
        (
            "GET",
            f"{EMBED}/bundle/30/variant/{made['variant_id']}",
            f"{EMBED}/bundle/{{id}}/variant/{{variantId}}",
            None,
        ),
        (
            "POST",
            f"{EMBED}/content",
            f"{EMBED}/content",
            {"bundles": [{"configuredBundleId": made["configured_bundle_id"]}]},
        ),
    ]
    body = configure_body("6001@0", subscription=SUBSCRIPTION)
    body["products"].append(ENGRAVED)
    read = reading_path((await shared_api.post("/bundles/10/configure", body)).held().json)
    pairs = [await field_sets(shared_api, *call) for call in MAIN]
    pairs.append(await field_sets(shared_api, "GET", read, "/configured-bundles/{id}"))
    pairs.append(await field_sets(hurried, "POST", "/bundles/41/complete", "/bundles/{id}/complete", price_body()))
    pairs += [await field_sets(embed, *call) for call in (*EMBEDDED, *looked_up)]
    rendered, described = (set[Field]().union(*sets) for sets in zip(*pairs, strict=True))

    optional_in_both = {("EmbedBundle", "sellingPlans"), ("EmbedBundle", "personalisation")}  # as in Bundle
    of_details = {field for field in described if field[0] in ("Detail", "ConditionsDiscount")}  # tested below
    only_live = {("ImageWidths", "origin"), ("ImageWidths", "parameter")}  # tests/api/live/test_images.py
    assert described - rendered - of_details == optional_in_both | only_live
    assert len(described) > 120


async def test_every_field_of_an_error_is_rendered(shared_api: Api) -> None:
    pairs = [await field_sets(shared_api, *call) for call in REFUSED]
    rendered, described = (set[Field]().union(*sets) for sets in zip(*pairs, strict=True))

    assert described - rendered == {("Error", "limit")}  # tests/attacks/visitor/test_a_page_key_fills_the_database.py
