"""Storage for revisions of shops, and for the audit log."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, insert, or_, select, update

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.revisions.audit import EDIT, PUBLISH, AuditEntry, AuditFilter
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import DraftItem, ItemName
from bundlesvc.domain.revisions.refusals import RevisionOutdated
from bundlesvc.domain.revisions.revision import DRAFT, PUBLISHED, SCHEDULED, Act, Response, Revision, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.ports.revisions import StoredItem, StoredRevision
from bundlesvc.storage.catalogue.overdue_revisions import overdue_revisions
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.damage import documents_of
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import shop_revisions, shops
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.revisions.acts import write_act
from bundlesvc.storage.revisions.audit import add_entry, find_editors, find_entries
from bundlesvc.storage.revisions.drafts import find_draft, store_draft
from bundlesvc.storage.revisions.history import last_number, part_at, shop_at
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal
from bundlesvc.storage.revisions.replaced_items import Describe
from bundlesvc.storage.revisions.responses import find_response, refuse_repetition, remember
from bundlesvc.storage.revisions.rows import (
    find_row,
    is_revision,
    live_row,
    next_number,
    revision_of,
    row_values,
)

T = TypeVar("T")

RETRY_SECONDS = 60
"""Seconds after a failure until the publication of a scheduled revision is tried again."""

_ROWS = shop_revisions.c


class SqlRevisionStore:
    """Implements the `RevisionStore` port on the database. `describe` lists the differences between two states of an
    item."""

    def __init__(self, database: Database, describe: Describe) -> None:
        self._database = database
        self._describe = describe

    async def revisions(self, tenant: Tenant, wanted: RevisionFilter) -> Sequence[Revision]:
        await self._with_first(tenant)
        query = select(shop_revisions).where(_ROWS.shop_id == tenant.id)
        if wanted.states:
            query = query.where(_ROWS.state.in_(wanted.states))
        if wanted.before is not None:
            query = query.where(_ROWS.number < wanted.before)
        query = query.order_by(_ROWS.number.desc()).limit(wanted.limit)
        return await self._database.read(lambda connection: [*map(revision_of, connection.execute(query))])

    async def revision(self, tenant: Tenant, number: int | None) -> Revision:
        await self._with_first(tenant)
        return await self._database.read(lambda connection: revision_of(find_row(connection, tenant.id, number)))

    async def authors(self, tenant: Tenant, number: int) -> Collection[str]:
        def query(connection: Connection) -> Collection[str]:
            maker = select(_ROWS.author).where(is_revision(tenant.id, number))
            return {*connection.scalars(maker), *find_editors(connection, tenant.id, number)}

        return await self._database.read(query)

    async def read(self, tenant: Tenant, number: int | None) -> StoredRevision:
        def query(connection: Connection) -> StoredRevision:
            row = find_row(connection, tenant.id, number)
            shop_file = shop_at(connection, tenant, _content_position(connection, tenant.id, row))
            return StoredRevision(revision_of(row), shop_file, find_draft(connection, tenant.id, row.number))

        return await self._read_unchanged(tenant, number, query)

    async def draft(self, tenant: Tenant, number: int) -> tuple[Revision, Sequence[DraftItem]]:
        def query(connection: Connection) -> tuple[Revision, Sequence[DraftItem]]:
            return revision_of(find_row(connection, tenant.id, number)), find_draft(connection, tenant.id, number)

        return await self._read_unchanged(tenant, number, query)

    async def item(self, tenant: Tenant, number: int | None, item: ItemName) -> StoredItem:
        def query(connection: Connection) -> StoredItem:
            row = find_row(connection, tenant.id, number)
            base = part_at(connection, tenant, _content_position(connection, tenant.id, row), item)
            draft = find_draft(connection, tenant.id, row.number, item)
            return StoredItem(revision_of(row), base, draft[0] if draft else None)

        return await self._read_unchanged(tenant, number, query)

    async def last_number(self, tenant: Tenant, kind: str) -> int:
        return await self._database.read(lambda connection: last_number(connection, tenant.id, kind))

    async def stored_response(self, tenant: Tenant, api_key: str, key: IdempotencyKey, now: int) -> Response | None:
        return await self._database.read(lambda connection: find_response(connection, tenant.id, api_key, key, now))

    async def create(self, tenant: Tenant, act: Act, message: str, draft: Sequence[DraftItem], action: str) -> Revision:
        def work(connection: Connection) -> Revision:
            refuse_repetition(connection, tenant.id, act)
            _lock(connection, tenant)
            live = live_row(connection, tenant.id, act.now)
            number = next_number(connection, tenant.id)
            actor = act.actor
            made = Revision(number, DRAFT, live.number, actor.name, actor.source, message, act.now, version=1)
            connection.execute(insert(shop_revisions).values(shop_id=tenant.id, **row_values(made)))
            store_draft(connection, tenant.id, number, draft)
            return _noted(connection, tenant, act, action, made)

        return await write_act(self._database, act, work)

    async def edit(
        self, tenant: Tenant, act: Act, revision: Revision, draft: Sequence[DraftItem], changes: Iterable[Change]
    ) -> Revision:
        noted = list(changes)

        def work(connection: Connection) -> Revision:
            refuse_repetition(connection, tenant.id, act)
            made = replace(revision, version=revision.version + 1)
            _replace_row(connection, tenant.id, revision, made)
            store_draft(connection, tenant.id, revision.number, draft)
            return _noted(connection, tenant, act, EDIT, made, noted)

        return await write_act(self._database, act, work)

    async def change(self, tenant: Tenant, act: Act, revision: Revision, to: Revision, action: str) -> Revision:
        def work(connection: Connection) -> Revision:
            refuse_repetition(connection, tenant.id, act)
            made = replace(to, version=revision.version + 1)
            _replace_row(connection, tenant.id, revision, made, tried_at=None)
            return _noted(connection, tenant, act, action, made)

        return await write_act(self._database, act, work)

    async def publish(
        self,
        tenant: Tenant,
        act: Act,
        revision: Revision,
        message: str,
        merged: Callable[[ShopFile | None], ShopFile],
    ) -> Revision:
        journal = RevisionJournal(Publication(act, PUBLISH, message, revision), self._describe)
        if not await SqlShopFileStore(self._database, journal).merge(tenant.shop.handle, merged):
            await self._database.write(lambda connection: journal.record_nothing(connection, tenant.id))
        if journal.published is None:
            raise RevisionOutdated
        return journal.published

    async def due(self, now: int) -> Sequence[tuple[Tenant, Revision]]:
        untried = or_(_ROWS.tried_at.is_(None), _ROWS.tried_at <= now - RETRY_SECONDS)
        wanted = (_ROWS.state == SCHEDULED) & (_ROWS.publish_at <= now) & untried
        query = select(shop_revisions).where(wanted).order_by(_ROWS.publish_at, _ROWS.number)

        def read(connection: Connection) -> list[tuple[Tenant, Revision]]:
            found = [(row.shop_id, revision_of(row)) for row in connection.execute(query)]
            if not found:
                return []
            rows = connection.execute(select(shops).where(shops.c.id.in_({shop_id for shop_id, _ in found})))
            tenants = {row.id: tenant_of(row) for row in rows}
            return [(tenants[shop_id], revision) for shop_id, revision in found if shop_id in tenants]

        return await self._database.read(read)

    async def overdue(self) -> int:
        return len(await overdue_revisions(self._database))

    async def report(self, tenant: Tenant, revision: Revision, problem: str, now: int) -> None:
        def work(connection: Connection) -> None:
            unchanged = is_revision(tenant.id, revision.number) & (_ROWS.version == revision.version)
            values: dict[str, Any] = {"tried_at": now}
            if problem != revision.problem:
                values |= {"problem": problem, "version": revision.version + 1}
            connection.execute(update(shop_revisions).where(unchanged).values(values))

        await self._database.write(work)

    async def entries(self, tenant: Tenant, wanted: AuditFilter) -> Sequence[AuditEntry]:
        return await self._database.read(lambda connection: find_entries(connection, tenant.id, wanted))

    async def _with_first(self, tenant: Tenant) -> None:
        """Create the first revision of a shop that was stored by an older release of the service, which had no revisions, unless
        the shop already has one."""
        live = select(_ROWS.created_at).where(is_revision(tenant.id, None))
        if await self._database.read(lambda connection: connection.execute(live).first()) is not None:
            return

        def work(connection: Connection) -> None:
            _lock(connection, tenant)
            live_row(connection, tenant.id, int(time.time()))

        await write_retrying(self._database, work)

    async def _read_unchanged(self, tenant: Tenant, number: int | None, query: Callable[[Connection], T]) -> T:
        """Return the result of a query. The query is repeated until neither the shop nor the revision changes while it runs.
        Raises NotFound."""
        await self._with_first(tenant)
        of_shop = select(shops.c.revision).where(shops.c.id == tenant.id)
        of_revision = select(_ROWS.number, _ROWS.version).where(is_revision(tenant.id, number))

        def state(connection: Connection) -> tuple[object, object]:
            return connection.execute(of_shop).scalar(), connection.execute(of_revision).first()

        def read(connection: Connection) -> tuple[bool, T]:
            before = state(connection)
            with documents_of(tenant.shop.handle):
                found = query(connection)
            return state(connection) == before, found

        while True:
            unchanged, found = await self._database.read(read)
            if unchanged:
                return found


def _content_position(connection: Connection, shop_id: int, row: Row[Any]) -> int:
    """Return the position of the revision that contains a row's content: its own position, or that of its base if the row is a
    draft."""
    own = row.state in PUBLISHED
    return int(row.position if own else find_row(connection, shop_id, row.base).position)


def _replace_row(connection: Connection, shop_id: int, old: Revision, new: Revision, **further: Any) -> None:
    """Replace the row of a revision. Raises RevisionOutdated when the row no longer matches `old`."""
    unchanged = is_revision(shop_id, old.number) & (_ROWS.version == old.version) & (_ROWS.state == old.state)
    changed = update(shop_revisions).where(unchanged).values(**row_values(new), **further)
    if not connection.execute(changed).rowcount:
        raise RevisionOutdated


def _noted(
    connection: Connection, tenant: Tenant, act: Act, action: str, made: Revision, changes: Iterable[Change] = ()
) -> Revision:
    """Add the revision to the audit log, store the response that describes it, and return the revision."""
    add_entry(connection, tenant.id, act, action, made.number, changes)
    remember(connection, tenant.id, act, made)
    return made


def _lock(connection: Connection, tenant: Tenant) -> None:
    """Lock the shop. Raises NotFound when it no longer exists."""
    lock_shop(connection, tenant.id)
    if connection.execute(select(shops.c.id).where(shops.c.id == tenant.id)).first() is None:
        raise NotFound
