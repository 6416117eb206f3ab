"""All data of one shopper is found and erased, without affecting the data of others. Prices and quantities remain."""

import asyncio
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, update

from bundlesvc.domain.configured import ConfiguredItem, StoredSelection
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import ERASE, EXPORT, Shopper, ShopperRequest
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.damage import DocumentDamaged
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts import scanning
from bundlesvc.storage.database.tables import HAS_ANSWERS, configured_bundles
from bundlesvc.storage.shoppers import personalisation_answers
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from bundlesvc.storage.shoppers.personalisation_answers import bundles_that_mention
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests, add_request
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import MONTHLY, NOW, ONE_TIME, configured, idempotency_key, render_response
from tests.storage.conftest import ON_SQLITE
from tests.storage.prepared import the_shop
from tests.storage.shoppers.two_shoppers import ALF, ENGRAVED, MIRA, OF_ALF, PLAIN, SUBSCRIBED, VISITOR, answered, fill

ALL_OF_MIRA = {"stock reminders": 2, "subscriptions": 1, "configured bundles": 2}
NOTHING = dict.fromkeys(ALL_OF_MIRA, 0)


async def selection(database: Database, tenant: Tenant, number: int) -> StoredSelection:
    found = await SqlConfiguredStore(database).selection(tenant, number)
    assert found
    return found


async def other_shop(database: Database) -> Tenant:
    shop = the_shop()
    await SqlShopFileStore(database).replace(replace(shop, shop=replace(shop.shop, handle="other")))
    found = await SqlKeyStore(database).tenant("other")
    assert found
    return found


async def test_only_a_shopper_of_a_damaged_bundle_notices(tenant: Tenant, database: Database) -> None:
    await fill(database, tenant)
    made = configured_bundles.c
    damage = update(configured_bundles).where(made.id == OF_ALF).values(items=made["items"] + "?")
    await database.write(lambda connection: connection.execute(damage))
    assert (await SqlShoppers(database).find(Shopper(MIRA))).counts == ALL_OF_MIRA
    with pytest.raises(DocumentDamaged):
        await SqlShoppers(database).find(Shopper(ALF))


async def test_everything_of_a_shopper_is_found(tenant: Tenant, database: Database) -> None:
    """All data about a shopper is found, including the answers in the configured bundle of a subscription, although these answers
    do not contain the shopper's address."""
    await fill(database, tenant)
    found = await SqlShoppers(database).find(Shopper(MIRA.upper()))
    assert found.counts == ALL_OF_MIRA
    assert [one.variant_id for one in found.reminders] == [1001, 1002]
    assert [one.configured_bundle_id for one in found.subscriptions] == [SUBSCRIBED]
    assert [(one.id, one.items[0].properties["Engraving"]) for one in found.bundles] == [
        (ENGRAVED, "Call Mira@Mail.example"),
        (SUBSCRIBED, "For my cat"),
    ]


async def test_everything_of_a_shopper_is_erased_and_nothing_of_others(tenant: Tenant, database: Database) -> None:
    await fill(database, tenant)
    before = await SqlShoppers(database).find(Shopper(ALF))
    shoppers = SqlShoppers(database)

    assert await shoppers.erase(Shopper(MIRA)) == ALL_OF_MIRA

    assert (await shoppers.find(Shopper(MIRA))).counts == NOTHING
    assert await shoppers.erase(Shopper(MIRA)) == NOTHING
    assert await shoppers.find(Shopper(ALF)) == before
    assert before.counts == {"stock reminders": 1, "subscriptions": 1, "configured bundles": 1}


async def test_an_erased_bundle_keeps_its_items_and_prices(tenant: Tenant, database: Database) -> None:
    await fill(database, tenant)
    before = await selection(database, tenant, SUBSCRIBED)

    await SqlShoppers(database).erase(Shopper(MIRA))

    after = await selection(database, tenant, SUBSCRIBED)
    assert after.items == tuple(replace(item, properties={}, answer_keys=()) for item in before.items)
    assert (after.pricing, after.configured_at) == (before.pricing, before.configured_at)
    visitors = select(configured_bundles.c.id, configured_bundles.c.visitor_id).order_by(configured_bundles.c.id)
    found = await database.read(lambda connection: [tuple(row) for row in connection.execute(visitors)])
    assert found == [(ENGRAVED, None), (SUBSCRIBED, None), (PLAIN, None), (OF_ALF, VISITOR)]


async def test_stored_responses_with_the_answers_are_deleted(tenant: Tenant, database: Database) -> None:
    """Stored responses that contain the shopper's answers are deleted. A retry is then treated as a first request."""
    await fill(database, tenant)
    await SqlShoppers(database).erase(Shopper(MIRA))
    store = SqlConfiguredStore(database)
    replayed = [await store.stored_response(tenant, idempotency_key(f"order-{number}"), NOW) for number in range(1, 5)]
    assert [response is not None for response in replayed] == [False, False, True, True]


async def test_only_the_shop_that_is_named_is_searched(tenant: Tenant, database: Database) -> None:
    other = await other_shop(database)
    await fill(database, tenant)
    await SqlConfiguredStore(database).record(other, answered(9, MIRA), BOX_VARIANT, None, render_response)
    await SqlReminders(database).add_reminder(other, 1001, MIRA, "Box", NOW)
    shoppers = SqlShoppers(database)

    assert await shoppers.erase(Shopper(MIRA, [other.id])) == {
        "stock reminders": 1,
        "subscriptions": 0,
        "configured bundles": 1,
    }
    assert (await shoppers.find(Shopper(MIRA))).counts == ALL_OF_MIRA


async def test_a_named_configured_bundle_is_the_shoppers(tenant: Tenant, database: Database) -> None:
    """A configured bundle counts as the shopper's if the request names it, even if the bundle's answers do not contain the
    shopper's address."""
    await fill(database, tenant)
    nobody = Shopper("nobody@mail.example", None, [OF_ALF])
    assert (await SqlShoppers(database).erase(nobody))["configured bundles"] == 1
    assert (await selection(database, tenant, OF_ALF)).items[0].properties == {}


async def test_letters_outside_ascii_are_compared_case_insensitively(tenant: Tenant, database: Database) -> None:
    """Letters outside ASCII are compared case-insensitively, although SQLite's own lower() supports ASCII only."""
    subscription = replace(MONTHLY, email="ÄNNE@mail.example")
    bundle = answered(1, "Änne@mail.example", subscription=subscription)
    await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    await SqlReminders(database).add_reminder(tenant, 1001, "ÄNNE@mail.example", "Box", NOW)
    assert await SqlShoppers(database).erase(Shopper("änne@mail.example")) == {
        "stock reminders": 1,
        "subscriptions": 1,
        "configured bundles": 1,
    }


async def test_a_title_that_looks_like_an_answer_is_none(tenant: Tenant, database: Database) -> None:
    """A title that looks like an answer does not count as one, while an answer with quotation marks and backslashes is still
    found."""
    title = f'"properties":{{"Engraving":"{MIRA}"}}'
    first = ConfiguredItem(1, 1, 1, 1, title, "M", ONE_TIME.original)
    bundles = [configured(1, items=(first,)), answered(2, f'"\\{MIRA}"')]
    for bundle in bundles:
        await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    assert await bundles_that_mention(database, MIRA, None) == [2]


async def test_many_bundles_are_searched_and_changed_in_parts(
    tenant: Tenant, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (scanning, personalisation_answers):
        monkeypatch.setattr(module, "PART", 2)
    for number in range(1, 8):
        subscription = replace(MONTHLY, email=MIRA) if number % 2 else None
        bundle = answered(number, MIRA, subscription=subscription)
        await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    assert await SqlShoppers(database).erase(Shopper(MIRA)) == {
        "stock reminders": 0,
        "subscriptions": 4,
        "configured bundles": 7,
    }
    assert (await SqlShoppers(database).find(Shopper(MIRA))).counts == NOTHING


async def test_an_interrupted_erasure_is_finished_by_the_next(
    tenant: Tenant, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(database, tenant)

    async def interrupted(*_: object) -> int:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(SqlSubscriptions, "delete", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await SqlShoppers(database).erase(Shopper(MIRA))
    assert (await SqlShoppers(database).erase(Shopper(MIRA)))["subscriptions"] == 1
    assert (await SqlShoppers(database).find(Shopper(MIRA))).counts == NOTHING


@ON_SQLITE
async def test_answers_are_found_by_their_index(tenant: Tenant, database: Database) -> None:
    """Answers are found through an index. Most configured bundles contain no answers, and are not read."""
    made = configured_bundles.c
    query = select(made.id).where(HAS_ANSWERS).order_by(made.configured_at, made.number)

    def plan(connection: Connection) -> str:
        compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
        return str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}").all())

    assert "ix_configured_bundles_answers" in await database.read(plan)


async def test_an_export_completes_its_requests_and_an_erasure_leaves_open_ones(
    tenant: Tenant, database: Database
) -> None:
    requests = SqlShopperRequests(database)
    for email, reference in ((MIRA, "1"), (MIRA, "1"), (MIRA.upper(), "2"), (ALF, "3")):
        request = ShopperRequest(EXPORT, email, reference)
        await database.write(partial(add_request, tenant=tenant, request=request, now=NOW))
    assert len(await requests.all()) == 3  # one request arrived twice
    await SqlShoppers(database).erase(Shopper(MIRA))
    assert len(await requests.open()) == 3

    assert await requests.complete_exports(MIRA, [tenant.id], NOW + 1) == 2
    assert await requests.complete_exports(MIRA, None, NOW + 2) == 0
    assert [one.completed_at for one in await requests.all()] == [NOW + 1, NOW + 1, None]

    await SqlShoppers(database).erase(Shopper(MIRA))
    assert [one.request.subject for one in await requests.all()] == [ALF]


async def test_requests_to_erase_two_shoppers_are_both_stored(tenant: Tenant, database: Database) -> None:
    """Two erasure requests without a reference, for different shoppers, are both stored. A repeated request is stored only once
    while it is open."""
    requests = SqlShopperRequests(database)
    for email in (MIRA, ALF, MIRA):
        await database.write(partial(add_request, tenant=tenant, request=ShopperRequest(ERASE, email), now=NOW))
    assert [one.request.subject for one in await requests.open()] == [MIRA, ALF]


async def test_a_request_to_export_without_a_reference_can_come_again(tenant: Tenant, database: Database) -> None:
    requests = SqlShopperRequests(database)
    for _ in range(2):
        await database.write(partial(add_request, tenant=tenant, request=ShopperRequest(EXPORT, MIRA), now=NOW))
        assert await requests.complete_exports(MIRA, None, NOW) == 1


@ON_SQLITE
async def test_nothing_of_an_erased_shopper_is_left_in_the_files(
    tenant: Tenant, database: Database, tmp_path: Path
) -> None:
    """No trace of an erased shopper remains in the files: neither in the database file, which contains old pages until a
    checkpoint, nor in the `-wal` file."""

    address = re.compile(rb"(?<!ad)" + re.escape(MIRA.encode()))  # another shopper's address ends with this one

    def traces() -> list[str]:
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return sorted(path.name for path in files if address.search(path.read_bytes()))

    await fill(database, tenant)
    await database.overwrite_deleted()  # now all the data is in the database file
    assert traces() == ["test.db"]
    await SqlShoppers(database).erase(Shopper(MIRA))
    assert traces() == []
