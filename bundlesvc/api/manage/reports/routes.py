"""The route table for reports in the management API."""

from aiohttp import web

from bundlesvc.api.endpoint import ID_SCHEMA, Endpoint, Parameter
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.manage.part import Part
from bundlesvc.api.manage.reports import handlers
from bundlesvc.api.manage.reports.app_keys import BUNDLE_REPORTS
from bundlesvc.api.manage.reports.responses import BundleReportSchema
from bundlesvc.domain.access.key import REPORTS
from bundlesvc.domain.reports.bundle_report import DIMENSIONS
from bundlesvc.services.reports.bundle_reports import BundleReports

TAG = "reports"
_DAY = {"type": "string", "format": "date"}

ENDPOINTS = (
    Endpoint(
        "GET",
        "/reports/bundles",
        handlers.report_bundles,
        name="reportBundles",
        summary="Report what sells",
        description="What shoppers configured in a period, and what was ordered, by bundle, day, country, arm of an A/B test, or "
        "tier (the discount that applied). The rows add up to the total.",
        response=BundleReportSchema(),
        parameters=(
            Parameter(
                "from",
                "query",
                "The first day of the period, UTC. Default: 29 days before the last day.",
                "2026-10-25",
                _DAY,
            ),
            Parameter("to", "query", "The last day of the period, UTC. Default: today.", "2026-11-23", _DAY),
            Parameter(
                "by",
                "query",
                "What the rows are grouped by. Default: bundle.",
                "day",
                {"type": "string", "enum": [*DIMENSIONS]},
            ),
            Parameter("bundle", "query", "The id of the bundle to which the report is limited.", 101, ID_SCHEMA),
            Parameter(
                "test",
                "query",
                "Whether to report on test orders, which are otherwise excluded.",
                "false",
                {"type": "string", "enum": ["true", "false"]},
            ),
        ),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    ),
)

PART = Part(TAG, "Reports on what sells. Amounts have all decimal places of their currency.", {REPORTS: ENDPOINTS})


def add_reports(app: web.Application, api: ManagementApi, reports: BundleReports) -> None:
    """Serve reports in the management API."""
    app[BUNDLE_REPORTS] = reports
    api.mount(PART)
