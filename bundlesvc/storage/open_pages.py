"""The open pages of the studio (the `OpenPages` port)."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select

from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.studio import OpenPage
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import open_pages

OPEN_SECONDS = 30
"""Seconds without a report after which a page counts as closed."""

MAX_PAGES = 50
"""The maximum number of open pages to remember per shop. Further pages see the remembered pages, but are not seen themselves."""

_ROWS = open_pages.c


class SqlOpenPages:
    """Stores which pages of the studio are open. This is stored in the database, which is the only storage that all processes of
    a service always share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, tenant: Tenant, page: OpenPage, now: int) -> Sequence[OpenPage]:
        of_shop = _ROWS.shop_id == tenant.id

        def work(connection: Connection) -> Sequence[OpenPage]:
            gone = (_ROWS.seen_at <= now - OPEN_SECONDS) | (_ROWS.page == page.page)
            connection.execute(delete(open_pages).where(of_shop & gone))
            if connection.execute(select(func.count()).where(of_shop)).scalar_one() < MAX_PAGES:
                values = {"shop_id": tenant.id, "seen_at": now, **page._asdict()}
                connection.execute(insert(open_pages).values(values))
            others = select(_ROWS.page, _ROWS.label, _ROWS.bundle_id).where(of_shop, _ROWS.page != page.page)
            return [OpenPage(*row) for row in connection.execute(others.order_by(_ROWS.label, _ROWS.page))]

        return await write_retrying(self._database, work)

    async def forget(self, tenant: Tenant, page: str) -> None:
        own = (_ROWS.shop_id == tenant.id) & (_ROWS.page == page)
        await self._database.write(lambda connection: connection.execute(delete(open_pages).where(own)))
