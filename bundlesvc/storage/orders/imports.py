"""Stores the progress of order imports."""

from sqlalchemy import Connection, delete, insert, select

from bundlesvc.domain.orders.waiting import ImportProgress
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import order_imports
from bundlesvc.storage.database.transaction import lock_shop

_OF = order_imports.c


class SqlImportStore:
    """Implements the `ImportStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, tenant: Tenant) -> ImportProgress | None:
        query = select(_OF.since, _OF.cursor, _OF.read, _OF.stored, _OF.done).where(_OF.shop_id == tenant.id)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else ImportProgress(*tuple(row))

    async def save(self, tenant: Tenant, progress: ImportProgress) -> None:
        row = {
            "shop_id": tenant.id,
            "since": progress.since,
            "cursor": progress.cursor,
            "read": progress.read,
            "stored": progress.stored,
            "done": progress.done,
        }

        def work(connection: Connection) -> None:
            lock_shop(connection, tenant.id)
            connection.execute(delete(order_imports).where(_OF.shop_id == tenant.id))
            connection.execute(insert(order_imports).values(row))

        await self._database.write(work)
