"""The stand-in as a server: tokens, versions, scopes, counters, recorded requests, and faults."""

import asyncio
import logging
from typing import Any

import pytest
from aiohttp import ClientError, ClientPayloadError, ClientSession, ServerDisconnectedError

from tests.standin import faults
from tests.standin.calling import Caller
from tests.standin.data.generated import product
from tests.standin.faults import Fault
from tests.standin.operations.execution import UnknownToStandIn
from tests.standin.server import TOKEN, Standin

SHOP = "query ShopName { shop { name } }"
NAME = {"shop": {"name": "Stand-in"}}
INVENTORY = """query Inventory($id: ID!) {
  shop { name }
  product(id: $id) { variants(first: 1) { nodes { inventoryItem { id } } } }
}"""
PRODUCT = "gid://shopify/Product/1"
CREATE = """mutation Create($variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkCreate(
    productId: "gid://shopify/Product/1", variants: $variants, strategy: PRESERVE_STANDALONE_VARIANT
  ) { userErrors { message } }
}"""
GHOST = {"price": "1", "optionValues": [{"optionName": "Title", "name": "ghost"}]}


async def test_unknown_token(call: Caller) -> None:
    reply = await call.using(token="stolen")(SHOP)
    assert reply.status == 401
    assert reply.json == {"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)"}


async def test_revoked_token(call: Caller, standin: Standin) -> None:
    assert (await call(SHOP)).data == NAME
    standin.tokens.clear()
    assert (await call(SHOP)).status == 401


@pytest.mark.parametrize(
    ("requested", "responding"),
    [("2026-07", "2026-07"), ("2025-10", "2025-10"), ("2025-01", "2025-10"), ("2019-04", "2025-10")],
)
async def test_expired_version_falls_forward(call: Caller, requested: str, responding: str) -> None:
    reply = await call.using(version=requested)(SHOP)
    assert (reply.data, reply.headers["X-Shopify-API-Version"]) == (NAME, responding)
    assert reply.headers["X-Request-Id"]


@pytest.mark.parametrize("version", ["2031-01", "2025-02", "latest"])
async def test_unknown_version(call: Caller, version: str) -> None:
    reply = await call.using(version=version)(SHOP)
    assert (reply.status, reply.json) == (404, {"errors": "Not Found"})


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"variables": {}}', b'{"query": 7}'])
async def test_body_without_a_document(call: Caller, body: bytes) -> None:
    reply = await call.post(body)
    assert (reply.status, reply.json) == (400, {"errors": {"query": "Required parameter missing or invalid"}})


async def test_missing_scope_makes_the_field_null(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1))
    standin.missing_scopes.add("read_inventory")
    reply = await call(INVENTORY, id=PRODUCT)
    assert reply.status == 200
    assert reply.json["data"] == NAME | {"product": None}
    assert reply.error["message"] == (
        "Access denied for inventoryItem field. Required access: `read_inventory` access scope."
    )
    assert reply.error["path"] == ["product", "variants", "nodes", 0, "inventoryItem"]
    assert (reply.codes, reply.error["extensions"]["requiredAccess"]) == (
        ["ACCESS_DENIED"],
        "`read_inventory` access scope.",
    )
    standin.missing_scopes.clear()
    assert (await call(INVENTORY, id=PRODUCT)).data["product"]


async def test_missing_scope_refuses_a_mutation(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1))
    standin.missing_scopes.add("write_products")
    reply = await call(CREATE, variants=[GHOST])
    assert (reply.json["data"], reply.codes) == ({"productVariantsBulkCreate": None}, ["ACCESS_DENIED"])
    assert len(standin.shop.products[1].variants) == 1


async def test_requests_are_counted_and_recorded(
    call: Caller, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await call(SHOP)
    await call(INVENTORY, id=PRODUCT)
    await call.using(token="stolen")(SHOP)
    assert standin.calls == {"ShopName": 2, "Inventory": 1}
    assert [request.operation for request in standin.requests] == ["ShopName", "Inventory", "ShopName"]
    assert (standin.requests[1].document, standin.requests[1].variables) == (INVENTORY, {"id": PRODUCT})
    for secret in (TOKEN, "stolen"):
        assert secret not in caplog.text
        assert secret not in repr(standin.requests)


async def test_arrivals_can_be_awaited(call: Caller, standin: Standin) -> None:
    waiting = asyncio.create_task(standin.arrived(2, "ShopName"))
    await call(SHOP)
    await call(INVENTORY, id=PRODUCT)
    assert not waiting.done()
    await call(SHOP)
    await asyncio.wait_for(waiting, 5)


@pytest.mark.parametrize(
    ("fault", "status", "body"),
    [
        (faults.Answered(503, {"errors": "later"}, {"Retry-After": "2"}), 503, {"errors": "later"}),
        (faults.refused(402), 402, {"errors": "Unavailable Shop"}),
        (faults.refused(423), 423, {"errors": "Locked"}),
        (
            faults.graphql_errors({"message": "no"}, data={"shop": None}),
            200,
            {"errors": [{"message": "no"}], "data": {"shop": None}},
        ),
    ],
)
async def test_fault_replaces_one_response(
    call: Caller, standin: Standin, fault: Fault, status: int, body: object
) -> None:
    standin.fail_next(fault)
    reply = await call(SHOP)
    assert (reply.status, reply.json) == (status, body)
    assert (await call(SHOP)).data == NAME


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (faults.internal_failure(), 200, "INTERNAL_SERVER_ERROR"),
        (faults.out_of_points(), 200, "THROTTLED"),
        (faults.out_of_points(429), 429, "THROTTLED"),
        (faults.daily_limit_reached(), 200, "VARIANT_THROTTLE_EXCEEDED"),
    ],
)
async def test_errors_on_demand(call: Caller, standin: Standin, fault: Fault, status: int, code: str) -> None:
    standin.fail_next(fault)
    reply = await call(SHOP)
    assert (reply.status, reply.codes) == (status, [code])


async def test_failing_edge_responds_with_html(standin: Standin) -> None:
    standin.fail_next(faults.server_error(502))
    async with ClientSession() as session, session.post(f"{standin.url}/admin/api/2026-07/graphql.json") as response:
        assert (response.status, response.content_type) == (502, "text/html")


async def test_faults_for_one_operation_several_times(call: Caller, standin: Standin) -> None:
    standin.fail_next(faults.refused(403), operation="Inventory", times=2)
    statuses = [(await call(document, id=PRODUCT)).status for document in (INVENTORY, SHOP, INVENTORY, INVENTORY)]
    assert statuses == [403, 200, 403, 200]


async def test_faults_until_healed(call: Caller, standin: Standin) -> None:
    standin.fail_next(faults.refused(404), times=None)
    assert [(await call(SHOP)).status for _ in range(3)] == [404] * 3
    standin.heal()
    assert (await call(SHOP)).data == NAME


@pytest.mark.parametrize(
    ("fault", "error", "variants"),
    [
        (faults.CutBefore(), ServerDisconnectedError, 1),
        (faults.CutAfter(), ServerDisconnectedError, 2),
        (faults.HalfBody(), ClientPayloadError, 2),
    ],
)
async def test_broken_connection(
    call: Caller, standin: Standin, fault: Fault, error: type[ClientError], variants: int
) -> None:
    """Whether the request is executed depends on when the connection breaks."""
    standin.shop.add(product(1))
    standin.fail_next(fault)
    with pytest.raises(error):
        await call(CREATE, variants=[GHOST])
    assert len(standin.shop.products[1].variants) == variants
    assert (await call(SHOP)).data == NAME


async def test_response_hangs_until_released(call: Caller, standin: Standin) -> None:
    standin.shop.add(product(1))
    held = faults.Held()
    standin.fail_next(held)
    hanging = asyncio.create_task(call(CREATE, variants=[GHOST]))
    await standin.arrived()
    assert (await call(SHOP)).data == NAME
    assert not hanging.done()
    assert len(standin.shop.products[1].variants) == 1
    held.release()
    assert (await hanging).data["productVariantsBulkCreate"]["userErrors"] == []


async def test_heal_releases_hanging_responses(call: Caller, standin: Standin) -> None:
    standin.fail_next(faults.Held(then=faults.refused(423)))
    hanging = asyncio.create_task(call(SHOP))
    await standin.arrived()
    standin.heal()
    assert (await hanging).status == 423


async def test_delayed_response(call: Caller, standin: Standin) -> None:
    loop = asyncio.get_running_loop()
    standin.fail_next(faults.Delayed(0.05))
    standin.fail_next(faults.Delayed(0, then=faults.refused(402)))
    start = loop.time()
    assert (await call(SHOP)).data == NAME
    assert loop.time() - start >= 0.05
    assert (await call(SHOP)).status == 402


async def test_stand_in_can_stop_and_start_again() -> None:
    standin = Standin()
    async with standin.serve(), ClientSession() as session:
        port = int(standin.url.rpartition(":")[2])
        assert (await Caller(session, standin)(SHOP)).data == NAME
    async with standin.serve(port), ClientSession() as session:
        assert (await Caller(session, standin)(SHOP)).data == NAME
    assert standin.calls == {"ShopName": 2}


async def test_unknown_field_fails_the_test() -> None:
    standin = Standin()

    async def send(document: str) -> Any:
        async with standin.serve(), ClientSession() as session:
            assert (await Caller(session, standin)(document)).status == 500

    with pytest.raises(ExceptionGroup) as raised:
        await send("{ shop { contactEmail } }")
    (fault,) = raised.value.exceptions
    assert isinstance(fault, UnknownToStandIn)
    assert str(fault) == "Shop.contactEmail"
