"""The example in the guide to reports: a November whose figures match the guide's table."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import bundlesvc
from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Refund
from bundlesvc.domain.orders.verdict import EQUAL, Verdict
from bundlesvc.domain.reports.bundle_report import ReportQuery, report
from bundlesvc.domain.reports.period import Period
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.reports.bundle_figures import SqlReportStore
from tests.domain.orders.orders import line, order
from tests.process.shop import BOX, BOX_VARIANT
from tests.storage.configured_bundles import configured, render_response

GUIDE = (Path(bundlesvc.__file__).parent / "guides" / "reports.md").read_text()
NOVEMBER = Period(date(2026, 11, 1), date(2026, 11, 30))
ANNA, BEN, CARL, DORA = 1, 2, 3, 4


def at(month: int, day: int) -> int:
    return int(datetime(2026, month, day, 12, tzinfo=UTC).timestamp())


def box(shopper: int, placed_at: int, *refunds: Refund) -> JudgedOrder:
    """Build an order for the breakfast box: two units at 10.00 and one at 5.00, sold for 20.00 in total."""
    mark = {"_bundle_data": f"{shopper}#9001#u1"}
    lines = line("a", 11, 2, 1000, 400, properties=mark), line("b", 12, 1, 500, 100, properties=mark)
    bought = replace(order(*lines), id=f"{shopper}", placed_at=placed_at, refunds=refunds)
    return JudgedOrder(bought, (Verdict(shopper, BOX, ("a", "b"), EQUAL, 2000, 2000),))


async def test_example_has_the_figures_of_the_table(tenant: Tenant, database: Database) -> None:
    for shopper, time in ((ANNA, at(11, 1)), (BEN, at(11, 3)), (CARL, at(11, 5)), (DORA, at(10, 30))):
        made = configured(shopper, configured_at=time)
        await SqlConfiguredStore(database).record(tenant, made, BOX_VARIANT, None, render_response)
    mug = replace(order(line("m", 13, 1, 1200, properties={})), id="5", placed_at=at(11, 8))
    refund = Refund("a", 1, 800)
    for judged in (
        box(ANNA, at(11, 2)),
        box(BEN, at(11, 3), refund),
        box(DORA, at(11, 1)),
        JudgedOrder(mug, ()),
    ):
        await SqlOrderStore(database).record(tenant, judged, None)

    query = ReportQuery(NOVEMBER)
    found = report(query, await SqlReportStore(database).figures(tenant, query))

    total, [money] = found.total, found.total.money
    [without, with_bundle] = found.totals
    assert (without.orders, without.total, without.average) == (1, 1200, 1200)
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| ([0-9.]+) \|$", GUIDE.partition("| figure |")[2], re.MULTILINE))
    assert {name: Decimal(value) for name, value in table.items()} == {
        "configured": total.configured,
        "ordered": total.ordered,
        "share": total.share,
        "sold": total.sold,
        "units": total.units,
        "revenue": from_presentment_units(money.revenue, "EUR"),
        "discount": from_presentment_units(money.discount, "EUR"),
        "refunded": from_presentment_units(money.refunded, "EUR"),
        "orders": with_bundle.orders,
        "total": from_presentment_units(with_bundle.total, "EUR"),
        "average": from_presentment_units(with_bundle.average, "EUR"),
    }
