"""Visitors of A/B tests on both databases: stored once, joined with their orders, and deleted after their retention period."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import Connection, func, select

from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.experiments.results import ArmFigures
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.verdict import EQUAL, Verdict
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import Shopper
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import experiment_visitors, order_totals, visitor_secrets
from bundlesvc.storage.experiments.visitors import SqlExperimentStore
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from tests.domain.orders.orders import line, order
from tests.process.shop import BOX, BOX_VARIANT, SHIRT_M
from tests.storage.configured_bundles import DAY, NOW, configured, render_response

ANNA, BEN, CARL = (f"0e6f7c3a-8f3a-4c27-9d57-0a1f8f6c1e1{number}" for number in range(3))
MAIL = "mira@mail.example"
TEST = "packaging"


@pytest.fixture
def store(database: Database) -> SqlExperimentStore:
    return SqlExperimentStore(database)


@pytest.fixture
async def experiment_id(database: Database, tenant: Tenant) -> str:
    """Return the id of the shop's first A/B test."""
    return (await SqlShopStore(database, RevisionCache()).experiments(tenant))[0].id


def seen(tenant: Tenant, visitor: str, arm: int, *, at: int = NOW, test: bool = False, name: str = TEST) -> SeenArm:
    return SeenArm(tenant.id, Exposure(name, arm, visitor), at, test)


def bought(number: int, visitor: str | None, total: int = 2000, **changes: object) -> JudgedOrder:
    """Build an order without a bundle."""
    made = order(
        line("a", 11, 1, total, properties={}), id=f"{number}", placed_at=NOW, visitor_id=visitor, bundles=None
    )
    return JudgedOrder(replace(made, **changes), ())  # type: ignore[arg-type]


async def record(database: Database, tenant: Tenant, orders: Sequence[JudgedOrder]) -> None:
    for judged in orders:
        await SqlOrderStore(database).record(tenant, judged, None)


async def test_visitor_counts_once_for_the_first_arm(tenant: Tenant, store: SqlExperimentStore) -> None:
    await store.add([seen(tenant, ANNA, 0), seen(tenant, BEN, 1)])
    await store.add([seen(tenant, ANNA, 1), seen(tenant, ANNA, 0, name="other"), seen(tenant, CARL, 1, test=True)])

    assert await store.figures(tenant, TEST, test=False) == {0: ArmFigures(1, 0, {}, ()), 1: ArmFigures(1, 0, {}, ())}
    assert await store.figures(tenant, "other", test=False) == {0: ArmFigures(1, 0, {}, ())}
    assert await store.figures(tenant, TEST, test=True) == {1: ArmFigures(1, 0, {}, ())}
    assert await store.figures(tenant, "none", test=False) == {}


async def test_orders_after_the_exposure_count_for_the_arm(
    tenant: Tenant, database: Database, store: SqlExperimentStore
) -> None:
    await store.add([seen(tenant, ANNA, 0, at=NOW - DAY), seen(tenant, BEN, 1), seen(tenant, CARL, 1)])
    orders = [
        bought(1, ANNA, 1000),
        bought(2, ANNA, 3000, currency="CHF", rate=Decimal("0.5")),
        bought(3, BEN, placed_at=NOW - 1),
        bought(4, BEN, cancelled=True),
        bought(5, BEN, test=True),
        bought(6, None),
        bought(7, "11111111-1111-4111-8111-111111111111"),
        bought(8, CARL, 1999),
    ]
    await record(database, tenant, [*orders, *orders])

    assert await store.figures(tenant, TEST, test=False) == {
        0: ArmFigures(1, 2, {"CHF": 3000, "EUR": 1000}, (70.0,)),
        1: ArmFigures(2, 1, {"EUR": 1999}, (19.99,)),
    }


async def test_visitor_of_a_configured_bundle_is_that_of_its_order(
    tenant: Tenant, database: Database, store: SqlExperimentStore, configured_store: SqlConfiguredStore
) -> None:
    await store.add([seen(tenant, ANNA, 1)])
    await configured_store.record(tenant, configured(7001, visitor_id=ANNA), BOX_VARIANT, None, render_response)
    with_bundle = JudgedOrder(replace(order(), placed_at=NOW), (Verdict(7001, BOX, ("a", "b"), EQUAL, 2000, 2000),))
    await record(database, tenant, [with_bundle])

    assert (await store.figures(tenant, TEST, test=False))[1] == ArmFigures(1, 1, {"EUR": 2000}, (20.0,))


async def test_no_visitors_id_is_stored(tenant: Tenant, database: Database, store: SqlExperimentStore) -> None:
    await store.add([seen(tenant, ANNA, 0)])
    await record(database, tenant, [bought(1, ANNA)])

    def visitors(connection: Connection) -> list[str]:
        return [
            connection.execute(select(table.c.visitor)).scalar_one() for table in (experiment_visitors, order_totals)
        ]

    hashes = await database.read(visitors)

    assert hashes[0] == hashes[1]
    assert len(hashes[0]) == 32
    assert ANNA not in hashes[0]


async def test_processes_that_store_the_same_visitors(
    tenant: Tenant, store: SqlExperimentStore, settings: Settings
) -> None:
    async def add(arm: int) -> None:
        async with open_database(settings.database) as own:
            await SqlExperimentStore(own).add([seen(tenant, visitor, arm) for visitor in (ANNA, BEN, CARL)])

    await asyncio.gather(*(add(number % 2) for number in range(4)))

    found = await store.figures(tenant, TEST, test=False)
    assert sum(each.visitors for each in found.values()) == 3


async def test_erasing_a_shopper_forgets_the_visitor(
    tenant: Tenant, database: Database, store: SqlExperimentStore, configured_store: SqlConfiguredStore
) -> None:
    answers = (ConfiguredItem(SHIRT_M, 111, 1, 1, "Shirt", "M", Decimal(1), {"For": MAIL}, (), ("for",)),)
    made = configured(7001, items=answers, visitor_id=ANNA)
    await configured_store.record(tenant, made, BOX_VARIANT, None, render_response)
    await store.add([seen(tenant, ANNA, 0), seen(tenant, BEN, 1), seen(tenant, CARL, 1)])
    with_bundle = JudgedOrder(
        replace(order(), placed_at=NOW, visitor_id=BEN), (Verdict(7001, BOX, ("a", "b"), EQUAL, 2000, 2000),)
    )
    await record(database, tenant, [bought(2, ANNA), with_bundle, bought(3, CARL)])

    await SqlShoppers(database).erase(Shopper(MAIL))

    assert await store.figures(tenant, TEST, test=False) == {1: ArmFigures(1, 1, {"EUR": 2000}, (20.0,))}
    left = select(func.count()).select_from(order_totals).where(order_totals.c.visitor.is_not(None))
    assert await database.read(lambda connection: connection.execute(left).scalar()) == 1


async def test_pruning_forgets_ended_tests_and_old_visitors(
    tenant: Tenant, database: Database, store: SqlExperimentStore, experiment_id: str
) -> None:
    await store.add(
        [
            seen(tenant, ANNA, 0, name=experiment_id),
            seen(tenant, BEN, 0, name=experiment_id, at=NOW - 40 * DAY),
            seen(tenant, CARL, 0, name="ended"),
        ]
    )

    assert (await prune(database, NOW, Retention()))["seen arms"] == 1
    assert await store.figures(tenant, "ended", test=False) == {}
    assert (await store.figures(tenant, experiment_id, test=False))[0].visitors == 2
    assert (await prune(database, NOW, Retention(orders=30 * DAY)))["seen arms"] == 1
    assert (await store.figures(tenant, experiment_id, test=False))[0].visitors == 1


async def test_deleted_shop_leaves_no_visitor_and_no_secret(
    tenant: Tenant, database: Database, store: SqlExperimentStore
) -> None:
    await store.add([seen(tenant, ANNA, 0)])

    await delete_shop(database, "demo")
    await store.add([seen(tenant, BEN, 0)])

    def left(connection: Connection) -> list[int]:
        tables = experiment_visitors, visitor_secrets
        return [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]

    assert await database.read(left) == [0, 0]
