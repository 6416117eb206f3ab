"""On SQLite and PostgreSQL, reports on randomly generated sales match a straightforward recomputation, regardless of what was
aggregated and pruned before."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import product

import pytest

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.verdict import EQUAL, Verdict
from bundlesvc.domain.reports.bundle_report import (
    BUNDLE,
    COUNTRY,
    DAY,
    DIMENSIONS,
    BundleReport,
    Figures,
    Money,
    ReportQuery,
    report,
)
from bundlesvc.domain.reports.period import Period, day_of
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.configured.daily_counts import count_days
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.reports.bundle_figures import SqlReportStore
from tests.domain.orders.orders import line, order
from tests.process.shop import BOX, BOX_VARIANT
from tests.storage.configured_bundles import DAY as DAY_SECONDS
from tests.storage.configured_bundles import NOW, configured, ghost, render_response
from tests.storage.reports.trading import Trading, plain_rows, plain_totals, trading

TODAY = day_of(NOW)
ALL = Period(date(2026, 1, 1), TODAY + timedelta(30))
PERIODS = (ALL, Period(TODAY - timedelta(5), TODAY - timedelta(2)), Period(TODAY, TODAY))

Reported = Callable[[ReportQuery], Awaitable[BundleReport]]


@pytest.fixture
def reported(tenant: Tenant, database: Database) -> Reported:
    async def make(query: ReportQuery) -> BundleReport:
        return report(query, await SqlReportStore(database).figures(tenant, query))

    return make


async def trade(tenant: Tenant, database: Database, traded: Trading) -> None:
    for made in traded.configured:
        await SqlConfiguredStore(database).record(tenant, made, BOX_VARIANT, None, render_response)
    for judged in traded.orders:
        await SqlOrderStore(database).record(tenant, judged, None)


def only_filled(found: BundleReport) -> dict[object, Figures]:
    return {key: figures for key, figures in found.rows.items() if figures != Figures()}


@pytest.mark.parametrize("seed", [1, 2])
async def test_report_equals_a_plain_recomputation(
    tenant: Tenant, database: Database, reported: Reported, seed: int
) -> None:
    traded = trading(seed)
    await trade(tenant, database, traded)

    for counted_at in (0, NOW - 4 * DAY_SECONDS, NOW):
        await count_days(database, counted_at)
        for by, period, test, bundle in product(DIMENSIONS, PERIODS, (False, True), (None, 21)):
            query = ReportQuery(period, by, test, bundle)
            found = await reported(query)

            assert only_filled(found) == plain_rows(traded, query)
            assert found.total.ordered <= found.total.configured
            assert all(figures.ordered <= figures.configured for figures in found.rows.values())
            totals = {(each.currency, each.with_bundle): (each.orders, each.total) for each in found.totals}
            assert totals == plain_totals(traded, query)


async def test_all_reports_of_a_period_have_one_total(tenant: Tenant, database: Database, reported: Reported) -> None:
    await trade(tenant, database, trading(3))

    totals = [(await reported(ReportQuery(ALL, by))).total for by in DIMENSIONS]
    parts = [(await reported(ReportQuery(ALL, BUNDLE, bundle_id=bundle))).total for bundle in (20, 21, 22)]

    assert totals[0].configured > totals[0].ordered > 0
    assert all(total == totals[0] for total in totals)
    assert sum(part.configured for part in parts) == totals[0].configured


async def test_days_of_a_period_add_up_to_it(tenant: Tenant, database: Database, reported: Reported) -> None:
    await trade(tenant, database, trading(4))

    whole = await reported(ReportQuery(PERIODS[1], DAY))
    days = [(await reported(ReportQuery(Period(day, day), COUNTRY))).total for day in PERIODS[1].days()]

    assert list(whole.rows) == [(day.isoformat(),) for day in PERIODS[1].days()]
    assert [*whole.rows.values()] == days


async def test_figures_stay_when_configured_bundles_are_deleted(
    tenant: Tenant, database: Database, reported: Reported
) -> None:
    traded = trading(5)
    await trade(tenant, database, traded)
    query = ReportQuery(ALL, COUNTRY)
    before = await reported(query)

    deleted = await prune(database, NOW + DAY_SECONDS, Retention(configured_bundles=2 * DAY_SECONDS))

    assert deleted["configured bundles"] > 10
    assert (await reported(query)).rows == before.rows


async def test_processes_that_count_the_same_days(
    tenant: Tenant, database: Database, reported: Reported, settings: Settings
) -> None:
    traded = trading(8)
    await trade(tenant, database, traded)

    async def count() -> None:
        async with open_database(settings.database) as own:
            await count_days(own, NOW)

    await asyncio.gather(*(count() for _ in range(4)))

    query = ReportQuery(ALL, COUNTRY)
    assert only_filled(await reported(query)) == plain_rows(traded, query)


async def test_pruned_orders_leave_reports_together_with_their_promises(
    tenant: Tenant, database: Database, reported: Reported
) -> None:
    await trade(tenant, database, trading(6))

    deleted = await prune(database, NOW + 40 * DAY_SECONDS, Retention(orders=20 * DAY_SECONDS))

    assert min(deleted["orders"], deleted["sales"], deleted["order totals"], deleted["daily counts"]) > 0
    assert (await reported(ReportQuery(ALL))).total == Figures()


async def test_each_sale_of_a_ghost_variant_counts_for_another_promise(
    tenant: Tenant, database: Database, reported: Reported
) -> None:
    """When three shoppers configure the same selection and two of them buy it, each sale counts towards a different promise."""
    shared = ghost("g" * 64, 8001)
    for number in (1, 2, 3):
        await SqlConfiguredStore(database).record(tenant, configured(number), shared, None, render_response)
    bought = line("a", 8001, 2, 4318, properties={})
    for number in (1, 2, 2):
        sold = replace(order(bought), id=f"{number}", placed_at=NOW)
        verdict = Verdict(3, BOX, ("a",), EQUAL, 8636, 8636)
        await SqlOrderStore(database).record(tenant, JudgedOrder(sold, (verdict,)), None)

    found = await reported(ReportQuery(ALL))

    assert found.total == Figures(3, 2, 2, units=12, money=(Money("EUR", 17272, discount=4 * 480),))
    assert found.total.share == Decimal("0.6667")


async def test_order_that_loses_its_bundle(tenant: Tenant, database: Database, reported: Reported) -> None:
    sold = replace(order(), placed_at=NOW)
    store = SqlOrderStore(database)
    with_bundle = JudgedOrder(sold, (Verdict(7001, BOX, ("a", "b"), EQUAL, 2000, 2000),))
    without = JudgedOrder(replace(sold, version=2), ())

    for delivery in ([with_bundle, without], [without, with_bundle]):
        results = [
            await store.record(tenant, JudgedOrder(replace(each.order, id=f"{id(delivery)}"), each.verdicts), None)
            for each in delivery
        ]
        assert results in (["stored", "without_bundle"], ["without_bundle", "outdated"])
        assert await store.order(tenant, f"{id(delivery)}") is None

    found = await reported(ReportQuery(ALL))
    assert found.total == Figures()
    assert [(each.with_bundle, each.orders, each.total) for each in found.totals] == [(False, 2, 4000)]


async def test_deleting_a_shop_deletes_its_figures(tenant: Tenant, database: Database, reported: Reported) -> None:
    await trade(tenant, database, trading(7, 20, 10))
    await count_days(database, NOW)

    await delete_shop(database, "demo")

    found = await reported(ReportQuery(ALL))
    assert (found.total, found.totals) == (Figures(), [])
