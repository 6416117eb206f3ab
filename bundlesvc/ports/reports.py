"""The port of the figures that reports show."""

from typing import Protocol

from bundlesvc.domain.reports.bundle_report import ReportQuery, StoredFigures
from bundlesvc.domain.shop import Tenant


class ReportStore(Protocol):
    """Adds up what is stored about configured bundles and orders. Raises StorageUnavailable."""

    async def figures(self, tenant: Tenant, query: ReportQuery) -> StoredFigures:
        """The figures of the days of a query."""
