"""The charts of a report: bars whose lengths are relative to the longest one, and a table with the same figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bundlesvc.cli.reports.labels import amount, label
from bundlesvc.domain.reports.bundle_report import DAY, Figures, Money
from bundlesvc.services.reports.bundle_reports import NamedReport

MOST_BARS = 20
"""The maximum number of bars in a chart, unless the chart is by day. The table below the chart contains every row."""

FULL = 1000
"""The length of the longest bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart, with a second bar inside it for a part of its value. Lengths range from 0 to `FULL`."""

    label: str
    text: str
    length: int
    part: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its table. `columns` are the headings after the column of row names; `whole` and `part` name the bars;
    `longest` is the value of the longest bar. A chart without values above zero has no bars."""

    title: str
    whole: str
    part: str
    longest: str
    bars: Sequence[Bar]
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    total: Sequence[str]
    is_by_day: bool

    @property
    def is_shortened(self) -> bool:
        """Whether the chart has fewer bars than the table has rows."""
        return 0 < len(self.bars) < len(self.rows)


@dataclass(frozen=True, slots=True)
class _Measure:
    """How a chart presents one measure of a row: the lengths of the row's two bars, the text of the bars, and the table cells."""

    title: str
    whole: str
    part: str
    lengths: Callable[[Figures], tuple[int, int]]
    text: Callable[[int], str]
    columns: Sequence[str]
    cells: Callable[[Figures], Sequence[str]]


def charts(named: NamedReport) -> list[Chart]:
    """Build the charts of a report: promises, units, and the revenue in each currency."""
    measures = [_PROMISES, _UNITS, *(_revenue(money.currency) for money in named.report.total.money)]
    return [_chart(named, measure) for measure in measures]


def _chart(named: NamedReport, measure: _Measure) -> Chart:
    report = named.report
    by_day = report.query.by == DAY
    named_rows = [(label(report.query.by, key, named.names), figures) for key, figures in report.rows.items()]
    shown = named_rows if by_day else sorted(named_rows, key=lambda row: -measure.lengths(row[1])[0])[:MOST_BARS]
    longest = max((measure.lengths(figures)[0] for _, figures in shown), default=0)
    return Chart(
        measure.title,
        measure.whole,
        measure.part,
        measure.text(longest),
        [_bar(name, figures, measure, longest) for name, figures in shown] if longest > 0 else [],
        measure.columns,
        [(name, measure.cells(figures)) for name, figures in named_rows],
        measure.cells(report.total),
        by_day,
    )


def _bar(name: str, figures: Figures, measure: _Measure, longest: int) -> Bar:
    whole, part = measure.lengths(figures)
    return Bar(name, measure.text(whole), max(whole, 0) * FULL // longest, max(part, 0) * FULL // longest)


def _share(figures: Figures) -> str:
    return "" if figures.share is None else f"{figures.share * 100:.2f}%"


_PROMISES = _Measure(
    "Promises",
    "configured",
    "ordered",
    lambda figures: (figures.configured, figures.ordered),
    "{:,}".format,
    ("Configured", "Ordered", "Share"),
    lambda figures: (f"{figures.configured:,}", f"{figures.ordered:,}", _share(figures)),
)

_UNITS = _Measure(
    "Units",
    "units",
    "bundles",
    lambda figures: (figures.units, figures.sold),
    "{:,}".format,
    ("Units", "Bundles sold"),
    lambda figures: (f"{figures.units:,}", f"{figures.sold:,}"),
)


def _revenue(currency: str) -> _Measure:
    def money(figures: Figures) -> Money:
        return next((each for each in figures.money if each.currency == currency), Money(currency))

    return _Measure(
        f"Revenue in {currency}",
        "revenue",
        "refunded",
        lambda figures: (money(figures).revenue, money(figures).refunded),
        lambda units: amount(units, currency),
        ("Revenue", "Discount given", "Refunded"),
        lambda figures: [
            amount(units, currency)
            for units in (money(figures).revenue, money(figures).discount, money(figures).refunded)
        ],
    )
