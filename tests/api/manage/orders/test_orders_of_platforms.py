"""Orders that are read from a platform are stored when they contain something new."""

from typing import Any

import pytest

from bundlesvc.api.manage.orders.app_keys import INTAKE, ORDERS
from bundlesvc.api.manage.orders.requests import OrderSchema
from bundlesvc.api.manage.orders.sent_order import sent_order
from bundlesvc.domain.orders.judged import OUTDATED, STORED, UNCHANGED
from bundlesvc.domain.orders.verdict import PROMISE_UNKNOWN
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api
from tests.api.manage.conftest import Json, Manage, order_of


@pytest.fixture
async def tenant(api: Api, database: Database) -> Tenant:
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    return tenant


async def read(api: Api, tenant: Tenant, configured: Json, **changes: Any) -> str:
    """Store an order as if it had been read from the platform, and return the result."""
    order = sent_order(OrderSchema().load(order_of(configured, **changes))).order
    return (await api.client.app[INTAKE].take_read(tenant, order)).result


async def test_same_content_is_stored_once(api: Api, manage: Manage, tenant: Tenant, configured: Json) -> None:
    results = [await read(api, tenant, configured, version=version) for version in (5, 5, 6, 4)]
    assert results == [STORED, UNCHANGED, UNCHANGED, UNCHANGED]
    assert (await manage.read("1001")).held().json["version"] == 5
    metrics = await api.metrics()
    assert metrics['bundlesvc_order_verdicts_total{verdict="equal"}'] == 1
    assert metrics['bundlesvc_orders_total{result="unchanged"}'] == 3


async def test_refund_is_new_content(api: Api, manage: Manage, tenant: Tenant, configured: Json) -> None:
    assert await read(api, tenant, configured) == STORED
    refunds = [{"line": "b", "quantity": 1, "amount": "7.20"}]
    assert await read(api, tenant, configured, version=2, refunds=refunds) == STORED
    order = (await manage.read("1001")).held().json
    assert order["refunds"][0]["amount"] == "7.20"
    assert [bundle["verdict"] for bundle in order["bundles"]] == ["equal"]


async def test_older_and_other_content_is_outdated(api: Api, tenant: Tenant, configured: Json) -> None:
    assert await read(api, tenant, configured, version=2) == STORED
    assert await read(api, tenant, configured, version=1, cancelled=True) == OUTDATED


async def test_bundle_of_another_shop_is_a_promise_that_is_not_known(
    api: Api, database: Database, configured: Json
) -> None:
    """The promise of a bundle from another shop counts as unknown, but the order is still stored, because a shopper may have
    written the id into the cart line."""
    other = await SqlKeyStore(database).tenant("other")
    assert other is not None
    assert await read(api, other, configured) == STORED
    found = await api.client.app[ORDERS].find(other, "1001")
    assert [verdict.outcome for verdict in found.verdicts] == [PROMISE_UNKNOWN]
