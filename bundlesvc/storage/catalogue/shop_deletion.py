"""Deletes a shop with all its stored data."""

import asyncio
from collections.abc import Mapping

from sqlalchemy import Connection, Table, delete, func, select, update

from bundlesvc.domain.shop import LIVE_PLATFORMS
from bundlesvc.storage.catalogue.generations import DELETED
from bundlesvc.storage.catalogue.shop_ids import retire_shop_id
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import delete_all
from bundlesvc.storage.database.tables import (
    api_keys,
    bundles,
    configured_bundles,
    ghost_variants,
    metadata,
    platform_connections,
    shopper_requests,
    shops,
    stock_reminders,
    subscriptions,
)

NOTICE_SECONDS = 2.0
"""Seconds within which every process notices that the shop is disabled, and stops storing data for it."""

_REPORTED = {
    "bundles": bundles,
    "keys": api_keys,
    "configured bundles": configured_bundles,
    "subscriptions": subscriptions,
    "stock reminders": stock_reminders,
    "ghost variants": ghost_variants,
}

_TABLES = [table for table in reversed(metadata.sorted_tables) if "shop_id" in table.c]
"""The tables with rows of shops. A table comes before the tables that it refers to."""

_DELETED_IN_PARTS = [table for table in _TABLES if table is not shopper_requests]
"""The tables whose rows are deleted first, in batches. The platform's request to delete the shop is deleted last, because the
service continues after an interruption as long as this request exists."""


class ShopConnected(Exception):
    """Raised when the shop still has credentials for its live platform, which sends webhooks to this service."""


async def shop_contents(database: Database, handle: str) -> Mapping[str, int] | None:
    """Count the stored rows of a shop, by kind. Returns None when there is no such shop."""

    def count(connection: Connection) -> Mapping[str, int] | None:
        shop_id = _id_of(connection, handle)
        if shop_id is None:
            return None
        return {name: _count(connection, table, shop_id) for name, table in _REPORTED.items()}

    return await database.read(count)


async def delete_shop(database: Database, handle: str) -> bool:
    """Delete a shop. Returns False when it does not exist. Raises ShopConnected.

    First the shop is disabled, its keys are deleted, and a load in progress is stopped. Once all processes have noticed, the
    shop's rows are deleted in batches, so that no other writer waits for long; the row of the shop itself comes last. If the
    deletion is interrupted, the disabled shop still exists: call this function again.
    """
    shop_id = await database.write(lambda connection: _stop(connection, handle))
    if shop_id is None:
        return False
    await asyncio.sleep(NOTICE_SECONDS)
    for table in _DELETED_IN_PARTS:
        await delete_all(database, table, table.c.shop_id == shop_id)
    await database.write(lambda connection: _delete_rest(connection, shop_id))
    return True


def _stop(connection: Connection, handle: str) -> int | None:
    row = connection.execute(select(shops).where(shops.c.handle == handle)).first()
    if row is None:
        return None
    shop_id: int = row.id
    if tenant_of(row).shop.platform.kind in LIVE_PLATFORMS and _count(connection, platform_connections, shop_id):
        raise ShopConnected
    disabled = {"headless_enabled": False, "revision": shops.c.revision + 1, "generation": DELETED}
    connection.execute(update(shops).where(shops.c.id == shop_id).values(disabled))
    connection.execute(delete(api_keys).where(api_keys.c.shop_id == shop_id))
    return shop_id


def _delete_rest(connection: Connection, shop_id: int) -> None:
    """Delete the shop, and any rows that were stored in the meantime by requests that began before the deletion. The shop's row
    is locked first, which waits for requests in progress."""
    connection.execute(select(shops.c.id).where(shops.c.id == shop_id).with_for_update())
    for table in _TABLES:
        connection.execute(delete(table).where(table.c.shop_id == shop_id))
    connection.execute(delete(shops).where(shops.c.id == shop_id))
    retire_shop_id(connection, shop_id)


def _id_of(connection: Connection, handle: str) -> int | None:
    return connection.execute(select(shops.c.id).where(shops.c.handle == handle)).scalar()


def _count(connection: Connection, table: Table, shop_id: int) -> int:
    query = select(func.count()).select_from(table).where(table.c.shop_id == shop_id)
    return connection.execute(query).scalar_one()
