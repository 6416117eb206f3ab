"""Configured bundles, their ghost variants, and the answers kept for idempotency keys (design 9)."""

from collections.abc import Callable, Sequence
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, update

from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.errors import IdempotencyKeyReused, StorageUnavailable
from bundlesvc.domain.money import amount_text
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import PENDING
from bundlesvc.ports import Answer, Asked, Ghost, GhostRetired, KeptKey, Recorded, StoredBundle
from bundlesvc.storage.database import Database
from bundlesvc.storage.documents import from_document
from bundlesvc.storage.tables import configured_bundles, ghost_variants, idempotency_keys, subscriptions
from bundlesvc.storage.turns import take_turns
from bundlesvc.storage.work import Conflict

KEPT_SECONDS = 24 * 60 * 60
"""How long an idempotency key answers again what it answered first."""

RETIRING_SECONDS = 10 * 60
"""For so long a retired ghost may be about to leave the platform. One that is still found there later never will: whoever
retired it was broken off before the platform heard of it."""

MAX_TRIES = 3
"""How often a transaction that lost a race against another process is done again."""


class SqlConfiguredStore:
    """The port `ConfiguredStore` over the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def kept_answer(self, tenant: Tenant, key: KeptKey, now: int) -> Answer | None:
        return await self._database.read(lambda connection: _kept_answer(connection, tenant.id, key, now))

    async def newest_of_ghost(self, tenant: Tenant, variant_id: int, bundle_id: int) -> StoredBundle | None:
        query = _newest_of_ghost(tenant.id, variant_id).where(configured_bundles.c.bundle_id == bundle_id)
        return await self._database.read(lambda connection: _stored(connection, query))

    async def look_up(self, tenant: Tenant, asked: Sequence[Asked]) -> Sequence[StoredBundle]:
        def query(connection: Connection) -> list[StoredBundle]:
            found = (_stored(connection, _asked_for(tenant.id, entry)) for entry in asked)
            return [stored for stored in found if stored is not None]

        return await self._database.read(query)

    async def expire(self, now: int) -> None:
        """Forget the answers that are kept no longer."""
        old = delete(idempotency_keys).where(_too_old(now))
        await self._database.write(lambda connection: connection.execute(old).rowcount)

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        return await self._database.read(lambda connection: _ghost_in_use(connection, tenant.id, identity))

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: KeptKey | None,
        render: Callable[[Recorded], bytes],
    ) -> Answer:
        def work(connection: Connection) -> Answer:
            return _record(connection, tenant.id, configured, cart_variant, key, render)

        for _ in range(MAX_TRIES):
            try:
                return await self._database.write(work)
            except Conflict:
                continue
        raise StorageUnavailable

    async def retire_ghosts(
        self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int
    ) -> Sequence[Ghost]:
        def work(connection: Connection) -> list[Ghost]:
            take_turns(connection, tenant.id)
            old = _ghosts_to_retire(connection, tenant.id, product_id, limit, unused_since)
            retired = _retire(connection, [row.id for row in old], unused_since, now)
            return [_ghost(row) for row in old if row.id in retired]

        return await self._database.write(work)

    async def revive_ghosts(self, tenant: Tenant, ghosts: Sequence[Ghost]) -> None:
        def work(connection: Connection) -> None:
            take_turns(connection, tenant.id)
            for ghost in ghosts:
                _revive(connection, tenant.id, ghost)

        await self._database.write(work)


def _record(
    connection: Connection,
    shop_id: int,
    configured: ConfiguredBundle,
    cart_variant: int | Ghost,
    key: KeptKey | None,
    render: Callable[[Recorded], bytes],
) -> Answer:
    now = configured.configured_at
    if key is not None and (kept := _kept_answer(connection, shop_id, key, now)):
        return kept
    variant_id = cart_variant if isinstance(cart_variant, int) else _use_ghost(connection, shop_id, cart_variant, now)
    connection.execute(insert(configured_bundles), _configured_row(shop_id, configured, variant_id))
    body = render(Recorded(variant_id, _add_subscription(connection, shop_id, configured)))
    if key is not None:
        _keep_answer(connection, shop_id, key, configured, body)
    return Answer(body)


def _configured_row(shop_id: int, configured: ConfiguredBundle, variant_id: int) -> dict[str, Any]:
    pricing, assigned = configured.pricing, configured.assignment
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
        "original": amount_text(pricing.original),
        "discounted": amount_text(pricing.discounted),
        "discount_type": pricing.discount_type,
        "discount_value": amount_text(pricing.discount_value),
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


def _key_row(shop_id: int, key: KeptKey) -> dict[str, Any]:
    return {"shop_id": shop_id, "test": key.test, "method": key.method, "path": key.path, "key": key.key}


def _too_old(now: int) -> ColumnElement[bool]:
    return idempotency_keys.c.created_at <= now - KEPT_SECONDS


def _kept_answer(connection: Connection, shop_id: int, key: KeptKey, now: int) -> Answer | None:
    query = select(idempotency_keys.c.body_digest, idempotency_keys.c.answer)
    query = query.filter_by(**_key_row(shop_id, key)).where(~_too_old(now))
    row = connection.execute(query).first()
    if row is None:
        return None
    if row.body_digest != key.body_digest:
        raise IdempotencyKeyReused
    return Answer(row.answer, replayed=True)


def _keep_answer(connection: Connection, shop_id: int, key: KeptKey, configured: ConfiguredBundle, body: bytes) -> None:
    row = _key_row(shop_id, key)
    connection.execute(delete(idempotency_keys).filter_by(**row).where(_too_old(configured.configured_at)))
    values = {
        **row,
        "body_digest": key.body_digest,
        "answer": body,
        "configured_bundle_id": configured.id,
        "created_at": configured.configured_at,
    }
    connection.execute(insert(idempotency_keys), values)


def _ghost_in_use(connection: Connection, shop_id: int, identity: str) -> Ghost | None:
    row = _row_in_use(connection, shop_id, identity)
    return None if row is None else _ghost(row)


def _row_in_use(connection: Connection, shop_id: int, identity: str) -> Row[Any] | None:
    ghosts = ghost_variants.c
    query = select(ghost_variants).where(
        ghosts.shop_id == shop_id, ghosts.identity == identity, ghosts.retired_at.is_(None)
    )
    return connection.execute(query).first()


def _use_ghost(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> int:
    """The variant to put into the cart: of two that made the same ghost at once, both use the first one's; one that the
    platform has no more gives way to the one that it has."""
    there = _row_in_use(connection, shop_id, ghost.identity)
    if there is not None and there.variant_id != ghost.variant_id and there.confirmed_at < ghost.confirmed_at:
        _change_in_use(connection, there.id, retired_at=now)
        there = None
    if there is None:
        _take_into_use(connection, shop_id, ghost, now)
        return ghost.variant_id
    if there.last_used_at < now:  # once a second: of many that use it at once, none waits for the others
        confirmed_at = max(there.confirmed_at, ghost.confirmed_at)
        _change_in_use(connection, there.id, last_used_at=now, confirmed_at=confirmed_at)
    return int(there.variant_id)


def _change_in_use(connection: Connection, ghost_id: int, **values: int) -> None:
    """Raises GhostRetired when it was retired a moment ago."""
    in_use = (ghost_variants.c.id == ghost_id) & ghost_variants.c.retired_at.is_(None)
    if connection.execute(update(ghost_variants).where(in_use).values(values)).rowcount == 0:
        raise GhostRetired


def _take_into_use(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> None:
    """Add a ghost, or put one to use again that was retired long ago and never left the platform. Raises GhostRetired when it
    may be about to leave it."""
    ghosts = ghost_variants.c
    retired = (ghosts.shop_id == shop_id) & (ghosts.variant_id == ghost.variant_id) & ghosts.retired_at.is_not(None)
    stayed = retired & (ghosts.retired_at <= now - RETIRING_SECONDS)
    if connection.execute(update(ghost_variants).where(stayed).values(retired_at=None, last_used_at=now)).rowcount:
        return
    if connection.execute(select(ghosts.id).where(retired)).first() is not None:
        raise GhostRetired
    row = {
        "shop_id": shop_id,
        "identity": ghost.identity,
        "product_id": ghost.product_id,
        "variant_id": ghost.variant_id,
        "last_used_at": now,
        "confirmed_at": ghost.confirmed_at,
    }
    connection.execute(insert(ghost_variants), row)


def _revive(connection: Connection, shop_id: int, ghost: Ghost) -> None:
    if _ghost_in_use(connection, shop_id, ghost.identity) is None:
        mine = (ghost_variants.c.shop_id == shop_id) & (ghost_variants.c.variant_id == ghost.variant_id)
        connection.execute(update(ghost_variants).where(mine).values(retired_at=None))


def _ghosts_to_retire(
    connection: Connection, shop_id: int, product_id: int, limit: int, unused_since: int
) -> Sequence[Row[Any]]:
    ghosts = ghost_variants.c
    in_use = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id) & ghosts.retired_at.is_(None)
    count = connection.execute(select(func.count()).where(in_use)).scalar_one()
    if count < limit:
        return []
    oldest = select(ghost_variants).where(in_use, ghosts.last_used_at < unused_since).order_by(ghosts.last_used_at)
    return connection.execute(oldest.limit(count - limit + limit // 10)).all()


def _retire(connection: Connection, ghost_ids: Sequence[int], unused_since: int, now: int) -> set[int]:
    """The ids of those that are retired: one that was used since it was looked at stays."""
    ghosts = ghost_variants.c
    unused = ghosts.id.in_(ghost_ids) & (ghosts.last_used_at < unused_since)
    retired = update(ghost_variants).where(unused).values(retired_at=now).returning(ghosts.id)
    return set(connection.execute(retired).scalars())


def _asked_for(shop_id: int, entry: Asked) -> Select[Any]:
    if entry.configured_bundle_id is None:
        return _newest_of_ghost(shop_id, entry.variant_id or 0)
    mine = configured_bundles.c.shop_id == shop_id
    return select(configured_bundles).where(mine, configured_bundles.c.id == entry.configured_bundle_id)


def _newest_of_ghost(shop_id: int, variant_id: int) -> Select[Any]:
    made, ghosts = configured_bundles.c, ghost_variants.c
    is_ghost = select(ghosts.id).where(ghosts.shop_id == shop_id, ghosts.variant_id == variant_id).exists()
    query = select(configured_bundles).where(made.shop_id == shop_id, made.variant_id == variant_id, is_ghost)
    return query.order_by(made.number.desc()).limit(1)


def _stored(connection: Connection, query: Select[Any]) -> StoredBundle | None:
    row = connection.execute(query).first()
    if row is None:
        return None
    return StoredBundle(row.id, row.bundle_id, row.variant_id, from_document(row.items, tuple[ConfiguredItem, ...]))


def _ghost(row: Row[Any]) -> Ghost:
    return Ghost(row.identity, row.product_id, row.variant_id, row.confirmed_at)
