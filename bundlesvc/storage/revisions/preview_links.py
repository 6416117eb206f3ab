"""Links to previews of drafts. A link stops working when its row is deleted, when it expires, when its key becomes invalid, or
when its draft is discarded."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.revisions.audit import SHARE, UNSHARE
from bundlesvc.domain.revisions.preview_link import MAX_LINKS, PreviewLink
from bundlesvc.domain.revisions.refusals import RevisionState, TooManyLinks
from bundlesvc.domain.revisions.revision import DISCARDED, Act
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.access.keys import active
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import api_keys, preview_links, shop_revisions
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.revisions.acts import write_act
from bundlesvc.storage.revisions.audit import add_entry
from bundlesvc.storage.revisions.responses import refuse_repetition, remember
from bundlesvc.storage.revisions.rows import find_row

_ROWS = preview_links.c


class SqlPreviewLinks:
    """Implements the `PreviewLinkStore` port on the database. Links created with demo keys are valid only if `demo` is
    set."""

    def __init__(self, database: Database, *, demo: bool = False) -> None:
        self._database = database
        self._of_key = (api_keys.c.id == _ROWS.key_id) & active(demo=demo)

    async def add(self, tenant: Tenant, act: Act, key_id: int, link: PreviewLink) -> PreviewLink:
        def work(connection: Connection) -> PreviewLink:
            refuse_repetition(connection, tenant.id, act)
            lock_shop(connection, tenant.id)
            if find_row(connection, tenant.id, link.revision).state == DISCARDED:
                raise RevisionState("This revision is discarded, so it cannot be shared.")
            valid = select(func.count()).select_from(self._valid(tenant.id, act.now).subquery())
            if connection.execute(valid).scalar_one() >= MAX_LINKS:
                raise TooManyLinks
            values = {
                "shop_id": tenant.id,
                "revision": link.revision,
                "bundle_id": link.bundle_id,
                "time": link.time,
                "key_id": key_id,
                "actor": link.actor,
                "created_at": link.created_at,
                "expires_at": link.expires_at,
            }
            stored = insert(preview_links).values(values).returning(_ROWS.id)
            made = replace(link, id=connection.execute(stored).scalar_one())
            add_entry(connection, tenant.id, act, SHARE, link.revision, [made.made])
            remember(connection, tenant.id, act, made)
            return made

        return await write_act(self._database, act, work)

    async def valid(self, tenant: Tenant, now: int) -> Sequence[PreviewLink]:
        query = self._valid(tenant.id, now).order_by(_ROWS.id.desc())
        return await self._database.read(lambda connection: [*map(_link, connection.execute(query))])

    async def find(self, shop_id: int, link_id: int, now: int) -> PreviewLink | None:
        query = self._valid(shop_id, now).where(_ROWS.id == link_id)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else _link(row)

    async def remove(self, tenant: Tenant, act: Act, link_id: int) -> PreviewLink:
        mine = (_ROWS.shop_id == tenant.id) & (_ROWS.id == link_id)

        def work(connection: Connection) -> PreviewLink:
            row = connection.execute(select(preview_links).where(mine)).first()
            if row is None or not connection.execute(delete(preview_links).where(mine)).rowcount:
                raise NotFound
            link = _link(row)
            add_entry(connection, tenant.id, act, UNSHARE, link.revision, [link.ended])
            return link

        return await write_act(self._database, act, work)

    def _valid(self, shop_id: int, now: int) -> Select[Any]:
        """Select the valid links of a shop. Only these count towards the limit; links that no longer work do not."""
        revisions = shop_revisions.c
        number = (revisions.shop_id == _ROWS.shop_id) & (revisions.number == _ROWS.revision)
        of_draft = number & (revisions.state != DISCARDED)
        found = select(preview_links).join(api_keys, self._of_key).join(shop_revisions, of_draft)
        return found.where(_ROWS.shop_id == shop_id, _ROWS.expires_at > now)


def _link(row: Row[Any]) -> PreviewLink:
    return PreviewLink(row.id, row.revision, row.bundle_id, row.time, row.actor, row.created_at, row.expires_at)
