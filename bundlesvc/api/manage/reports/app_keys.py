"""The application keys of the services for reports in the management API."""

from aiohttp import web

from bundlesvc.services.reports.bundle_reports import BundleReports

BUNDLE_REPORTS = web.AppKey("bundle_reports", BundleReports)
