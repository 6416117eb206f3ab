"""`POST /revisions/:n/replay` for bundles that were configured in the running service."""

import time

import pytest
from sqlalchemy import insert, select

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import Api
from tests.api.manage.revisions.conftest import BUNDLE, Managing
from tests.api.selection import configure_body

MOST_SECONDS = 15
"""A time limit in seconds, far longer than replaying 10,000 selections takes."""


@pytest.fixture
async def configured(api: Api) -> None:
    """Configure two selections, which cost 47.98 and 16.00 before the bundle's discount of a tenth."""
    for items in (("1002@1*2", "2001@2"), ("1002@1", "2001@2")):
        (await api.post(f"/bundles/{BUNDLE}/configure", configure_body(*items))).held()


async def test_replay_says_who_would_pay_what(managing: Managing, configured: None) -> None:
    path, tag = await managing.changed({"discount": {"value": "20.00"}})
    (found,) = (await managing.request("POST", f"{path}/replay", {})).held().json["bundles"]
    assert (found["bundleId"], found["selections"], found["cheaper"], found["dearer"]) == (BUNDLE, 2, 2, 0)
    assert float(found["sumAfter"]) < float(found["sumBefore"])
    (one,) = (await managing.request("POST", f"{path}/replay", {"limit": 1})).held().json["bundles"]
    assert one["selections"] == 1
    assert tag


async def test_price_of_a_product_counts_too(managing: Managing, configured: None) -> None:
    path, tag = await managing.draft()
    product = await managing.get("/revisions/live/products/200")
    product["variants"][0]["price"] = "9.00"
    (await managing.request("PUT", f"{path}/products/200", product, tag)).held()
    (found,) = (await managing.request("POST", f"{path}/replay")).held().json["bundles"]
    assert (found["bundleId"], found["dearer"]) == (BUNDLE, 2)


async def test_refusals_name_their_codes(managing: Managing, configured: None) -> None:
    path, _ = await managing.changed({"published": False})
    (found,) = (await managing.request("POST", f"{path}/replay", {})).held().json["bundles"]
    assert found["refused"] == [{"code": "not_found", "count": 2}]


async def test_unchanged_draft_and_live_revision_replay_nothing(managing: Managing, configured: None) -> None:
    path, _ = await managing.draft()
    for each in (path, "/revisions/1"):
        assert (await managing.request("POST", f"{each}/replay", {})).held().json == {"bundles": []}


async def test_invalid_draft_and_bad_limits_are_refused(managing: Managing, configured: None) -> None:
    path, _ = await managing.changed({"type": "other"})
    assert (await managing.request("POST", f"{path}/replay", {})).code == "revision_invalid"
    for limit in (0, 10_001, "x", 1.5):
        assert (await managing.request("POST", f"{path}/replay", {"limit": limit})).paths == ["limit"]


async def test_ten_thousand_selections(managing: Managing, configured: None, database: Database) -> None:
    query = select(configured_bundles)
    (row, *_) = await database.read(lambda connection: connection.execute(query).mappings().all())
    rows = [{**row, "id": 10**6 + number, "number": 10**6 + number} for number in range(10_000)]
    await database.write(lambda connection: connection.execute(insert(configured_bundles), rows))
    path, _ = await managing.changed({"discount": {"value": "20.00"}})
    begun = time.perf_counter()
    (found,) = (await managing.request("POST", f"{path}/replay", {})).held().json["bundles"]
    assert time.perf_counter() - begun < MOST_SECONDS
    assert (found["selections"], found["cheaper"]) == (10_000, 10_000)
