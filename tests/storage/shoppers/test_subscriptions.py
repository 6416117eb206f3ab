"""Subscriptions, as listed and cancelled by the operator's commands."""

from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions, StoredSubscription
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import MONTHLY, NOW, configured, render_response


async def subscribe(store: SqlConfiguredStore, tenant: Tenant, *numbers: int) -> None:
    for number in numbers:
        await store.record(tenant, configured(number, subscription=MONTHLY), BOX_VARIANT, None, render_response)


async def test_subscriptions_are_listed_oldest_first(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    store = SqlSubscriptions(database)
    assert await store.all() == []
    await subscribe(configured_store, tenant, 9, 4)

    first, second = await store.all()
    assert first == StoredSubscription(
        1, "demo", 9, "Box", 7, 1, "month", "mira@mail.example", "pending", "2026-12-21", NOW, None, None
    )
    assert (second.id, second.configured_bundle_id) == (2, 4)


async def test_a_pending_subscription_is_cancelled_once(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    store = SqlSubscriptions(database)
    await subscribe(configured_store, tenant, 1, 2)
    assert await store.cancel(1)
    assert not await store.cancel(1)
    assert not await store.cancel(99)
    assert [subscription.status for subscription in await store.all()] == ["cancelled", "pending"]
