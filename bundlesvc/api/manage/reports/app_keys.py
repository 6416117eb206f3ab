"""The application keys for the services that create the reports of the management API."""

from aiohttp import web

from bundlesvc.services.reports.bundle_reports import BundleReports

BUNDLE_REPORTS = web.AppKey("bundle_reports", BundleReports)
