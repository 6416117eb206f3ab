"""Mounts reports on the sales of bundles."""

from bundlesvc.api.manage.reports.routes import add_reports
from bundlesvc.mounting.service import Service
from bundlesvc.services.reports.bundle_reports import BundleReports
from bundlesvc.storage.reports.bundle_figures import SqlReportStore


def mount_reports(service: Service) -> None:
    adapters = service.adapters
    reports = BundleReports(SqlReportStore(adapters.database), adapters.shops, adapters.clock)
    add_reports(service.app, service.manage, reports)
