"""Adds readable labels to the rows of a report, and flattens the rows for tables and spreadsheets."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.cli.terminal.rows import Row
from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.reports.bundle_report import ARM, COUNTRY, KEYS, TIER, Figures, Key, OrderTotals
from bundlesvc.services.reports.bundle_reports import NamedReport


def label(by: str, key: Key, names: Mapping[int, str]) -> str:
    """Return the human-readable label of a row in a report that is grouped by `by`."""
    fields: dict[str, Any] = dict(zip(KEYS[by], key, strict=True))
    bundle = _bundle(fields.get("bundleId"), names)
    if by == COUNTRY:
        return fields["countryCode"] or "No country"
    if by == ARM:
        return (
            f"{fields['experimentId']}, arm {fields['arm']}: {bundle}"
            if fields["experimentId"]
            else f"No test: {bundle}"
        )
    if by == TIER:
        return f"{bundle}, {_tier(fields['discountType'], fields['discountValue'])}"
    return bundle if "bundleId" in fields else f"{key[0]}"


def _bundle(bundle_id: int | None, names: Mapping[int, str]) -> str:
    return "Unknown promise" if bundle_id is None else names.get(bundle_id) or f"Bundle {bundle_id}"


def _tier(kind: str | None, value: str | None) -> str:
    if kind is None or value is None:
        return "unknown discount"
    amount = value.removesuffix(".00")
    known = {"percentage": f"{amount}% off", "fixed": f"{value} off", "price": f"for {value}", "none": "no discount"}
    return known.get(kind, f"{kind} {value}")


def flat_rows(named: NamedReport) -> list[Row]:
    """Flatten each row of a report, with columns for the sums in each currency."""
    report = named.report
    currencies = [money.currency for money in report.total.money]
    return [
        {**dict(zip(KEYS[report.query.by], key, strict=True)), **_name(named, key), **flat_figures(figures, currencies)}
        for key, figures in report.rows.items()
    ]


def _name(named: NamedReport, key: Key) -> dict[str, str | None]:
    fields = KEYS[named.report.query.by]
    if "bundleId" not in fields:
        return {}
    bundle_id = key[fields.index("bundleId")]
    return {"bundleName": named.names.get(bundle_id) if isinstance(bundle_id, int) else None}


def flat_figures(figures: Figures, currencies: list[str]) -> dict[str, Any]:
    """Flatten the figures of a row. Each of the `currencies` gets three columns: revenue, discount and refunds."""
    flat: dict[str, Any] = {
        "configured": figures.configured,
        "ordered": figures.ordered,
        "share": None if figures.share is None else f"{figures.share:f}",
        "sold": figures.sold,
        "units": figures.units,
    }
    money = {each.currency: each for each in figures.money}
    for currency in currencies:
        of_currency = money.get(currency)
        for name in ("revenue", "discount", "refunded"):
            flat[f"{name} {currency}"] = amount(getattr(of_currency, name, 0), currency)
    return flat


def order_rows(named: NamedReport) -> list[Row]:
    """Build one row per currency for orders with a bundle, and one per currency for orders without a bundle."""
    return [_order_row(totals) for totals in named.report.totals]


def _order_row(totals: OrderTotals) -> Row:
    return {
        "orders": "with a bundle" if totals.with_bundle else "without a bundle",
        "currency": totals.currency,
        "number": totals.orders,
        "total": amount(totals.total, totals.currency),
        "average": amount(totals.average, totals.currency),
    }


def amount(units: int, currency: str) -> str:
    """Format an amount with all decimal places of its currency."""
    return f"{from_presentment_units(units, currency):f}"
