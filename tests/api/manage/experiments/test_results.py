"""The result of an A/B test, from the page that a visitor sees to the order placed afterwards."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from bundlesvc.api.exposures import LISTENERS
from bundlesvc.api.manage.experiments.responses import ExperimentResultSchema
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import REPORTS
from bundlesvc.domain.assignment import Exposure
from tests.api.conftest import Api, Response
from tests.api.embed.conftest import EMBED
from tests.api.manage.conftest import Json, MakeKey, Manage
from tests.fakes import START

VISITORS = [str(UUID(int=number << 64 | number)) for number in range(12)]
TODAY = datetime.fromtimestamp(START, UTC).date()


@pytest.fixture
async def reporting(api: Api, make_key: MakeKey) -> Manage:
    return Manage(api.client, await make_key(scope=REPORTS))


@pytest.fixture
def exposed(api: Api) -> list[Exposure]:
    """A list that collects the exposures that the service reports to its listeners."""
    found: list[Exposure] = []

    def listen(_: Caller, exposure: Exposure) -> None:
        found.append(exposure)

    api.client.app[LISTENERS].append(listen)
    return found


async def results(reporting: Manage, query: str = "", name: str = "split") -> Response:
    return await reporting.request("GET", f"/experiments/{name}/results{query}", None, ExperimentResultSchema())


async def see(api: Api, visitor: str | None, more: str = "") -> Json:
    named = "" if visitor is None else f"&visitor_id={visitor}"
    return dict((await api.get(f"{EMBED}/bundle?id=40{named}{more}")).held().json)


async def stored(reporting: Manage, visitors: int, query: str = "") -> Any:
    """Wait until the experiment's result counts this number of visitors, and return the result."""
    for _ in range(100):
        found = (await results(reporting, query)).held().json
        if sum(arm["visitors"] for arm in found["arms"]) == visitors:
            return found
        await asyncio.sleep(0.05)
    pytest.fail(f"never had {visitors} visitors: {found}")


def mug(**changes: Any) -> Json:
    """An order for one mug, at 12.00."""
    item = {"id": "a", "variant": "6002", "quantity": 1, "unitPrice": "12.00"}
    return {"id": "1", "version": 1, "placedAt": f"{TODAY}T23:00:00Z", "currency": "EUR", "lines": [item], **changes}


async def test_visitors_and_their_orders_count_for_their_arm(api: Api, manage: Manage, reporting: Manage) -> None:
    arms = [(await see(api, visitor))["experiment"]["arm"] for visitor in VISITORS]
    for visitor in VISITORS:
        await see(api, visitor)
    sent = [
        mug(visitorId=VISITORS[0]),
        mug(id="2"),
        mug(id="3", visitorId=VISITORS[0], placedAt="2020-01-01T00:00:00Z"),
    ]
    for order in sent:
        assert (await manage.send(order)).held().json["result"] == "without_bundle"

    await stored(reporting, len(VISITORS))
    found = (await results(reporting)).held().json  # orders are counted before visitors, who may be stored in between

    assert [arm["visitors"] for arm in found["arms"]] == [arms.count(0), arms.count(1)]
    buyer = arms[0]
    assert found["arms"][buyer]["orders"] == 1
    assert found["arms"][buyer]["revenue"] == [{"currency": "EUR", "total": "12.00"}]
    assert found["arms"][buyer]["revenuePerVisitor"] == pytest.approx(12 / arms.count(buyer), rel=1e-5)
    assert found["arms"][1 - buyer]["orders"] == 0
    assert [each["verdict"] for each in found["comparisons"]] == ["too_few_orders"]
    assert (found["withheld"], found["message"]) == (None, None)


async def test_visitors_with_test_keys_are_apart(api: Api, make_key: MakeKey, reporting: Manage, keys: Any) -> None:
    await see(api.with_key(keys.test), VISITORS[0])

    await stored(reporting, 1, "?test=true")
    assert sum(arm["visitors"] for arm in (await results(reporting)).held().json["arms"]) == 0


async def test_ready_responses_report_the_visitor_again(api: Api, exposed: list[Exposure]) -> None:
    """Cached responses report the visitor's exposure each time, even when the fast path repeats a response without calling a
    handler."""
    for _ in range(4):
        seen = await see(api, VISITORS[0])

    assert (await api.metrics())['bundlesvc_cache_reads_total{kind="response",result="hit",tier="ready"}'] == 3
    assert exposed == [Exposure("split", seen["experiment"]["arm"], VISITORS[0])] * 4


async def test_who_sees_no_arm_is_not_reported(api: Api, exposed: list[Exposure]) -> None:
    await see(api, None)
    await see(api, VISITORS[0], "&ab_bypass=true")
    await api.get(f"{EMBED}/bundle?id=10&visitor_id={VISITORS[0]}")
    await api.request("HEAD", f"{EMBED}/bundle?id=40&visitor_id={VISITORS[0]}")

    assert exposed == []


async def test_bundle_as_html_reports_the_visitor(api: Api, exposed: list[Exposure]) -> None:
    response = await api.get(f"{EMBED}/bundle/html?id=40&visitor_id={VISITORS[0]}")

    assert (response.status, len(exposed)) == (200, 1)


async def test_unknown_test_and_wrong_parameter(reporting: Manage) -> None:
    assert (await results(reporting, name="none")).status == 404
    assert (await results(reporting, "?test=1")).paths == ["test"]


async def test_key_for_orders_reads_no_results(manage: Manage) -> None:
    assert (await results(manage)).code == "key_scope"
