"""Renders reports as plain data, for the management API and the CLI."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.reports.bundle_report import KEYS, Figures, Key, Money, OrderTotals
from bundlesvc.services.reports.bundle_reports import NamedReport

Json = dict[str, Any]


def bundle_report_body(named: NamedReport) -> Json:
    """Render a report on the sales of bundles."""
    report = named.report
    query = report.query
    return {
        "from": query.period.first.isoformat(),
        "to": query.period.last.isoformat(),
        "by": query.by,
        "bundleId": query.bundle_id,
        "test": query.test,
        "total": _figures(report.total),
        "rows": [{**_key(query.by, key, named.names), **_figures(figures)} for key, figures in report.rows.items()],
        "orders": _orders(report.totals),
    }


def _key(by: str, key: Key, names: Mapping[int, str]) -> Json:
    """Return the fields that identify a row. The fields of a bundle include its name, which is None when the shop no longer has
    the bundle."""
    fields = dict(zip(KEYS[by], key, strict=True))
    if "bundleId" not in fields:
        return fields
    bundle_id = fields["bundleId"]
    return {**fields, "bundleName": names.get(bundle_id) if isinstance(bundle_id, int) else None}


def _figures(figures: Figures) -> Json:
    return {
        "configured": figures.configured,
        "ordered": figures.ordered,
        "share": None if figures.share is None else f"{figures.share:f}",
        "sold": figures.sold,
        "units": figures.units,
        "money": [_money(money) for money in figures.money],
    }


def _money(money: Money) -> Json:
    return {
        "currency": money.currency,
        "revenue": _amount(money.revenue, money.currency),
        "discount": _amount(money.discount, money.currency),
        "refunded": _amount(money.refunded, money.currency),
    }


def _orders(totals: Sequence[OrderTotals]) -> list[Json]:
    """Render the totals of orders with and without a bundle, by currency."""
    currencies = sorted({each.currency for each in totals})
    found = {(each.currency, each.with_bundle): each for each in totals}
    return [
        {
            "currency": currency,
            "withBundle": _order_totals(found.get((currency, True)), currency),
            "withoutBundle": _order_totals(found.get((currency, False)), currency),
        }
        for currency in currencies
    ]


def _order_totals(totals: OrderTotals | None, currency: str) -> Json:
    return {
        "orders": totals.orders if totals else 0,
        "total": _amount(totals.total if totals else 0, currency),
        "average": _amount(totals.average, currency) if totals else None,
    }


def _amount(units: int, currency: str) -> str:
    """Format an amount with all decimal places of its currency."""
    return f"{from_presentment_units(units, currency):f}"
