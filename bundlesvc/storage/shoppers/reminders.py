"""Stock reminders, which shoppers create and the operator lists and deletes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, true

from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.conditions import in_shops
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import shops, stock_reminders


@dataclass(frozen=True, slots=True)
class StoredReminder:
    """A stock reminder; `created_at` is in seconds since 1970, UTC."""

    shop: str
    variant_id: int
    email: str
    bundle_name: str
    created_at: int


class SqlReminders:
    """Implements the `ReminderStore` port, with further methods for commands."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_reminder(self, tenant: Tenant, variant_id: int, email: str, bundle_name: str, now: int) -> bool:
        key = {"shop_id": tenant.id, "variant_id": variant_id, "email": email.lower()}

        def work(connection: Connection) -> bool:
            if connection.execute(select(stock_reminders.c.email).filter_by(**key)).first() is not None:
                return False
            connection.execute(insert(stock_reminders).values(**key, bundle_name=bundle_name, created_at=now))
            return True

        return await self._database.write(work)

    async def all(self) -> Sequence[StoredReminder]:
        """Return all reminders, oldest first."""
        return await self._found(true())

    async def of_shopper(self, email: str, shop_ids: Collection[int] | None = None) -> Sequence[StoredReminder]:
        """Return the reminders for an e-mail address, in these shops or in all shops."""
        return await self._found(_of_shopper(email, shop_ids))

    async def _found(self, condition: ColumnElement[bool]) -> Sequence[StoredReminder]:
        reminders = stock_reminders.c
        columns: Select[Any] = select(
            shops.c.handle, reminders.variant_id, reminders.email, reminders.bundle_name, reminders.created_at
        )
        query = columns.join(shops, shops.c.id == reminders.shop_id).where(condition)
        query = query.order_by(reminders.created_at, reminders.variant_id, reminders.email)
        return await self._database.read(lambda connection: [StoredReminder(*row) for row in connection.execute(query)])

    async def forget(self, email: str, shop_ids: Collection[int] | None = None) -> int:
        """Delete the reminders for an e-mail address, in these shops or in all shops, and return the number deleted."""
        gone = delete(stock_reminders).where(_of_shopper(email, shop_ids))
        return await self._database.write(lambda connection: connection.execute(gone).rowcount)


def _of_shopper(email: str, shop_ids: Collection[int] | None) -> ColumnElement[bool]:
    return (stock_reminders.c.email == email.lower()) & in_shops(stock_reminders.c.shop_id, shop_ids)
