"""The log of webhooks that every process reads: deliveries, and the changes that they report."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from bundlesvc.domain.errors import SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import Change, Delivery, Notice, NumberedChange
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import delete_old
from bundlesvc.storage.database.tables import own_updates, platform_changes, webhook_deliveries
from bundlesvc.storage.database.transaction import lock_appends
from bundlesvc.storage.ghosts.records import mark_bought, mark_ghosts
from bundlesvc.storage.shoppers.shopper_requests import add_request

DELIVERIES_KEPT = 2 * 24 * 60 * 60
"""Seconds for which deliveries are stored to recognise replays. Platforms retry for only a few hours."""

CHANGES_KEPT = 60 * 60
"""Seconds for which changes are stored. Processes read the log every second; a process that stalled for longer than this drops
its cache."""


RecordNotices = Callable[[Connection, Tenant, Sequence[Notice], int], None]
"""A function that records the notices of a new delivery, in the same transaction as the delivery."""


def _ignore(connection: Connection, tenant: Tenant, notices: Sequence[Notice], now: int) -> None:
    """Ignore notices. Used as the `RecordNotices` of a service that does not read the objects named in notices."""


class SqlChangeLog:
    """Implements the `ChangeLog` port on the database. `record_notices` ignores notices until it is replaced by the capability
    that reads the objects named in them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.record_notices: RecordNotices = _ignore

    async def record(self, tenant: Tenant, delivery: Delivery, now: int) -> bool:
        changes = () if delivery.our_own else delivery.changes
        rows = [
            {"shop_id": tenant.id, "kind": change.kind, "subject_id": change.id, "recorded_at": now}
            for change in changes
        ]

        def work(connection: Connection) -> bool:
            if _came_before(connection, tenant, delivery):
                return False
            connection.execute(insert(webhook_deliveries).values(_row(tenant, delivery, now)))
            if delivery.request:
                add_request(connection, tenant, delivery.request, now)
            if delivery.bought:
                mark_bought(connection, tenant.id, delivery.bought, now)
            if delivery.notices:
                self.record_notices(connection, tenant, delivery.notices, now)
            if rows:
                mark_ghosts(connection, tenant.id, changes)
                lock_appends(connection)
                connection.execute(insert(platform_changes), rows)
            return True

        return await self._database.write(work)

    async def after(self, number: int) -> Sequence[NumberedChange]:
        query = select(platform_changes).where(platform_changes.c.number > number).order_by(platform_changes.c.number)

        def read(connection: Connection) -> list[NumberedChange]:
            return [
                NumberedChange(row.number, row.shop_id, Change(row.kind, row.subject_id), row.recorded_at)
                for row in connection.execute(query)
            ]

        return await self._database.read(read)

    async def expire(self, now: int) -> None:
        await delete_old(self._database, webhook_deliveries.c.received_at, now - DELIVERIES_KEPT)
        await delete_old(self._database, platform_changes.c.recorded_at, now - CHANGES_KEPT)
        await delete_old(self._database, own_updates.c.recorded_at, now - CHANGES_KEPT)


def _came_before(connection: Connection, tenant: Tenant, delivery: Delivery) -> bool:
    """Whether a delivery with this id or signature was received before. Raises SignatureInvalid when the signature was used for
    another subject: somebody who has seen a delivery may have sent it again with different headers."""
    known = webhook_deliveries.c
    same = (known.delivery == delivery.id) | (known.signature == delivery.signature)
    found = connection.execute(select(known.signature, known.subject).where((known.shop_id == tenant.id) & same)).all()
    if any(row.signature == delivery.signature and row.subject != delivery.subject for row in found):
        raise SignatureInvalid
    return bool(found)


def _row(tenant: Tenant, delivery: Delivery, now: int) -> dict[str, Any]:
    """Build the row of a delivery. The signature is not stored for a delivery without changes, because a delivery on another
    topic may have the same body and report a change."""
    signature = delivery.signature if delivery.changes else None
    return {
        "shop_id": tenant.id,
        "delivery": delivery.id,
        "signature": signature,
        "subject": delivery.subject,
        "received_at": now,
    }
