"""Shoppers' data is deleted once it is older than the retention period for its kind, and other data remains."""

from functools import partial

import pytest
from sqlalchemy import update

from bundlesvc.domain.retention import Retention
from bundlesvc.domain.revisions.audit import AuditFilter
from bundlesvc.domain.revisions.revision import ANY
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import EXPORT, ShopperRequest
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts import scanning
from bundlesvc.storage.database.tables import configured_bundles
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.shoppers import personalisation_answers
from bundlesvc.storage.shoppers.personalisation_answers import bundles_with_ids
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import COMPLETED_KEPT, SqlShopperRequests, add_request
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import DAY, MONTHLY, NOW, configured, render_response
from tests.storage.revisions.revising import Revising, act
from tests.storage.shoppers.two_shoppers import answered

MONTH = 30 * DAY
OLD, NEW = NOW - MONTH, NOW - MONTH + 1
"""The times of data that is just old enough to be deleted, and of data that is a second too new."""


async def test_without_a_retention_everything_stays(tenant: Tenant, database: Database) -> None:
    await SqlReminders(database).add_reminder(tenant, 1, "a@mail.example", "Box", 1)
    bundle = answered(1, "Mira", subscription=MONTHLY)
    await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    assert await prune(database, NOW * 2, Retention()) == {"stored responses": 0, "seen arms": 0}
    assert len(await SqlReminders(database).all()) == 1
    assert len(await SqlSubscriptions(database).all()) == 1


async def test_old_reminders_are_deleted(tenant: Tenant, database: Database) -> None:
    for number, created in enumerate((OLD - DAY, OLD, NEW)):
        await SqlReminders(database).add_reminder(tenant, number, "a@mail.example", "Box", created)
    deleted = await prune(database, NOW, Retention(reminders=MONTH))
    assert deleted == {"stored responses": 0, "seen arms": 0, "stock reminders": 2}
    assert [one.created_at for one in await SqlReminders(database).all()] == [NEW]


@pytest.mark.parametrize(
    ("retention", "deleted", "left"),
    [
        (Retention(pending_subscriptions=MONTH), {"pending subscriptions": 1}, [2, 3, 4]),
        (Retention(cancelled_subscriptions=MONTH), {"cancelled subscriptions": 1}, [1, 2, 4]),
    ],
)
async def test_old_subscriptions_are_deleted_by_their_status(
    retention: Retention, deleted: dict[str, int], left: list[int], tenant: Tenant, database: Database
) -> None:
    """Old subscriptions are deleted according to their status. Subscriptions 1 and 2 are pending, 3 and 4 are cancelled."""
    store = SqlConfiguredStore(database)
    for number, made in enumerate((OLD, NEW, OLD, NEW), start=1):
        bundle = configured(number, subscription=MONTHLY, configured_at=made)
        await store.record(tenant, bundle, BOX_VARIANT, None, render_response)
    for number in (3, 4):
        assert await SqlSubscriptions(database).cancel(number)
    assert await prune(database, NOW, retention) == {"stored responses": 0, "seen arms": 0, **deleted}
    assert [one.id for one in await SqlSubscriptions(database).all()] == left


async def test_a_bundle_goes_with_its_subscription(tenant: Tenant, database: Database) -> None:
    bundle = configured(1, subscription=MONTHLY, configured_at=OLD)
    await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    retention = Retention(pending_subscriptions=MONTH, configured_bundles=MONTH)
    assert (await prune(database, NOW, retention))["configured bundles"] == 1


async def test_old_answers_are_removed_and_their_bundles_stay(
    tenant: Tenant, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personalisation_answers, "PART", 2)
    for number in range(1, 6):
        bundle = answered(number, f"Mira {number}", OLD if number < 5 else NEW)
        await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    retention = Retention(answers=MONTH)
    assert (await prune(database, NOW, retention))["personalisations"] == 4
    stored = await bundles_with_ids(database, range(1, 6), None)
    assert [one.items[0].properties.get("Engraving") for one in stored] == [None] * 4 + ["Mira 5"]
    assert [one.items[0].count for one in stored] == [2] * 5
    assert (await prune(database, NOW, retention))["personalisations"] == 0


async def test_a_damaged_bundle_does_not_stop_the_removal_of_answers(
    tenant: Tenant, database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scanning, "PART", 2)
    for number in range(1, 5):
        bundle = answered(number, f"Mira {number}", OLD)
        await SqlConfiguredStore(database).record(tenant, bundle, BOX_VARIANT, None, render_response)
    made = configured_bundles.c
    damage = update(configured_bundles).where(made.id.in_([1, 3])).values(items=made["items"] + "?")
    await database.write(lambda connection: connection.execute(damage))
    assert (await prune(database, NOW, Retention(answers=MONTH)))["personalisations"] == 2
    assert [one.items[0].properties for one in await bundles_with_ids(database, [2, 4], None)] == [{}, {}]
    assert [bundle for bundle in (1, 2, 3, 4) if f"configured bundle {bundle} cannot" in caplog.text] == [1, 3]


async def test_completed_requests_are_deleted_and_open_ones_stay(tenant: Tenant, database: Database) -> None:
    for number in (1, 2):
        request = ShopperRequest(EXPORT, f"{number}@mail.example", f"{number}")
        await database.write(partial(add_request, tenant=tenant, request=request, now=NOW))
    requests = SqlShopperRequests(database)
    await requests.complete_exports("1@mail.example", None, NOW + DAY)
    for now, left in ((NOW + COMPLETED_KEPT - 1, 2), (NOW + COMPLETED_KEPT, 1)):
        await prune(database, now, Retention())
        assert len(await requests.all()) == left
    assert [one.request.subject for one in await requests.open()] == ["2@mail.example"]


async def test_old_entries_of_the_audit_log_are_deleted(tenant: Tenant, database: Database) -> None:
    shop = Revising(database, tenant)
    for at in (OLD, NEW):
        draft = await shop.drafts.create(tenant, act(now=at), "")
        await shop.drafts.discard(tenant, act(now=at), draft.number, ANY)
    assert (await prune(database, NOW, Retention(audit=MONTH)))["audit entries"] == 2
    assert {entry.at for entry in await shop.reading.entries(tenant, AuditFilter())} == {NEW}


async def test_old_entries_about_open_drafts_stay(tenant: Tenant, database: Database) -> None:
    shop = Revising(database, tenant)
    draft = await shop.drafts.create(tenant, act(now=OLD), "")
    assert (await prune(database, NOW, Retention(audit=MONTH)))["audit entries"] == 0
    assert [entry.revision for entry in await shop.reading.entries(tenant, AuditFilter())] == [draft.number]
