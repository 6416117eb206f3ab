"""Stores configured bundles, with the responses for their idempotency keys (docs/contract.md#idempotency)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Row, Select, insert, select

from bundlesvc.domain.configured import (
    BundleRef,
    ConfiguredBundle,
    ConfiguredItem,
    RecordedIds,
    StoredBundle,
    StoredSelection,
)
from bundlesvc.domain.ghosts.variant import Claim, Ghost, Room
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import PENDING
from bundlesvc.storage.configured.idempotency_keys import (
    StoredResponses,
    find_response,
    inserted_response,
    store_response,
)
from bundlesvc.storage.configured.selections import WITH_SUBSCRIPTION, stored_selection
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.prepared_insert import PreparedInsert
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import configured_bundles, ghost_variants, subscriptions
from bundlesvc.storage.database.transaction import InsertedRow, Insertion, lock_shop
from bundlesvc.storage.ghosts.records import ghost_in_use, newest_numbers, use_ghost
from bundlesvc.storage.ghosts.retirement import make_room, record_removal, revive

_INSERT = PreparedInsert(configured_bundles)

AlsoInserted = Callable[[int, ConfiguredBundle, RecordedIds], Sequence[InsertedRow]]
"""A function with which a capability inserts rows together with a configured bundle, in the same transaction. It takes the shop's
row id, the bundle, and the ids that were assigned, and returns the rows."""


def nothing_else(_: int, __: ConfiguredBundle, ___: RecordedIds) -> Sequence[InsertedRow]:
    """Insert no further rows (the default `AlsoInserted`)."""
    return ()


class SqlConfiguredStore:
    """Implements the `ConfiguredStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._responses = StoredResponses(database)
        self.also_inserted: AlsoInserted = nothing_else

    async def stored_response(self, tenant: Tenant, key: IdempotencyKey, now: int) -> StoredResponse | None:
        return await self._responses.find(tenant.id, key, now)

    async def newest_of_ghost(self, tenant: Tenant, variant_id: int, bundle_id: int) -> StoredBundle | None:
        query = _newest_of_ghost(tenant.id, variant_id).where(configured_bundles.c.bundle_id == bundle_id)
        return await self._database.read(lambda connection: _stored(connection, query))

    async def look_up(self, tenant: Tenant, refs: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        return await self._database.read(lambda connection: _look_up(connection, tenant.id, refs))

    async def unique_id(self, tenant: Tenant, configured_bundle_id: int) -> str | None:
        query = select(configured_bundles.c.unique_id).where(_is(tenant.id, configured_bundle_id))
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def selection(self, tenant: Tenant, configured_bundle_id: int) -> StoredSelection | None:
        query = WITH_SUBSCRIPTION.where(_is(tenant.id, configured_bundle_id))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else stored_selection(row)

    async def expire(self, now: int) -> None:
        """Delete the stored responses that have expired."""
        await self._responses.expire(now)

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        return await self._database.read(lambda connection: ghost_in_use(connection, tenant.id, identity))

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        def work(connection: Connection) -> StoredResponse:
            return _record(connection, tenant.id, configured, cart_variant, key, render, self.also_inserted)

        insertion = None
        if isinstance(cart_variant, int) and configured.subscription is None:
            insertion = partial(_insertion, tenant.id, configured, cart_variant, key, render, self.also_inserted)
        return await write_retrying(self._database, work, insertion)

    async def make_room(self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int) -> Room:
        def work(connection: Connection) -> Room:
            lock_shop(connection, tenant.id)
            return make_room(connection, tenant.id, product_id, limit, unused_since, now)

        return await self._database.write(work)

    async def removed(self, claim: Claim, now: int) -> None:
        await self._database.write(lambda connection: record_removal(connection, claim, now))

    async def revive_ghosts(self, claim: Claim, now: int) -> None:
        await self._database.write(lambda connection: revive(connection, claim, now))


def _insertion(
    shop_id: int,
    configured: ConfiguredBundle,
    variant_id: int,
    key: IdempotencyKey | None,
    render: Callable[[RecordedIds], bytes],
    also_inserted: AlsoInserted,
) -> Insertion[StoredResponse]:
    """Build the insertion that is equivalent to `_record` for a native bundle without a subscription, provided that no response
    is stored under the key."""
    recorded = RecordedIds(variant_id, None)
    body = render(recorded)
    rows: list[InsertedRow] = [(_INSERT, _configured_row(shop_id, configured, variant_id))]
    rows += also_inserted(shop_id, configured, recorded)
    if key is not None:
        rows.append(inserted_response(shop_id, key, configured, body))
    return Insertion(rows, StoredResponse(body))


def _record(
    connection: Connection,
    shop_id: int,
    configured: ConfiguredBundle,
    cart_variant: int | Ghost,
    key: IdempotencyKey | None,
    render: Callable[[RecordedIds], bytes],
    also_inserted: AlsoInserted,
) -> StoredResponse:
    now = configured.configured_at
    if key is not None and (stored := find_response(connection, shop_id, key, now)):
        return stored
    variant_id = cart_variant if isinstance(cart_variant, int) else use_ghost(connection, shop_id, cart_variant, now)
    _INSERT.run(connection, [_configured_row(shop_id, configured, variant_id)])
    recorded = RecordedIds(variant_id, _add_subscription(connection, shop_id, configured))
    body = render(recorded)
    for statement, row in also_inserted(shop_id, configured, recorded):
        statement.run(connection, [row])
    if key is not None:
        store_response(connection, shop_id, key, configured, body)
    return StoredResponse(body)


def _configured_row(shop_id: int, configured: ConfiguredBundle, variant_id: int) -> dict[str, Any]:
    pricing, texts, assigned = configured.pricing, configured.pricing.texts, configured.assignment
    return {
        "id": configured.id,
        "shop_id": shop_id,
        "bundle_id": configured.bundle_id,
        "bundle_type": configured.bundle_type,
        "title": configured.title,
        "product_id": configured.product_id,
        "variant_id": variant_id,
        "country": configured.country,
        "test": configured.test,
        "unique_id": configured.unique_id,
        "original": texts.original,
        "discounted": texts.discounted,
        "discount_type": pricing.discount_type,
        "discount_value": texts.discount_value,
        "currency": pricing.currency,
        "items": orjson.dumps(configured.items, default=str).decode(),
        "visitor_id": configured.visitor_id,
        "experiment_id": assigned.experiment_id if assigned else None,
        "arm": assigned.arm if assigned else None,
        "configured_at": configured.configured_at,
    }


def _add_subscription(connection: Connection, shop_id: int, configured: ConfiguredBundle) -> int | None:
    chosen = configured.subscription
    if chosen is None:
        return None
    row = {
        "shop_id": shop_id,
        "configured_bundle_id": configured.id,
        "group_id": chosen.group_id,
        "frequency": chosen.frequency,
        "unit": chosen.unit,
        "email": chosen.email,
        "status": PENDING,
        "next_date": chosen.next_date.isoformat() if chosen.next_date else None,
        "created_at": configured.configured_at,
    }
    return int(connection.execute(insert(subscriptions).values(row).returning(subscriptions.c.id)).scalar_one())


def _look_up(connection: Connection, shop_id: int, refs: Sequence[BundleRef]) -> list[StoredBundle]:
    """Look up configured bundles with one query for all ids and one for all ghost variants."""
    by_id = _stored_by_id(connection, shop_id, [entry.configured_bundle_id for entry in refs])
    by_variant = _newest_by_variant(
        connection, shop_id, [entry.variant_id for entry in refs if entry.configured_bundle_id is None]
    )
    found = [
        by_variant.get(entry.variant_id)
        if entry.configured_bundle_id is None
        else by_id.get(entry.configured_bundle_id)
        for entry in refs
    ]
    return [stored for stored in found if stored is not None]


def _stored_by_id(connection: Connection, shop_id: int, ids: Sequence[int | None]) -> dict[int | None, StoredBundle]:
    wanted = {id_ for id_ in ids if id_ is not None}
    if not wanted:
        return {}
    made = configured_bundles.c
    rows = connection.execute(select(configured_bundles).where(made.shop_id == shop_id, made.id.in_(wanted)))
    return {row.id: _stored_bundle(row) for row in rows}


def _newest_by_variant(
    connection: Connection, shop_id: int, variant_ids: Sequence[int | None]
) -> dict[int | None, StoredBundle]:
    """Return the newest configured bundle of each ghost variant."""
    wanted = {variant_id for variant_id in variant_ids if variant_id is not None}
    if not wanted:
        return {}
    ghosts = ghost_variants.c
    numbers = newest_numbers((ghosts.shop_id == shop_id) & ghosts.variant_id.in_(wanted))
    rows = connection.execute(select(configured_bundles).where(configured_bundles.c.number.in_(numbers)))
    return {row.variant_id: _stored_bundle(row) for row in rows}


def _is(shop_id: int, configured_bundle_id: int) -> ColumnElement[bool]:
    return (configured_bundles.c.shop_id == shop_id) & (configured_bundles.c.id == configured_bundle_id)


def _newest_of_ghost(shop_id: int, variant_id: int) -> Select[Any]:
    made, ghosts = configured_bundles.c, ghost_variants.c
    is_ghost = select(ghosts.id).where(ghosts.shop_id == shop_id, ghosts.variant_id == variant_id).exists()
    query = select(configured_bundles).where(made.shop_id == shop_id, made.variant_id == variant_id, is_ghost)
    return query.order_by(made.number.desc()).limit(1)


def _stored(connection: Connection, query: Select[Any]) -> StoredBundle | None:
    row = connection.execute(query).first()
    return None if row is None else _stored_bundle(row)


def _stored_bundle(row: Row[Any]) -> StoredBundle:
    return StoredBundle(row.id, row.bundle_id, row.variant_id, from_document(row.items, tuple[ConfiguredItem, ...]))
