"""What clients see of a configured bundle after the shopper's data has been erased (docs/shoppers-data.md)."""

from bundlesvc.domain.shopper import Shopper
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from tests.api.conftest import Api
from tests.api.selection import Json, item, reading_path

MIRA = "a@b.c"  # the field accepts at most five characters
BODY: Json = {
    "type": "native",
    "products": [{**item("1001@1"), "personalisation": {"engraving": MIRA, "wrapped": "true"}}, item("2001@2")],
}


async def configure(api: Api) -> Json:
    configured: Json = (
        (await api.post("/bundles/80/configure", BODY, headers={"Idempotency-Key": "order-1"})).held().json
    )
    return configured


async def test_an_erased_bundle_is_read_without_answers(api: Api, database: Database) -> None:
    first = await configure(api)
    before = (await api.get(reading_path(first))).held().json

    assert (await SqlShoppers(database).erase(Shopper(MIRA)))["configured bundles"] == 1

    after = (await api.get(reading_path(first))).held().json
    assert after["selection"]["products"] == [item("1001@1"), item("2001@2")]
    assert after["pricing"] == before["pricing"]


async def test_a_retry_after_the_erasure_is_a_first_request(api: Api, database: Database) -> None:
    first = await configure(api)
    assert (await configure(api))["configured_bundle_id"] == first["configured_bundle_id"]

    await SqlShoppers(database).erase(Shopper(MIRA))

    assert (await configure(api))["configured_bundle_id"] != first["configured_bundle_id"]
    assert (await SqlShoppers(database).find(Shopper(MIRA))).counts["configured bundles"] == 1
