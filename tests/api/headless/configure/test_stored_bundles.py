"""What configure stores: configured bundles, their shop, and their visitor."""

import asyncio

import orjson
import pytest

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.discount_strings import claims
from tests.api.selection import Json, configure_body
from tests.api.stored import rows
from tests.conftest import MakeKey
from tests.fakes import START


def stored_item(variant: int, section: int, count: int, title: str, variant_title: str, unit_price: str) -> Json:
    return {
        "variant_id": variant,
        "product_id": variant // 10,
        "section_id": section,
        "count": count,
        "title": title,
        "variant_title": variant_title,
        "unit_price": unit_price,
    }


async def test_stored_fields_of_a_configured_bundle(counted: Api, database: Database) -> None:
    body = configure_body("2001@2", "1001@1*2", "6002@0", countryCode="us", type="multiple-products")

    response = (await counted.post("/bundles/61/configure", body)).held().json

    (row,) = await rows(database, configured_bundles)
    stored = orjson.loads(row.pop("items"))
    expected_row = {
        "id": 1,
        "bundle_id": 61,
        "bundle_type": "multiple-products",
        "title": "Free card",
        "product_id": 910,
        "variant_id": int(response["variant_id"]),
        "country": "US",
        "test": False,
        "unique_id": f"{2:032x}",
        "original": "54.05",  # 8.40 + 2 * 20.99 + 3.67
        "discounted": "45.34",  # 50.38 - 5.04
        "discount_type": "percentage",
        "discount_value": "10.00",
        "currency": "EUR",
        "configured_at": int(START),
    }
    assert {name: row[name] for name in expected_row} == expected_row
    expected = [
        stored_item(2001, 2, 1, "Mug", "White / Left", "8.40"),
        stored_item(1001, 1, 2, "Shirt", "S", "20.99"),
        stored_item(6002, 0, 1, "Card", "Moon", "3.67"),
    ]
    assert [{name: item[name] for name in expected[0]} for item in stored] == expected


@pytest.mark.parametrize("country", [None, "US"])
async def test_configured_bundle_is_on_disk_before_the_response(
    api: Api, settings: Settings, database: Database, country: str | None
) -> None:
    """A configured bundle is visible to another connection before the response is sent, even during many simultaneous
    requests."""

    async def call() -> bool:
        response = await api.post("/bundles/20/configure", configure_body("1001@1", countryCode=country))
        return response.held().json["configured_bundle_id"] in [
            row["id"] for row in await rows(database, configured_bundles)
        ]

    assert all(await asyncio.gather(*(call() for _ in range(10))))


async def test_unpublished_bundles_are_configured_with_test_keys_and_marked(
    api: Api, api_with_test_key: Api, database: Database
) -> None:
    body = configure_body("1001@1")

    assert (await api.post("/bundles/70/configure", body)).held(404).code == "not_found"
    tested = (await api_with_test_key.post("/bundles/70/configure", body)).held().json
    (await api.post("/bundles/20/configure", body)).held()

    assert claims(tested["discount"])["test"] is True
    stored = {row["bundle_id"]: bool(row["test"]) for row in await rows(database, configured_bundles)}
    assert stored == {70: True, 20: False}


async def test_configured_bundles_belong_to_the_shop_of_the_key(
    api: Api, other_api: Api, database: Database, make_key: MakeKey
) -> None:
    (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()
    (await other_api.post("/bundles/10/configure", configure_body("1001@1"))).held()

    stored = await rows(database, configured_bundles)
    assert {(row["bundle_id"], row["title"], row["currency"]) for row in stored} == {
        (20, "A tenth off", "EUR"),
        (10, "Wall", "JPY"),
    }
    assert len({row["shop_id"] for row in stored}) == 2


async def test_another_shops_bundle_is_not_found(api: Api) -> None:
    for action in ("price", "configure"):
        response = await api.post(f"/bundles/99/{action}", configure_body("1001@1"))
        assert response.held(404).json["detail"] == "Not found."


@pytest.mark.parametrize("visitor", ["", "visitor", "3f0c7a52", 7, {}, True])
async def test_visitor_id_must_be_a_uuid(api: Api, visitor: object) -> None:
    response = await api.post("/bundles/20/configure", configure_body("1001@1", visitorId=visitor))

    assert (response.held(400).code, response.paths) == ("invalid_request", ["visitorId"])


async def test_visitor_id_is_optional(api: Api) -> None:
    for visitor in (None, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", "3F0C7A52-6F8E-4B39-9E4B-0C6F5D1A2B3C"):
        (await api.post("/bundles/20/configure", configure_body("1001@1", visitorId=visitor))).held()


EXPERIMENT = f"""{SHOP_TEXT.replace("activeFeatures: [", "activeFeatures: [ab-testing, ")}
experiments:
  - {{id: exp-1, bundleId: 20, arms: [{{bundleId: 20, weight: "0.000001"}}, {{bundleId: 21, weight: "1000000"}}]}}
"""
"""An A/B test that serves bundle 21 to practically every visitor of bundle 20."""


@pytest.mark.parametrize(
    ("bundle", "visitor", "stored"),
    [
        pytest.param(21, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", ("exp-1", 1), id="the visitor's arm"),
        pytest.param(20, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", (None, None), id="another arm"),
        pytest.param(22, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", (None, None), id="no experiment"),
        pytest.param(21, None, (None, None), id="no visitor"),
    ],
)
async def test_arm_of_a_visitor_is_stored(
    make_api: MakeApi, database: Database, bundle: int, visitor: str | None, stored: tuple[str | None, int | None]
) -> None:
    api = await make_api(EXPERIMENT)

    (await api.post(f"/bundles/{bundle}/configure", configure_body("1001@1", visitorId=visitor))).held()

    (row,) = await rows(database, configured_bundles)
    assert (row["experiment_id"], row["arm"]) == stored
