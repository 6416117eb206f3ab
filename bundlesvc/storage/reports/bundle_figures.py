"""Adds up the sales of bundles. Each figure is computed in one pass over the rows that it counts."""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    distinct,
    false,
    func,
    literal,
    select,
    true,
    union_all,
)

from bundlesvc.domain.reports.bundle_report import Figures, Key, Money, OrderTotals, ReportQuery, StoredFigures
from bundlesvc.domain.reports.period import Period
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.daily_counts import counted_until, dimension_value
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import bundle_sales, configured_bundles, configured_days, order_totals
from bundlesvc.storage.reports.groupings import GROUPINGS


class SqlReportStore:
    """Implements the `ReportStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def figures(self, tenant: Tenant, query: ReportQuery) -> StoredFigures:
        return await self._database.read(lambda connection: _figures(connection, tenant.id, query))


def _figures(connection: Connection, shop_id: int, query: ReportQuery) -> StoredFigures:
    """Compute the figures of a query. Ordered bundles are counted before configured ones: rows stored in between can then only
    increase the number of configured bundles, so the result never shows more bundles ordered than configured."""
    ordered = _counts(connection, query, _ordered(shop_id, query))
    configured = _counts(connection, query, _configured(shop_id, query))
    return StoredFigures(
        configured, ordered, _sales(connection, shop_id, query), _order_totals(connection, shop_id, query)
    )


def _counts(connection: Connection, query: ReportQuery, counted: Select[Any]) -> dict[Key, int]:
    key = GROUPINGS[query.by].key
    return {key(*group): int(count) for *group, count in connection.execute(counted)}


def _configured(shop_id: int, query: ReportQuery) -> Select[Any]:
    """Select the number of bundles configured in the period: from the daily counts and, for days not yet counted, from the
    configured bundles. A single statement is used, because it reads both from the same snapshot."""
    days, made, grouping = configured_days.c, configured_bundles.c, GROUPINGS[query.by]
    counted = select(days.day.label("time"), days.bundle_id, days.value, days.configured.label("count")).where(
        *_wanted(days, shop_id, query),
        *_within(days.day, query.period),
        days.dimension == grouping.dimension,
        days.day < counted_until(),
    )
    value = dimension_value(grouping.dimension, made, made.country).label("value")
    latest = select(made.configured_at.label("time"), made.bundle_id, value, literal(1).label("count")).where(
        # `+ 0` keeps SQLite and PostgreSQL from using the index that begins with the shop. They find the few latest rows by time.
        *_wanted(made, shop_id, query, made.shop_id + 0),
        made.configured_at >= case((counted_until() > query.period.begin, counted_until()), else_=query.period.begin),
        made.configured_at < query.period.end,
    )
    both = union_all(counted, latest).subquery().c
    groups = grouping.columns(both.time, both.bundle_id, both.value)
    return select(*groups, func.sum(both["count"])).group_by(*groups)


def _ordered(shop_id: int, query: ReportQuery) -> Select[Any]:
    """Select the number of bundles that were configured in the period and have been bought since."""
    sold, grouping = bundle_sales.c, GROUPINGS[query.by]
    value = dimension_value(grouping.dimension, sold, sold.configured_country)
    groups = grouping.columns(sold.configured_at, sold.bundle_id, value)
    bought = select(*groups, func.count(distinct(sold.configured_bundle_id)))
    return bought.where(*_wanted(sold, shop_id, query), *_within(sold.configured_at, query.period)).group_by(*groups)


def _sales(connection: Connection, shop_id: int, query: ReportQuery) -> list[tuple[Key, Figures]]:
    """Read the bundle sales from orders placed in the period."""
    sold, grouping = bundle_sales.c, GROUPINGS[query.by]
    value = dimension_value(grouping.dimension, sold, sold.country)
    groups = grouping.columns(sold.placed_at, sold.bundle_id, value)
    names = ("units", "revenue", "discount", "refunded")
    rows = connection.execute(
        select(
            *groups, sold.currency, func.count().label("sold"), *(func.sum(sold[name]).label(name) for name in names)
        )
        .where(*_wanted(sold, shop_id, query), *_within(sold.placed_at, query.period))
        .group_by(*groups, sold.currency)
    )
    return [(grouping.key(*row[: len(groups)]), _sale_figures(row)) for row in rows]


def _sale_figures(row: Any) -> Figures:
    money = Money(row.currency, int(row.revenue), int(row.discount), int(row.refunded))
    return Figures(sold=row.sold, units=int(row.units), money=(money,))


def _order_totals(connection: Connection, shop_id: int, query: ReportQuery) -> list[OrderTotals]:
    """Read the totals of orders placed in the period, with and without a bundle, by currency."""
    total = order_totals.c
    groups = total.currency, total.with_bundle
    rows = connection.execute(
        select(*groups, func.count(), func.sum(total.total))
        .where(
            total.shop_id == shop_id,
            *_within(total.placed_at, query.period),
            total.test == query.test,
            total.cancelled == false(),
        )
        .group_by(*groups)
        .order_by(*groups)
    )
    return [OrderTotals(currency, with_bundle, count, int(sum_)) for currency, with_bundle, count, sum_ in rows]


def _wanted(
    columns: Any, shop_id: int, query: ReportQuery, own_shop: ColumnElement[int] | None = None
) -> tuple[ColumnElement[bool], ...]:
    """Return the WHERE conditions that select a shop's rows for a query, without the query's time range. `own_shop` is an
    expression to compare with the shop id, for queries that must not filter on the shop column itself."""
    of_bundle = true() if query.bundle_id is None else columns.bundle_id == query.bundle_id
    of_shop = (columns.shop_id if own_shop is None else own_shop) == shop_id
    return of_shop, columns.test == query.test, of_bundle


def _within(time: ColumnElement[int], period: Period) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return time >= period.begin, time < period.end
