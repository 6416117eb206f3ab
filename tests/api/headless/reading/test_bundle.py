"""A bundle (docs/contract.md#resources)."""

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import shops
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.headless.reading.expected_bundles import WHOLE, WHOLE_WALL
from tests.api.selection import Json
from tests.api.stored import rows
from tests.conftest import MakeKey


async def test_whole_bundle(api: Api) -> None:
    assert (await api.get("/bundles/10")).held().json == WHOLE


async def test_key_decides_whose_bundle_an_id_names(api: Api, other_api: Api) -> None:
    assert (await other_api.get("/bundles/10")).held().json == WHOLE_WALL
    assert (await api.get("/bundles/10")).held().json == WHOLE


async def test_shops_of_one_revision_are_not_mixed_up(make_api: MakeApi, make_key: MakeKey, database: Database) -> None:
    """Two shops at the same revision are not mixed up, because the shop is part of the cache key of rendered responses."""
    demo = await make_api()
    other = demo.with_key(await make_key("other"))
    await demo.refresh()
    assert [shop["revision"] for shop in await rows(database, shops)] == [3, 3]

    for _ in range(2):
        assert (await demo.get("/bundles/10")).held().json == WHOLE
        assert (await other.get("/bundles/10")).held().json == WHOLE_WALL
        for path in ("/bundles", "/bundles/10/products", "/bundles/10/products?countryCode=US", "/settings"):
            assert (await demo.get(path)).held().body != (await other.get(path)).held().body
            assert (await demo.get(path)).headers["ETag"] != (await other.get(path)).headers["ETag"]


@pytest.mark.parametrize(
    ("bundle", "fields"),
    [
        pytest.param(
            27,
            {
                "discount": None,
                "requiredProducts": [],
                "limitRules": [],
                "conditionsEngineNodes": [],
                "conditionsEngineEnabled": False,
                "conditionsPartial": False,
            },
            id="nothing set",
        ),
        pytest.param(
            21,
            {
                "discount": {
                    "type": "fixed",
                    "value": "15.00",
                    "flatOrTiered": "flat",
                    "minimum": "19.99",
                    "operator": None,
                    "tiers": [],
                }
            },
            id="fixed with minimum",
        ),
        pytest.param(
            22,
            {
                "discount": {
                    "type": "price",
                    "value": "30.00",
                    "flatOrTiered": "flat",
                    "minimum": None,
                    "operator": None,
                    "tiers": [],
                }
            },
            id="price",
        ),
        pytest.param(60, {"conditionsEngineEnabled": True, "conditionsPartial": False}, id="conditions that all run"),
        pytest.param(71, {"sections": [], "bundlingOption": "upsells", "layout": "single-page"}, id="bare"),
    ],
)
async def test_fields_of_other_bundles(api: Api, bundle: int, fields: Json) -> None:
    whole = (await api.get(f"/bundles/{bundle}")).held().json

    assert {name: whole[name] for name in fields} == fields


async def test_selling_plans_appear_when_the_bundle_can_be_subscribed_to(api: Api) -> None:
    optional = (await api.get("/bundles/10")).json["sellingPlans"]
    required = (await api.get("/bundles/50")).json["sellingPlans"]

    assert required == [{**each, "required": True} for each in optional]
    assert "sellingPlans" not in (await api.get("/bundles/51")).json
    assert "sellingPlans" not in (await api.get("/bundles/20")).json


FEATURES = "activeFeatures: [conditions, subscriptions, personalisation, translations]"
CONDITIONAL = {"conditionsEngineNodes", "sellingPlans", "personalisation"}


@pytest.mark.parametrize(
    ("features", "there"),
    [
        pytest.param("", set(), id="none"),
        pytest.param("conditions", {"conditionsEngineNodes"}, id="conditions"),
        pytest.param("subscriptions", {"sellingPlans"}, id="subscriptions"),
        pytest.param("personalisation", {"personalisation"}, id="personalisation"),
        pytest.param("ab-testing, translations, stock-reminders", set(), id="features of the embed API"),
    ],
)
async def test_conditional_fields_follow_the_shops_features(make_api: MakeApi, features: str, there: set[str]) -> None:
    api = await make_api(SHOP_TEXT.replace(FEATURES, f"activeFeatures: [{features}]"))

    whole = (await api.get("/bundles/10")).held().json

    assert whole.keys() & CONDITIONAL == there
    assert whole == {
        **{name: value for name, value in WHOLE.items() if name not in CONDITIONAL - there},
        "conditionsEngineEnabled": "conditionsEngineNodes" in there,
        "conditionsPartial": "conditionsEngineNodes" in there,
    }
