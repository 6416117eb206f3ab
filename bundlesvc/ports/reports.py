"""The port that supplies the figures for reports."""

from typing import Protocol

from bundlesvc.domain.reports.bundle_report import ReportQuery, StoredFigures
from bundlesvc.domain.shop import Tenant


class ReportStore(Protocol):
    """Aggregates the stored configured bundles and orders. Raises StorageUnavailable."""

    async def figures(self, tenant: Tenant, query: ReportQuery) -> StoredFigures:
        """Compute the figures of a report for the days that the query selects."""
