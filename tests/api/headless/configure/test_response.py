"""The response to configure: its fields, its headers and its ids (docs/contract.md#configure)."""

import re

import orjson

from tests.api.conftest import Api
from tests.api.discount_strings import claims
from tests.api.headless.test_pricing import PRICES
from tests.api.selection import configure_body, pricing
from tests.fakes import START


async def test_whole_response_for_a_native_bundle(counted: Api) -> None:
    """The whole response for a native bundle. 1001 is in two sections but forms one line of three units: 3 * 19.99 + 8.00 =
    67.97; the discount of 10% is 6.797."""
    body = configure_body("1001@1", "2001@2", "1001@3", "1001@1")

    response = (await counted.post("/bundles/20/configure", body)).held().json

    mark = {"_bundle_data": f"1#9001#{2:032x}"}
    token = response["discount"]
    bundles = response["cart"]["attributes"]["_bundles"]
    assert response == {
        "configured_bundle_id": 1,
        "variant_id": "9001",
        "product_id": "900",
        "discount": token,
        "subscription_id": None,
        "pricing": pricing("67.97", "61.17", "percentage 10.00"),
        "cart": {
            "line_items": [
                {"id": 1001, "quantity": 3, "properties": mark},
                {"id": 2001, "quantity": 1, "properties": mark},
            ],
            "attributes": {"_bundles": bundles},
        },
    }
    assert orjson.loads(bundles) == {
        "1": {
            "configuredBundleId": 1,
            "discount": token,
            "title": "A tenth off",
            "items": [{"variantId": 1001, "count": 3}, {"variantId": 2001, "count": 1}],
            "image": "https://img.example/tenth.png",
            "note": "",
            "id": 20,
        }
    }
    assert claims(token) == {
        "v": 3,
        "shop": "demo",
        "bundle": 20,
        "bundleType": "native",
        "configured": 1,
        "parent": 9001,
        "type": "percentage",
        "value": "10.00",
        "original": "67.97",
        "discounted": "61.17",
        "currency": "EUR",
        "market": {"country": None, "currency": "EUR", "original": 6797, "discounted": 6117},
        "anywhere": True,
        "variants": {"1001": 3, "2001": 1},
        "fees": {},
        "subscription": None,
        "unique": f"{2:032x}",
        "test": False,
        "iat": int(START),
    }


async def test_response_must_not_be_stored_and_has_a_content_type(api: Api) -> None:
    response = (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()

    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Type"].startswith("application/json")
    assert "Idempotent-Replayed" not in response.headers


async def test_ids_are_random(api: Api) -> None:
    responses = [(await api.post("/bundles/20/configure", configure_body("1001@1"))).held().json for _ in range(6)]

    ids = [response["configured_bundle_id"] for response in responses]
    marks = [response["cart"]["line_items"][0]["properties"]["_bundle_data"].split("#") for response in responses]
    assert all(1 <= id_ < 2**53 for id_ in ids)
    assert len(set(ids)) == 6
    assert max(ids) > 2**40  # ids cannot be guessed by counting upward from 1
    assert [mark[:2] for mark in marks] == [[str(id_), "9001"] for id_ in ids]
    assert all(re.fullmatch("[0-9a-f]{32}", mark[2]) for mark in marks)
    assert len({mark[2] for mark in marks}) == 6


async def test_configure_charges_what_price_returns(api: Api) -> None:
    """Configure charges the price that `price` returns, for every listed selection that stock and rules allow."""
    configurable = {20, 21, 22, 23, 24, 25, 26, 27, 60, 62, 10}
    rows_ = [(bundle, chosen, expected) for bundle, chosen, expected in PRICES if bundle in configurable]
    assert len(rows_) > 30

    responses = [await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen)) for bundle, chosen, _ in rows_]

    assert [response.held().json["pricing"] for response in responses] == [expected for _, _, expected in rows_]
    for response, (_, _, expected) in zip(responses, rows_, strict=True):
        said = claims(response.json["discount"])
        assert [said["original"], said["discounted"], said["type"], said["value"], said["currency"]] == list(
            expected.values()
        )
