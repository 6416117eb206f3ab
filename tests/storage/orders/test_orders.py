"""Stored orders, on both databases: versions delivered in any order, lists, promises, retention and erasure."""

import asyncio
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.orders.judged import OUTDATED, STORED, UNCHANGED, JudgedOrder, OrderFilter
from bundlesvc.domain.orders.kept_promises import PromiseCounts
from bundlesvc.domain.orders.order import Edit, Refund
from bundlesvc.domain.orders.refusals import OrderVersionReused
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, PROMISE_UNKNOWN, Verdict
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import Shopper
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from tests.domain.orders.orders import order
from tests.process.shop import BOX, BOX_VARIANT, PLAIN_MUG, SHIRT_M
from tests.storage.configured_bundles import DAY, MONTHLY, NOW, configured, ghost, render_response

VISITOR = "0e6f7c3a-8f3a-4c27-9d57-0a1f8f6c1e11"
MAIL = "mira@mail.example"


@pytest.fixture
def store(database: Database) -> SqlOrderStore:
    return SqlOrderStore(database)


def judged(
    number: int = 1, version: int = 1, cause: str | None = None, bundle: int = 42, **changes: Any
) -> JudgedOrder:
    """Build an order for one bundle, placed `number` days ago. With a `cause`, the charge for the bundle differs from the
    promise."""
    made = replace(order(), id=f"{number}", version=version, placed_at=NOW - number * DAY, bundles=None, **changes)
    outcome = DIFFERS if cause else EQUAL
    return JudgedOrder(made, (Verdict(7000 + number, bundle, ("a", "b"), outcome, 1950, 2000, cause),))


def ids(found: object) -> list[str]:
    assert isinstance(found, list)
    return [each.order.id for each in found]


async def test_order_is_read_as_it_was_stored(tenant: Tenant, store: SqlOrderStore) -> None:
    changes = (Edit("a", -1, -800, -10),), (Refund("b", 1, 400, 5, restocked=True),)
    whole = judged(
        1, 3, "other_discount", rate=Decimal("0.9412"), visitor_id=VISITOR, edits=changes[0], refunds=changes[1]
    )

    assert await store.record(tenant, whole, "attribute") == STORED
    assert await store.order(tenant, "1") == whole
    assert await store.order(tenant, "2") is None
    assert await store.order(replace(tenant, id=tenant.id + 1), "1") is None


async def test_version_is_stored_once(tenant: Tenant, store: SqlOrderStore) -> None:
    first, second = judged(), judged(version=2, cause="edited")

    assert [await store.record(tenant, each, "x") for each in (second, second, first)] == [STORED, UNCHANGED, OUTDATED]
    assert await store.order(tenant, "1") == second


async def test_version_with_other_content_is_refused(tenant: Tenant, store: SqlOrderStore) -> None:
    await store.record(tenant, judged(), "x")

    with pytest.raises(OrderVersionReused):
        await store.record(tenant, judged(name="#2"), "x")
    with pytest.raises(OrderVersionReused):
        await store.record(tenant, judged(), "y")
    assert await store.order(tenant, "1") == judged()


async def test_any_order_of_delivery_ends_in_the_same_state(tenant: Tenant, store: SqlOrderStore) -> None:
    versions = [judged(9, version, cause) for version, cause in enumerate((None, "edited", None, "expired"))]
    for seed in range(20):
        messages = Random(seed).choices(versions, k=4) + versions
        Random(seed).shuffle(messages)
        messages = [JudgedOrder(replace(each.order, id=f"{seed}"), each.verdicts) for each in messages]
        for message in messages:
            await store.record(tenant, message, None)
        assert await store.order(tenant, f"{seed}") == max(messages, key=lambda each: each.order.version)


async def test_processes_that_store_one_order_at_the_same_time(
    tenant: Tenant, store: SqlOrderStore, settings: Settings
) -> None:
    async def send(version: int) -> str:
        async with open_database(settings.database) as own:
            return await SqlOrderStore(own).record(tenant, judged(version=version), None)

    results = await asyncio.gather(*(send(version % 3) for version in range(6)))

    assert results.count(STORED) >= 1
    assert await store.order(tenant, "1") == judged(version=2)


async def test_lists_are_newest_first_and_filtered(tenant: Tenant, store: SqlOrderStore) -> None:
    for number, cause, bundle in ((1, None, 42), (2, "edited", 42), (3, "edited", 43), (4, None, 43)):
        await store.record(tenant, judged(number, cause=cause, bundle=bundle), None)

    async def found(**wanted: Any) -> list[str]:
        return ids(await store.orders(tenant, replace(OrderFilter(), **wanted)))

    assert await found() == ["1", "2", "3", "4"]
    assert await found(bundle_id=43) == ["3", "4"]
    assert await found(verdict="edited") == ["2", "3"]
    assert await found(verdict=EQUAL) == ["1", "4"]
    assert await found(verdict=DIFFERS, bundle_id=42) == ["2"]
    assert await found(since=NOW - 2 * DAY) == ["1", "2"]
    assert await found(limit=2) == ["1", "2"]
    assert await found(limit=2, after=(NOW - 2 * DAY, "2")) == ["3", "4"]


async def test_promise_of_a_configured_bundle(
    tenant: Tenant, store: SqlOrderStore, configured_store: SqlConfiguredStore
) -> None:
    await configured_store.record(tenant, configured(7001), BOX_VARIANT, None, render_response)

    promises = await store.promises(tenant, [7001, 7002], [BOX_VARIANT, SHIRT_M])

    [(id_, promise)] = promises.configured.items()
    assert (id_, promise.bundle_id, promise.original, promise.discounted) == (
        7001,
        BOX,
        Decimal("47.98"),
        Decimal("43.18"),
    )
    assert promise.units == {SHIRT_M: 2, PLAIN_MUG: 1}
    assert promises.ghosts == {}


async def test_promises_behind_a_ghost_variant(
    tenant: Tenant, store: SqlOrderStore, configured_store: SqlConfiguredStore
) -> None:
    """A ghost variant may carry several promises, with and without a subscription. Of the promises with the same price and
    country, only the newest is returned."""
    shared = ghost("g" * 64, 8001)
    cheaper = replace(configured().pricing, discounted=Decimal("40.00"))
    for made in (
        configured(1),
        configured(2),
        configured(3, subscription=MONTHLY, pricing=cheaper),
        configured(4, country="CH"),
    ):
        await configured_store.record(tenant, made, shared, None, render_response)

    found = (await store.promises(tenant, [], [8001])).ghosts

    assert {key: [promise.configured_id for promise in promises] for key, promises in found.items()} == {
        (8001, False): [4, 2],
        (8001, True): [3],
    }


async def test_pruning_deletes_old_orders_and_keeps_what_the_others_refer_to(
    tenant: Tenant, database: Database, store: SqlOrderStore, configured_store: SqlConfiguredStore
) -> None:
    for number in (1, 2, 5):
        old = configured(7000 + number, configured_at=NOW - 400 * DAY)
        await configured_store.record(tenant, old, BOX_VARIANT, None, render_response)
    for number in (1, 5):
        await store.record(tenant, judged(number), None)

    deleted = await prune(database, NOW, Retention(configured_bundles=365 * DAY, orders=4 * DAY))

    assert (deleted["orders"], deleted["verdicts"], deleted["configured bundles"]) == (1, 1, 2)
    assert ids(await store.orders(tenant, OrderFilter())) == ["1"]
    assert (await store.promises(tenant, [7001, 7002, 7005], [])).configured.keys() == {7001}


async def test_erasing_a_shopper_forgets_the_visitor_of_the_orders(
    tenant: Tenant, database: Database, store: SqlOrderStore, configured_store: SqlConfiguredStore
) -> None:
    answers = (ConfiguredItem(SHIRT_M, 111, 1, 1, "Shirt", "M", Decimal(1), {"For": MAIL}, (), ("for",)),)
    await configured_store.record(tenant, configured(7001, items=answers), BOX_VARIANT, None, render_response)
    for number in (1, 2):
        await store.record(tenant, judged(number, visitor_id=VISITOR), None)

    await SqlShoppers(database).erase(Shopper(MAIL))

    found = await store.orders(tenant, OrderFilter())
    assert [each.order.visitor_id for each in found] == [None, VISITOR]
    assert found[0] == judged(1)


async def test_deleting_a_shop_deletes_its_orders(tenant: Tenant, database: Database, store: SqlOrderStore) -> None:
    await store.record(tenant, judged(), None)

    await delete_shop(database, "demo")

    assert await store.order(tenant, "1") is None


async def test_promises_are_counted_by_order(tenant: Tenant, store: SqlOrderStore) -> None:
    """An order with two broken promises counts once. Edits and rounding do not count, because they break no promise."""
    twice = replace(
        judged(1, cause="expired"),
        verdicts=(
            *judged(1, cause="expired").verdicts,
            Verdict(7009, 42, ("c",), DIFFERS, 1950, 2000, "market_changed"),
            Verdict(7010, None, ("d",), PROMISE_UNKNOWN, 1950),
        ),
    )
    orders = [twice, judged(2), judged(3, cause="rounding"), judged(4, cause="edited"), judged(5, cause="expired")]
    for each in (*orders, judged(6, cause="expired", test=True), judged(40)):
        await store.record(tenant, each, "x")

    since = NOW - 30 * DAY
    assert await store.promise_counts(tenant, since, test=False) == PromiseCounts(
        5, 2, {"expired": 2, "market_changed": 1, "promise_unknown": 1}
    )
    assert await store.promise_counts(tenant, since, test=True) == PromiseCounts(1, 1, {"expired": 1})
    assert await store.promise_counts(tenant, NOW, test=False) == PromiseCounts(0, 0, {})
    assert await store.promise_counts(replace(tenant, id=9), since, test=False) == PromiseCounts(0, 0, {})
