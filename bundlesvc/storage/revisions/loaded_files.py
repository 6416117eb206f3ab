"""Stores the content that each shop file had when it was last loaded."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from bundlesvc.domain.revisions.items import ItemName
from bundlesvc.domain.revisions.loaded_file import LoadedFile
from bundlesvc.domain.revisions.plain import ABSENT
from bundlesvc.domain.revisions.revision import UPGRADE, Revision
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import loaded_files, shop_revisions
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.revisions.packing import pack, unpack
from bundlesvc.storage.revisions.rows import live_number, revision_of

_ROWS = loaded_files.c


class LastLoad(NamedTuple):
    """The last load of a file: the revision that was live after the load, and the content of the file."""

    revision: int
    file: LoadedFile


class SqlLoadedFiles:
    """Stores and reads the last load of each shop file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last(self, tenant: Tenant, name: str) -> LastLoad | None:
        """Return the last load of the file with this name; None when it was never loaded. Raises StorageUnavailable,
        DocumentDamaged."""
        query = select(loaded_files).where(_is(tenant.id, name))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        items = {ItemName(kind, item): ABSENT if gone else document for kind, item, gone, document in unpack(row.items)}
        return LastLoad(row.revision, LoadedFile(name, items))

    async def live(self, tenant: Tenant) -> int | None:
        """Return the number of the live revision; None for a shop stored by a version of the service without revisions. Raises
        StorageUnavailable."""
        return await self._database.read(lambda connection: live_number(connection, tenant.id))

    async def newest_of_files(self, tenant: Tenant) -> Revision | None:
        """Return the newest revision that was created by loading a file, or by an upgrade; None when there is none. Raises
        StorageUnavailable."""
        rows = shop_revisions.c
        of_file = rows.source.like("file:%") | (rows.source == UPGRADE)
        query = select(shop_revisions).where(rows.shop_id == tenant.id, rows.position.is_not(None), of_file)
        newest = query.order_by(rows.position.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(newest).first())
        return None if row is None else revision_of(row)

    async def note(self, tenant: Tenant, revision: int, file: LoadedFile) -> None:
        """Record that a file was loaded without changing anything, unless another revision has gone live in the meantime. Raises
        StorageUnavailable."""

        def work(connection: Connection) -> None:
            lock_shop(connection, tenant.id)
            if live_number(connection, tenant.id) == revision:
                store_file(connection, tenant.id, revision, file)

        await self._database.write(work)


def store_file(connection: Connection, shop_id: int, revision: int, file: LoadedFile) -> None:
    """Store the content of a file as last loaded, in the transaction that loads it, replacing the content of any earlier load."""
    items = [
        (*item, document is ABSENT, None if document is ABSENT else document) for item, document in file.items.items()
    ]
    connection.execute(delete(loaded_files).where(_is(shop_id, file.name)))
    row = {"shop_id": shop_id, "name": file.name, "revision": revision, "items": pack(items)}
    connection.execute(insert(loaded_files).values(row))


def _is(shop_id: int, name: str) -> ColumnElement[bool]:
    return (_ROWS.shop_id == shop_id) & (_ROWS.name == name)
