"""Buckets of query-cost points: how points are used, returned and refilled, and the response when a bucket is empty."""

import pytest

from tests.fakes import FakeClock
from tests.standin.calling import Caller
from tests.standin.data.generated import product
from tests.standin.server import TOKEN, Standin

PAGE = """query Page($id: ID!, $first: Int!) {
  product(id: $id) { variants(first: $first) { nodes { id inventoryItem { id } } } }
}"""
FULL = {"id": "gid://shopify/Product/1", "first": 100}
COST = 1 + 2 + 9 * 2
COSTLY = """query Costly($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Product { variants(first: 250) { nodes { sellingPlanGroups(first: 250) {
    nodes { sellingPlans(first: 250) { nodes { pricingPolicies { __typename } } } } } } } } }
}"""


@pytest.fixture(autouse=True)
def full_product(standin: Standin) -> None:
    standin.shop.add(product(1, variants=100))


async def test_every_response_has_its_cost_and_the_points_left(call: Caller) -> None:
    cost = (await call(PAGE, **FULL)).cost
    assert cost == {
        "requestedQueryCost": COST,
        "actualQueryCost": COST,
        "throttleStatus": {"maximumAvailable": 2000.0, "currentlyAvailable": 2000 - COST, "restoreRate": 100.0},
    }


async def test_points_for_missing_data_are_given_back(call: Caller) -> None:
    cost = (await call(PAGE, id="gid://shopify/Product/2", first=100)).cost
    assert (cost["requestedQueryCost"], cost["actualQueryCost"]) == (COST, 0)
    assert cost["throttleStatus"]["currentlyAvailable"] == 2000


async def test_empty_bucket_throttles_until_it_is_refilled(call: Caller, clock: FakeClock) -> None:
    for _ in range(2000 // COST):
        assert (await call(PAGE, **FULL)).data
    reply = await call(PAGE, **FULL)
    assert (reply.status, reply.codes, reply.error["message"]) == (200, ["THROTTLED"], "Throttled")
    assert "data" not in reply.json
    assert reply.cost["actualQueryCost"] is None
    left = 2000 % COST
    assert reply.cost["throttleStatus"]["currentlyAvailable"] == left

    wait = (COST - left) / 100
    clock.move(wait - 0.01)
    assert (await call(PAGE, **FULL)).codes == ["THROTTLED"]
    clock.move(0.02)
    assert (await call(PAGE, **FULL)).data


async def test_bucket_never_exceeds_its_size(call: Caller, clock: FakeClock) -> None:
    clock.move(3600)
    assert (await call(PAGE, **FULL)).cost["throttleStatus"]["currentlyAvailable"] == 2000 - COST


async def test_each_token_has_its_own_bucket(call: Caller, standin: Standin) -> None:
    standin.tokens.add("another")
    standin.bucket(TOKEN).drain()
    assert (await call(PAGE, **FULL)).codes == ["THROTTLED"]
    assert (await call.using(token="another")(PAGE, **FULL)).data


async def test_status_of_a_throttled_response_can_be_set(call: Caller, standin: Standin) -> None:
    standin.throttled_status = 429
    standin.bucket().drain()
    reply = await call(PAGE, **FULL)
    assert (reply.status, reply.codes) == (429, ["THROTTLED"])


async def test_too_costly_query_is_not_executed(call: Caller, standin: Standin) -> None:
    reply = await call(COSTLY, ids=[FULL["id"]])
    assert reply.codes == ["MAX_COST_EXCEEDED"]
    assert reply.error["extensions"]["maxCost"] == 1000 < reply.error["extensions"]["cost"]
    assert standin.bucket().available == 2000


async def test_bucket_size_and_restore_rate_can_be_set(call: Caller, standin: Standin) -> None:
    standin.bucket_size, standin.restore_rate = 20_000, 1000
    status = (await call(PAGE, **FULL)).cost["throttleStatus"]
    assert (status["maximumAvailable"], status["restoreRate"]) == (20_000, 1000)
