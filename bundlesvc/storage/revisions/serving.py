"""Enables or disables the APIs for a shop, with an entry in the audit log."""

from sqlalchemy import Connection

from bundlesvc.domain.revisions.audit import DISABLE, ENABLE
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import THE_SHOP
from bundlesvc.domain.revisions.revision import Act
from bundlesvc.storage.access.keys import switch_headless
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.audit import add_entry


async def serve_shop(database: Database, handle: str, act: Act, *, enabled: bool) -> bool:
    """Enable or disable the APIs for a shop. Returns False when there is no such shop. Raises StorageUnavailable."""

    def work(connection: Connection) -> bool:
        shop_id = switch_headless(connection, handle, enabled=enabled)
        if shop_id is None:
            return False
        change = Change((*THE_SHOP.path, "headlessEnabled"), not enabled, enabled)
        add_entry(connection, shop_id, act, ENABLE if enabled else DISABLE, None, [change])
        return True

    return await database.write(work)
