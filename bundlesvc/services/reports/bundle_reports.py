"""Reports on the sales of bundles, with the names of the bundles (docs/reports.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bundlesvc.domain.reports.bundle_report import KEYS, BundleReport, ReportQuery, report
from bundlesvc.domain.reports.period import Period
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, ShopStore
from bundlesvc.ports.reports import ReportStore


@dataclass(frozen=True, slots=True)
class NamedReport:
    """A report, and the names of its bundles by id. Bundles that the shop no longer has are left out of the names."""

    report: BundleReport
    names: Mapping[int, str]


class BundleReports:
    """Creates reports on the sales of bundles."""

    def __init__(self, store: ReportStore, shops: ShopStore, clock: Clock) -> None:
        self._store = store
        self._shops = shops
        self._clock = clock

    def period(self, first: date | None, last: date | None) -> Period:
        """Return the period from one day to another. When `last` is None, the period ends today."""
        return Period.around(first, last, self._clock.now())

    async def report(self, tenant: Tenant, query: ReportQuery) -> NamedReport:
        """Compute the report that a query requests. Raises what `ReportStore` raises."""
        found = report(query, await self._store.figures(tenant, query))
        return NamedReport(found, await self._names(tenant, found))

    async def _names(self, tenant: Tenant, found: BundleReport) -> Mapping[int, str]:
        fields = KEYS[found.query.by]
        if "bundleId" not in fields:
            return {}
        index = fields.index("bundleId")
        ids = sorted({id_ for key in found.rows if isinstance(id_ := key[index], int)})
        return {bundle.id: bundle.name for bundle in await self._shops.bundles(tenant, ids)}
