"""Stored responses that are looked up at the same time share a query."""

import asyncio
from functools import partial
from typing import Any

from sqlalchemy import Connection, event

from bundlesvc.domain.configured import RecordedIds
from bundlesvc.domain.errors import IdempotencyKeyReused
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.sqlite.file import SqliteDatabase
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import NOW, configured, idempotency_key
from tests.storage.conftest import ON_SQLITE

SCOPES: list[dict[str, Any]] = [{}, {"test": True}, {"method": "PUT"}, {"path": "/other"}]


def keys_of(number: int) -> list[IdempotencyKey]:
    """Return the idempotency key with this number, once in each scope."""
    return [idempotency_key(f"order-{number}", **scope) for scope in SCOPES]


def body_of(key: IdempotencyKey) -> bytes:
    return f"{key}".encode()


def rendered(key: IdempotencyKey, _: RecordedIds) -> bytes:
    return body_of(key)


async def store(configured_store: SqlConfiguredStore, tenant: Tenant, *keys: IdempotencyKey) -> None:
    for number, key in enumerate(keys, start=1):
        await configured_store.record(tenant, configured(number), BOX_VARIANT, key, partial(rendered, key))


async def test_each_of_many_callers_gets_its_own_response(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    stored = [*keys_of(1), *keys_of(2)]
    await store(configured_store, tenant, *stored)
    wanted = [key for number in range(4) for key in keys_of(number)] * 10

    found = await asyncio.gather(*(configured_store.stored_response(tenant, key, NOW) for key in wanted))

    assert found == [StoredResponse(body_of(key), replayed=True) if key in stored else None for key in wanted]


async def test_a_key_with_another_body_fails_for_its_caller_alone(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    first, second = idempotency_key("first"), idempotency_key("second")
    await store(configured_store, tenant, first, second)
    wanted = [first, idempotency_key("second", body="other"), second]

    found = await asyncio.gather(
        *(configured_store.stored_response(tenant, key, NOW) for key in wanted), return_exceptions=True
    )

    assert [found[0], found[2]] == [StoredResponse(body_of(key), replayed=True) for key in (first, second)]
    assert isinstance(found[1], IdempotencyKeyReused)


@ON_SQLITE
async def test_look_ups_share_a_query_that_uses_the_index(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    assert isinstance(database, SqliteDatabase)
    queries: list[tuple[str, Any]] = []
    event.listen(database._reading, "before_cursor_execute", lambda *event: queries.append((event[2], event[3])))

    await asyncio.gather(
        *(configured_store.stored_response(tenant, idempotency_key(f"{number}"), NOW) for number in range(30))
    )

    ((query, values),) = queries

    def plan(connection: Connection) -> list[str]:
        return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values)]

    steps = [step for step in await database.read(plan) if "stored" in step]
    assert len(steps) == 1
    assert steps[0].startswith("SEARCH stored USING INDEX")
