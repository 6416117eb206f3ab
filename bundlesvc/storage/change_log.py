"""What webhooks told us: which deliveries came, and what changed, for every process to read."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Change, NumberedChange
from bundlesvc.storage.database import Database
from bundlesvc.storage.ghost_subjects import mark_ghosts
from bundlesvc.storage.tables import platform_changes, webhook_deliveries
from bundlesvc.storage.turns import append_in_order

DELIVERIES_KEPT = 2 * 24 * 60 * 60
"""Seconds. Platforms try a delivery again for some hours."""

CHANGES_KEPT = 60 * 60
"""Seconds. Processes read the log every second; one that was stopped for longer has let go of what it remembered."""


class SqlChangeLog:
    """The port `ChangeLog` over the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, tenant: Tenant, delivery: str, changes: Sequence[Change], now: int) -> bool:
        def work(connection: Connection) -> bool:
            same = (webhook_deliveries.c.shop_id == tenant.id) & (webhook_deliveries.c.delivery == delivery)
            if connection.execute(select(webhook_deliveries.c.delivery).where(same)).first() is not None:
                return False
            connection.execute(insert(webhook_deliveries).values(shop_id=tenant.id, delivery=delivery, received_at=now))
            rows = [
                {"shop_id": tenant.id, "kind": change.kind, "subject_id": change.id, "recorded_at": now}
                for change in changes
            ]
            if rows:
                mark_ghosts(connection, tenant.id, changes)
                append_in_order(connection, platform_changes)
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
        def work(connection: Connection) -> None:
            connection.execute(
                delete(webhook_deliveries).where(webhook_deliveries.c.received_at <= now - DELIVERIES_KEPT)
            )
            connection.execute(delete(platform_changes).where(platform_changes.c.recorded_at <= now - CHANGES_KEPT))

        await self._database.write(work)
