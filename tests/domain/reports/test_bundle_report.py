"""Reports: the figures add up, and the rows are in order."""

from datetime import date
from decimal import Decimal

import pytest

from bundlesvc.domain.reports.bundle_report import (
    ARM,
    BUNDLE,
    DAY,
    Figures,
    Key,
    Money,
    OrderTotals,
    ReportQuery,
    StoredFigures,
    report,
)
from bundlesvc.domain.reports.period import MAX_DAYS, Period

NOVEMBER = Period(date(2026, 11, 1), date(2026, 11, 30))
NOON = 1_795_348_800
"""Noon of 2026-11-22, in seconds since 1970."""


def test_figures_add_up_by_currency() -> None:
    euros = Figures(3, 2, 1, 4, (Money("EUR", 1000, 100, 10),))
    both = Figures(1, 0, 2, 5, (Money("CHF", 500), Money("EUR", 1, 2, 3)))

    assert euros + both == Figures(4, 2, 3, 9, (Money("CHF", 500), Money("EUR", 1001, 102, 13)))
    assert Figures() + euros == euros


@pytest.mark.parametrize(
    ("configured", "ordered", "share"), [(3, 2, Decimal("0.6667")), (3, 3, Decimal("1.0000")), (3, 0, Decimal(0))]
)
def test_share_has_four_decimals(configured: int, ordered: int, share: Decimal) -> None:
    assert Figures(configured, ordered).share == share


def test_share_of_nothing_is_unknown() -> None:
    assert Figures(sold=1).share is None


@pytest.mark.parametrize(
    ("currency", "total", "average"), [("EUR", 2001, 1001), ("EUR", 2000, 1000), ("JPY", 3, 2), ("KWD", 2001, 1001)]
)
def test_average_order_is_rounded_half_up(currency: str, total: int, average: int) -> None:
    assert OrderTotals(currency, with_bundle=True, orders=2, total=total).average == average


def test_report_by_day_has_every_day() -> None:
    stored = StoredFigures({("2026-11-03",): 2}, {("2026-11-03",): 1}, [(("2026-11-30",), Figures(sold=1))])

    found = report(ReportQuery(NOVEMBER, DAY), stored)

    assert len(found.rows) == 30
    assert [key for key, figures in found.rows.items() if figures != Figures()] == [("2026-11-03",), ("2026-11-30",)]
    assert found.total == Figures(2, 1, 1)


def test_what_sells_most_comes_first() -> None:
    sales = [((number,), Figures(sold=sold)) for number, sold in ((9, 1), (10, 3), (None, 1))]

    found = report(ReportQuery(NOVEMBER, BUNDLE), StoredFigures({(9,): 5, (7,): 8}, {}, sales))

    assert [*found.rows] == [(10,), (9,), (None,), (7,)]


def test_arms_of_several_tests_and_of_none_are_rows() -> None:
    configured: dict[Key, int] = {("summer", 1, 21): 2, ("summer", 0, 20): 2, (None, None, 20): 1}

    found = report(ReportQuery(NOVEMBER, ARM), StoredFigures(configured, {}, []))

    assert [*found.rows] == [("summer", 0, 20), ("summer", 1, 21), (None, None, 20)]


def test_period_without_ends_is_the_last_thirty_days() -> None:
    found = Period.around(None, None, NOON)

    assert found == Period(date(2026, 10, 24), date(2026, 11, 22))
    assert (found.length, found.end - found.begin) == (30, 30 * 86_400)
    assert found.begin <= NOON < found.end


def test_period_faults() -> None:
    assert Period(date(2026, 1, 2), date(2026, 1, 1)).fault() is not None
    assert Period.around(date(2026, 1, 1), date(2026, 1, 1), NOON).fault() is None
    longest = Period(date.fromordinal(NOVEMBER.last.toordinal() - MAX_DAYS + 1), NOVEMBER.last)
    assert longest.fault() is None
    assert Period(date.fromordinal(longest.first.toordinal() - 1), NOVEMBER.last).fault() is not None
