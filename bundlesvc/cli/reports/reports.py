"""`bundlesvc reports`: reports what sells, as text, JSON, CSV, or one HTML page."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from bundlesvc.api.manage.reports.rendering import bundle_report_body
from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.reports.html_page import html_page
from bundlesvc.cli.reports.labels import flat_figures, flat_rows, order_rows
from bundlesvc.cli.terminal.output import fail_unknown_shop
from bundlesvc.cli.terminal.rows import FORMAT, Row, print_rows
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.reports.bundle_report import BUNDLE, DIMENSIONS, ReportQuery
from bundlesvc.domain.reports.period import FIRST_DAY
from bundlesvc.services.reports.bundle_reports import BundleReports, NamedReport
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.reports.bundle_figures import SqlReportStore
from bundlesvc.system import SystemClock

_DAY = click.DateTime(["%Y-%m-%d"])


@click.group()
def reports() -> None:
    """Report what sells."""


@reports.command()
@click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")
@click.option("--from", "first", type=_DAY, metavar="DAY", help="The first day.  [default: 29 days before the last]")
@click.option("--to", "last", type=_DAY, metavar="DAY", help="The last day.  [default: today]")
@click.option(
    "--by", type=click.Choice(DIMENSIONS), default=BUNDLE, show_default=True, help="What the rows are grouped by."
)
@click.option(
    "--bundle", "bundle_id", type=WholeNumber(1, MAX_ID), metavar="ID", help="Only the figures of this bundle."
)
@click.option("--test", is_flag=True, help="The report on test orders, which no other report contains.")
@FORMAT
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write one HTML page with charts and tables instead.")  # fmt: skip
def bundles(handle: str, form: str, page: Path | None, **wanted: Any) -> None:
    """Report what shoppers configured and bought.

    Days are in UTC. The rows add up to the total.
    """

    async def use(database: Database) -> NamedReport:
        tenant = await SqlKeyStore(database).tenant(handle)
        if tenant is None:
            fail_unknown_shop(handle)
        shops = SqlShopStore(database, RevisionCache())
        service = BundleReports(SqlReportStore(database), shops, SystemClock())
        return await service.report(tenant, _query(service, **wanted))

    found = with_database(use)
    if page is not None:
        page.write_text(html_page(found, handle), "utf-8")
        click.echo(f"{page}: {page.stat().st_size:,} bytes.", err=True)
    else:
        _print(form, found)


def _query(
    service: BundleReports, first: datetime | None, last: datetime | None, by: str, bundle_id: int | None, *, test: bool
) -> ReportQuery:
    period = service.period(_date(first), _date(last))
    if fault := period.fault():
        raise click.UsageError(fault)
    return ReportQuery(period, by, test, bundle_id)


def _print(form: str, found: NamedReport) -> None:
    """Print a report. In text form, the output includes the total and the orders of the period."""
    rows = flat_rows(found)
    if form != "text":
        print_rows(form, bundle_report_body(found), rows)
        return
    print_rows(form, None, [*rows, _total(found, rows[0])] if rows else rows)
    if orders := order_rows(found):
        click.echo()
        print_rows(form, None, orders)


def _total(found: NamedReport, like: Row) -> Row:
    """Build the total of all rows, with the same columns as the row `like`."""
    total = found.report.total
    figures = flat_figures(total, [money.currency for money in total.money])
    names = [name for name in like if name not in figures]
    return {**dict.fromkeys(names), names[0]: "total", **figures}


def _date(day: datetime | None) -> date | None:
    if day is None:
        return None
    if day.date() < FIRST_DAY:
        raise click.UsageError(f"No report begins before {FIRST_DAY}.")
    return day.replace(tzinfo=UTC).date()
