"""Reading a configured bundle to edit it (docs/contract.md#reading-configured)."""

import orjson
import pytest
from sqlalchemy import update

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.selection import Json, configure_body, item, items, pricing, reading_path
from tests.api.stored import rows
from tests.conftest import LoadShop, MakeKey

MONTHLY = {"id": 7, "frequency": 1, "unit": "month"}
ENGRAVED = {**item("1001@1"), "personalisation": {"engraving": "Mira", "wrapped": "true"}}


async def configure(api: Api, bundle: int, body: Json) -> str:
    """Configure a native bundle, and return the path for reading it."""
    return reading_path((await api.post(f"/bundles/{bundle}/configure", body)).held().json)


async def read(api: Api, path: str) -> Json:
    found: Json = (await api.get(path)).held().json
    return found


async def test_everything_that_was_configured_is_read(shared_api: Api) -> None:
    chosen = items("2001@2", "1001@1*2")
    subscription = {**MONTHLY, "email": "mira@mail.example"}
    path = await configure(
        shared_api, 50, {"type": "native", "products": chosen, "countryCode": "us", "subscription": subscription}
    )

    response = (await shared_api.get(path)).held()

    found = response.json
    assert found["selection"] == {"products": chosen, "countryCode": "US", "subscription": MONTHLY}
    assert (found["bundleId"], found["type"]) == (50, "native")
    assert path == f"/configured-bundles/{found['configuredBundleId']}?unique={path[-32:]}"
    assert (found["stillValid"], found["details"]) == (True, [])
    presentment = found["pricingNow"].pop("presentment")
    assert found["pricing"] == found["pricingNow"]
    assert presentment["currency"] == "USD"
    assert response.headers["Cache-Control"] == "no-store"


async def test_answers_are_read_by_their_keys(shared_api: Api) -> None:
    path = await configure(
        shared_api, 80, {"type": "native", "products": [ENGRAVED, item("1001@1"), item("2001@2"), ENGRAVED]}
    )

    products = (await read(shared_api, path))["selection"]["products"]

    assert products == [ENGRAVED, ENGRAVED, item("1001@1"), item("2001@2")]


async def test_what_is_read_can_be_configured(shared_api: Api) -> None:
    path = await configure(shared_api, 80, {"type": "native", "products": [item("2001@2"), ENGRAVED]})
    first = await read(shared_api, path)

    again = await configure(shared_api, first["bundleId"], {"type": first["type"], **first["selection"]})

    second = await read(shared_api, again)
    assert again != path
    assert {name: second[name] for name in ("selection", "pricing", "stillValid")} == {
        name: first[name] for name in ("selection", "pricing", "stillValid")
    }


async def test_time_of_configuring_is_in_utc(api: Api) -> None:
    path = await configure(api, 20, configure_body("1001@1"))
    assert (await read(api, path))["configuredAt"] == "2027-01-15T08:00:00Z"


async def test_todays_price_is_read_beside_the_old_one(api: Api, load_shop: LoadShop) -> None:
    path = await configure(api, 20, configure_body("1001@1"))
    await load_shop(SHOP_TEXT.replace('title: S, price: "19.99"', 'title: S, price: "29.99"'))
    await api.refresh()

    found = await read(api, path)

    assert found["stillValid"]
    assert found["pricing"] == pricing("19.99", "17.99", "percentage 10.00")
    assert found["pricingNow"] == pricing("29.99", "26.99", "percentage 10.00")


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        pytest.param("status: ACTIVE, tags: [linen", "status: DRAFT, tags: [linen", "rules_not_met", id="not active"),
        pytest.param("inventoryQuantity: 5", "inventoryQuantity: 1", "rules_not_met", id="stock"),
        pytest.param(
            "type: text, required: false", "type: image, required: false", "personalisation_invalid", id="answer"
        ),
    ],
)
async def test_details_are_those_of_a_refused_configure(
    api: Api, load_shop: LoadShop, before: str, after: str, code: str
) -> None:
    body = {"type": "native", "products": [ENGRAVED, item("1001@1")]}
    path = await configure(api, 80, body)
    assert before in SHOP_TEXT
    await load_shop(SHOP_TEXT.replace(before, after))
    await api.refresh()

    found, refused = await read(api, path), await api.post("/bundles/80/configure", body)

    assert refused.held(400).code == code
    assert found["details"] == refused.json["details"] != []
    assert (found["stillValid"], found["pricingNow"]) == (False, None)


async def test_bundle_that_is_not_published_any_more_is_not_valid(
    api: Api, api_with_test_key: Api, load_shop: LoadShop
) -> None:
    path = await configure(api, 80, {"type": "native", "products": [ENGRAVED]})
    await load_shop(SHOP_TEXT.replace("name: Engraved", "name: Engraved\n    published: false"))
    await api.refresh()

    found = await read(api, path)

    assert found["selection"]["products"] == [ENGRAVED]
    assert (found["stillValid"], found["pricingNow"], found["details"]) == (False, None, [])
    assert (await read(api_with_test_key, path))["stillValid"]


async def test_bundle_that_is_not_native_is_read_by_the_unique_id_it_was_stored_with(
    api: Api, database: Database
) -> None:
    body = configure_body("1001@1*2", type="multiple-products")
    made = (await api.post("/bundles/30/configure", body)).held().json
    (row,) = await rows(database, configured_bundles)

    found = await read(api, f"/configured-bundles/{made['configured_bundle_id']}?unique={row['unique_id']}")

    assert found["selection"]["products"] == body["products"]
    assert found["stillValid"]


async def test_answers_that_an_older_version_stored_are_found_by_todays_labels(api: Api, database: Database) -> None:
    path = await configure(api, 80, {"type": "native", "products": [ENGRAVED, item("2001@2")]})
    (row,) = await rows(database, configured_bundles)
    old = orjson.loads(row["items"])
    for each in old:
        del each["answer_keys"]
    old[0]["properties"] |= {"No field's label any more": "x"}
    change = update(configured_bundles).values(items=orjson.dumps(old).decode())
    await database.write(lambda connection: connection.execute(change))

    assert (await read(api, path))["selection"]["products"] == [ENGRAVED, item("2001@2")]


async def test_keys_of_either_scope_read(api: Api, make_key: MakeKey) -> None:
    path = await configure(api, 20, configure_body("1001@1"))
    expected = await read(api, path)
    for scope in ("headless", "embed"):
        assert await read(api.with_key(await make_key(scopes=(scope,))), path) == expected


async def test_head_and_cors(shared_api: Api) -> None:
    path = await configure(shared_api, 20, configure_body("1001@1"))

    page = (await shared_api.get(path, {"Origin": "https://shop.example"})).held()
    head = await shared_api.request("HEAD", path)

    assert page.headers["Access-Control-Allow-Origin"] == "https://shop.example"
    assert (head.status, head.body) == (200, b"")


async def test_market_that_stopped_selling_a_variant_refuses(make_api: MakeApi, load_shop: LoadShop) -> None:
    api = await make_api()
    path = await configure(api, 20, configure_body("1001@1", "2001@2", countryCode="US"))
    await load_shop(SHOP_TEXT.replace('unavailableVariantIds: ["2002"]', 'unavailableVariantIds: ["2001"]'))
    await api.refresh()

    found = await read(api, path)

    assert [(each["path"], each["code"]) for each in found["details"]] == [("products.1", "not_sold_in_country")]
    assert not found["stillValid"]
