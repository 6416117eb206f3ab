"""Records the updates that the service itself made to products (docs/decisions/0023-webhooks-of-our-own-changes.md)."""

from sqlalchemy import Connection, insert, select

from bundlesvc.domain.live_platform.platform_change import ProductUpdate
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import own_updates
from bundlesvc.storage.database.transaction import lock_shop


class SqlOwnUpdates:
    """Implements the `OwnUpdates` port on the database. The change log deletes old records together with its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, tenant: Tenant, update: ProductUpdate, now: int) -> None:
        def work(connection: Connection) -> None:
            lock_shop(connection, tenant.id)
            if not _includes(connection, tenant.id, update):
                connection.execute(insert(own_updates).values(**_key(tenant.id, update), recorded_at=now))

        await self._database.write(work)

    async def includes(self, tenant: Tenant, update: ProductUpdate) -> bool:
        return await self._database.read(lambda connection: _includes(connection, tenant.id, update))


def _includes(connection: Connection, shop_id: int, update: ProductUpdate) -> bool:
    query = select(own_updates.c.shop_id).filter_by(**_key(shop_id, update))
    return connection.execute(query).first() is not None


def _key(shop_id: int, update: ProductUpdate) -> dict[str, int]:
    return {"shop_id": shop_id, "product_id": update.product_id, "updated_at": update.updated_at}
