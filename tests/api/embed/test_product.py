"""POST /bundle/{id}/product configures a bundle in the same way as POST /bundles/{id}/configure (docs/contract.md#embed)."""

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.api.selection import Json, configure_body, details
from tests.api.stored import rows

KEY = {"Idempotency-Key": "one-and-the-same"}
NATIVE = configure_body("1001@2", "3001@2", "6001@0")
SEVERAL = configure_body("1001@2", "6001@0", type="multiple-products")


def main_path(bundle: int) -> str:
    return f"/bundles/{bundle}/configure"


def embed_path(bundle: int) -> str:
    return f"{EMBED}/bundle/{bundle}/product"


def shape(value: object) -> object:
    """The names and types of all fields, without their values."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__


@pytest.mark.parametrize(("bundle", "body"), [(10, NATIVE), (30, SEVERAL)])
async def test_response_is_that_of_configure(api: Api, database: Database, bundle: int, body: Json) -> None:
    main = (await api.post(main_path(bundle), body)).held()
    embed = (await api.post(embed_path(bundle), body)).held()

    assert shape(embed.json) == shape(main.json)
    for name in ("variant_id", "product_id", "subscription_id", "pricing"):
        assert embed.json[name] == main.json[name]
    assert embed.json["configured_bundle_id"] != main.json["configured_bundle_id"]
    assert (embed.headers["Cache-Control"], embed.headers["Content-Type"]) == (
        main.headers["Cache-Control"],
        main.headers["Content-Type"],
    )
    assert {row["bundle_id"] for row in await rows(database, configured_bundles)} == {bundle}


async def test_idempotency_key_belongs_to_its_path(api: Api, database: Database) -> None:
    paths = [main_path(50), embed_path(50), embed_path(12), main_path(12)]
    body = configure_body("1001@2")

    first = [(await api.post(path, body, KEY)).held() for path in paths]
    again = [(await api.post(path, body, KEY)).held() for path in paths]

    assert len({response.json["configured_bundle_id"] for response in first}) == 4
    assert [response.body for response in again] == [response.body for response in first]
    assert ["Idempotent-Replayed" in response.headers for response in first] == [False] * 4
    assert [response.headers.get("Idempotent-Replayed") for response in again] == ["true"] * 4
    assert len(await rows(database, configured_bundles)) == 4


async def test_another_body_under_the_same_key_is_refused(api: Api) -> None:
    (await api.post(embed_path(10), NATIVE, KEY)).held()

    response = (await api.post(embed_path(10), {**NATIVE, "countryCode": "US"}, KEY)).held(400)

    assert response.code == "idempotency_key_reused"


@pytest.mark.parametrize(
    ("bundle", "body", "headers"),
    [
        pytest.param("0", NATIVE, {}, id="bad id"),
        pytest.param("98", NATIVE, {}, id="unknown"),
        pytest.param("9", NATIVE, {}, id="unpublished"),
        pytest.param("10", b"{", {}, id="no JSON"),
        pytest.param("10", b"[]", {}, id="no object"),
        pytest.param("10", {}, {}, id="nothing"),
        pytest.param("10", {**NATIVE, "type": "other"}, {}, id="no type"),
        pytest.param("10", SEVERAL, {}, id="another type"),
        pytest.param("10", configure_body("1001@1"), {}, id="not in that section"),
        pytest.param("10", configure_body("2002@2"), {}, id="sold out, required missing, limit not met"),
        pytest.param("10", NATIVE, {"Idempotency-Key": ""}, id="bad key"),
    ],
)
async def test_errors_are_those_of_configure(api: Api, bundle: str, body: object, headers: dict[str, str]) -> None:
    responses = [
        await api.post(path, body, headers)
        for path in (f"/bundles/{bundle}/configure", f"{EMBED}/bundle/{bundle}/product")
    ]

    main, embed = responses
    assert main.status in (400, 404)
    assert (embed.status, embed.code) == (main.status, main.code)
    assert embed.json.get("details") == main.json.get("details")


async def test_test_keys_configure_unpublished_bundles(api_with_test_key: Api, database: Database) -> None:
    (await api_with_test_key.post(embed_path(9), configure_body("1001@2"))).held()

    assert [row["test"] for row in await rows(database, configured_bundles)] == [True]


async def test_rules_that_are_not_met_are_named(api: Api) -> None:
    response = (await api.post(embed_path(10), configure_body("1001@2"))).held(400)

    assert response.code == "rules_not_met"
    assert {detail["code"] for detail in details(response)} == {"limit_not_met", "required_missing"}
