"""The sales reports of the management API, from a configured bundle to a refund."""

from datetime import UTC, datetime, timedelta

import pytest

from bundlesvc.api.manage.reports.responses import BundleReportSchema
from bundlesvc.domain.access.key import REPORTS
from bundlesvc.domain.reports.period import FIRST_DAY, MAX_DAYS
from tests.api.conftest import Api, Response
from tests.api.manage.conftest import Json, MakeKey, Manage, order_of
from tests.fakes import START

TODAY = datetime.fromtimestamp(START, UTC).date()


@pytest.fixture
async def reporting(api: Api, make_key: MakeKey) -> Manage:
    """The management API, called with a key for reports."""
    return Manage(api.client, await make_key(scope=REPORTS))


async def bundles(reporting: Manage, query: str = "") -> Response:
    return await reporting.request("GET", f"/reports/bundles{query}", None, BundleReportSchema())


async def test_bundle_that_was_configured_and_bought(manage: Manage, reporting: Manage, configured: Json) -> None:
    placed = f"{TODAY}T12:00:00Z"
    refund = {"line": "b", "quantity": 1, "amount": "7.20"}
    await manage.send(order_of(configured, placedAt=placed, refunds=[refund]))
    plain = order_of(configured, id="1002", placedAt=placed)
    for line in plain["lines"]:
        line["properties"] = {}
    await manage.send(plain)

    found = (await bundles(reporting)).held().json

    assert (found["from"], found["to"]) == (f"{TODAY - timedelta(29)}", f"{TODAY}")
    figures = {
        "configured": 1,
        "ordered": 1,
        "share": "1.0000",
        "sold": 1,
        "units": 3,
        "money": [{"currency": "EUR", "revenue": "43.18", "discount": "4.80", "refunded": "7.20"}],
    }
    assert found["total"] == figures
    [row] = found["rows"]
    assert row == {"bundleId": 20, "bundleName": row["bundleName"], **figures}
    [orders] = found["orders"]
    assert orders["withBundle"] == orders["withoutBundle"] == {"orders": 1, "total": "43.18", "average": "43.18"}


@pytest.mark.parametrize(
    ("by", "key"),
    [
        ("country", {"countryCode": None}),
        ("arm", {"experimentId": None, "arm": None, "bundleId": 20}),
        ("tier", {"discountType": "percentage", "discountValue": "10.00", "bundleId": 20}),
        ("day", {"day": f"{TODAY}"}),
    ],
)
async def test_rows_name_what_they_are_by(reporting: Manage, configured: Json, by: str, key: Json) -> None:
    found = (await bundles(reporting, f"?by={by}")).held().json

    row = found["rows"][-1]
    assert key.items() <= row.items()
    assert row["configured"] == found["total"]["configured"] == 1


async def test_test_orders_are_reported_apart(api: Api, make_key: MakeKey, reporting: Manage, configured: Json) -> None:
    tester = Manage(api.client, await make_key(test=True))
    await tester.send(order_of(configured, placedAt=f"{TODAY}T12:00:00Z"))

    assert (await bundles(reporting)).held().json["total"]["sold"] == 0
    assert (await bundles(reporting, "?test=true")).held().json["total"]["sold"] == 1
    assert (await bundles(reporting, "?test=true&bundle=21")).held().json["total"]["sold"] == 0


async def test_every_fault_of_a_query_is_named(reporting: Manage) -> None:
    response = await bundles(reporting, "?from=2026-11-31&to=today&by=hour&bundle=x&test=1")

    assert response.status == 400
    assert {*response.paths} == {"from", "to", "by", "bundle", "test"}


@pytest.mark.parametrize(
    "query",
    [
        "?from=2026-11-02&to=2026-11-01",
        "?from=0001-01-01&to=2026-11-01",
        "?to=1969-01-01",
        f"?from={TODAY - timedelta(MAX_DAYS)}",
        "?from=20261101",
        "?from=2026-W45-1",
    ],
)
async def test_period_that_no_report_has(reporting: Manage, query: str) -> None:
    response = await bundles(reporting, query)

    assert (response.status, response.code) == (400, "invalid_request")


async def test_first_and_longest_period(reporting: Manage) -> None:
    first = (await bundles(reporting, f"?to={FIRST_DAY}")).held().json
    assert first["rows"] == []
    longest = (await bundles(reporting, f"?by=day&from={TODAY - timedelta(MAX_DAYS - 1)}")).held().json
    assert len(longest["rows"]) == MAX_DAYS


async def test_key_for_orders_reads_no_reports(manage: Manage) -> None:
    response = await bundles(manage)

    assert (response.status, response.code) == (403, "key_scope")
