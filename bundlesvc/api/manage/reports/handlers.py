"""The handlers for reports: each parses the request, calls one service and renders the result."""

import re
from datetime import date

from aiohttp import web

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.manage.reports.app_keys import BUNDLE_REPORTS
from bundlesvc.api.manage.reports.rendering import bundle_report_body
from bundlesvc.api.manage.responses import json_response
from bundlesvc.api.requests.parsing import NO_ID, QueryReader
from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.reports.bundle_report import BUNDLE, DIMENSIONS, ReportQuery
from bundlesvc.domain.reports.period import FIRST_DAY

DAY_FAULT = 'Must be a date, such as "2026-11-23".'
FLAG_FAULT = "Must be true or false."

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)


async def report_bundles(request: web.Request) -> web.Response:
    reports = request.app[BUNDLE_REPORTS]
    query = QueryReader(request)
    first, last = query.take("from", _day, DAY_FAULT), query.take("to", _day, DAY_FAULT)
    by = query.take("by", _dimension, f"Must be one of {', '.join(DIMENSIONS)}.") or BUNDLE
    bundle_id = query.take("bundle", parse_id, NO_ID)
    test = query.take("test", {"true": True, "false": False}.get, FLAG_FAULT) or False
    period = reports.period(first, last)
    if (fault := period.fault()) is not None:
        query.faults.append(Fault("from", "invalid", fault))
    if query.faults:
        raise InvalidRequest(query.faults)
    found = await reports.report(request[CALLER].tenant, ReportQuery(period, by, test, bundle_id))
    return json_response(bundle_report_body(found))


def _day(text: str) -> date | None:
    """Parse a day. Returns None when it is malformed or earlier than the first day that reports can cover."""
    try:
        day = date.fromisoformat(text) if _DAY.match(text) else None
    except ValueError:
        return None
    return day if day is not None and day >= FIRST_DAY else None


def _dimension(text: str) -> str | None:
    return text if text in DIMENSIONS else None
