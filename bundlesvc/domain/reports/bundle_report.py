"""The sales of bundles, in total or by day, country, arm or tier (docs/reports.md).

Every figure is a sum of whole numbers, so the rows add up to the total. Amounts are in minor units of their currency.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from bundlesvc.domain.money import from_presentment_units, presentment_units
from bundlesvc.domain.reports.period import Period

BUNDLE, DAY, COUNTRY, ARM, TIER = "bundle", "day", "country", "arm", "tier"

DIMENSIONS = (BUNDLE, DAY, COUNTRY, ARM, TIER)
"""What the rows of a report can be grouped by."""

KEYS: Mapping[str, tuple[str, ...]] = {
    BUNDLE: ("bundleId",),
    DAY: ("day",),
    COUNTRY: ("countryCode",),
    ARM: ("experimentId", "arm", "bundleId"),
    TIER: ("bundleId", "discountType", "discountValue"),
}
"""The fields that identify a row, by dimension. The key of a row contains the values of these fields, in this order."""

_SHARE = Decimal("0.0001")

Key = tuple[str | int | None, ...]
"""The values of the fields that identify a row; None for unknown values."""


@dataclass(frozen=True, slots=True)
class ReportQuery:
    """The parameters of a report: its period, the property by which its rows are grouped, whether it covers test orders (which
    are otherwise excluded), and the bundle to which it is limited, if any."""

    period: Period
    by: str = BUNDLE
    test: bool = False
    bundle_id: int | None = None


@dataclass(frozen=True, slots=True)
class Money:
    """The totals of sales in one currency."""

    currency: str
    revenue: int = 0
    discount: int = 0
    refunded: int = 0

    def __add__(self, other: "Money") -> "Money":
        return Money(
            self.currency,
            self.revenue + other.revenue,
            self.discount + other.discount,
            self.refunded + other.refunded,
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a row. `configured` is the number of promises made in the period, and `ordered` is the number of these
    promises whose bundles were bought, at any time. `sold` is the number of bundles in orders placed in the period, `units` is
    the number of their units, and `money` contains the amounts for each currency."""

    configured: int = 0
    ordered: int = 0
    sold: int = 0
    units: int = 0
    money: tuple[Money, ...] = ()

    @property
    def share(self) -> Decimal | None:
        """The share of promises that became orders, with four decimal places; None when there are no promises."""
        return (Decimal(self.ordered) / self.configured).quantize(_SHARE) if self.configured else None

    def __add__(self, other: "Figures") -> "Figures":
        sums: dict[str, Money] = {}
        for money in (*self.money, *other.money):
            sums[money.currency] = sums.get(money.currency, Money(money.currency)) + money
        return Figures(
            self.configured + other.configured,
            self.ordered + other.ordered,
            self.sold + other.sold,
            self.units + other.units,
            tuple(sums[currency] for currency in sorted(sums)),
        )


@dataclass(frozen=True, slots=True)
class OrderTotals:
    """The orders of a period in one currency, with or without a bundle: their number, and the total charged for them."""

    currency: str
    with_bundle: bool
    orders: int
    total: int

    @property
    def average(self) -> int:
        """The average charge per order, rounded to the nearest minor unit."""
        return presentment_units(from_presentment_units(self.total, self.currency) / self.orders, self.currency)


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """The figures computed from stored rows: the numbers of configured and of ordered bundles by key, and the sales figures.
    Several entries of `sales` may have the same key."""

    configured: Mapping[Key, int]
    ordered: Mapping[Key, int]
    sales: Sequence[tuple[Key, Figures]]
    totals: Sequence[OrderTotals] = ()


@dataclass(frozen=True, slots=True)
class BundleReport:
    """A report: its rows by key, which add up to `total`, and the order totals of the period."""

    query: ReportQuery
    rows: Mapping[Key, Figures]
    totals: Sequence[OrderTotals]
    total: Figures = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum_of(self.rows.values()))


def sum_of(figures: Iterable[Figures]) -> Figures:
    """Return the sum of the figures of several rows."""
    total = Figures()
    for each in figures:
        total += each
    return total


def report(query: ReportQuery, stored: StoredFigures) -> BundleReport:
    """Build the report for a query. A report by day has a row for each day of the period; any other report lists the best sellers
    first."""
    parts: dict[Key, list[Figures]] = defaultdict(list)
    if query.by == DAY:
        parts.update({(day.isoformat(),): [] for day in query.period.days()})
    for key in stored.configured.keys() | stored.ordered.keys():
        parts[key].append(Figures(stored.configured.get(key, 0), stored.ordered.get(key, 0)))
    for key, figures in stored.sales:
        parts[key].append(figures)
    rows = {key: sum_of(figures) for key, figures in parts.items()}
    order = _by_key if query.by == DAY else _by_success
    return BundleReport(query, dict(sorted(rows.items(), key=order)), stored.totals)


def _by_key(row: tuple[Key, Figures]) -> tuple[str, ...]:
    return tuple("" if value is None else f"{value:>20}" for value in row[0])


def _by_success(row: tuple[Key, Figures]) -> tuple[int, int, tuple[str, ...]]:
    return -row[1].sold, -row[1].configured, _by_key(row)
