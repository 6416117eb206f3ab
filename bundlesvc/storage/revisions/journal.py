"""Creates a revision for each write to a shop's content, in the same transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.revisions.loaded_file import LoadedFile
from bundlesvc.domain.revisions.refusals import RevisionOutdated
from bundlesvc.domain.revisions.revision import LIVE, OPEN, PAST, Act, Revision
from bundlesvc.domain.shop import Shop
from bundlesvc.storage.catalogue.journal import Journal
from bundlesvc.storage.catalogue.shop_differences import Difference, Outdated
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import draft_items, shop_revisions
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.revisions.audit import add_entry
from bundlesvc.storage.revisions.loaded_files import store_file
from bundlesvc.storage.revisions.replaced_items import Describe, ReplacedItems, parts_of
from bundlesvc.storage.revisions.responses import refuse_repetition, remember
from bundlesvc.storage.revisions.rows import is_revision, live_row, next_number, row_values

_ROWS = shop_revisions.c


@dataclass(frozen=True, slots=True)
class Publication:
    """The subject of a publication: a draft, or a new revision if `draft` is None. `action` is the name of the write in the audit
    log, and `file` is the file being loaded. If `on` is set, the write is refused unless the revision with this number is
    live."""

    act: Act
    action: str
    message: str = ""
    draft: Revision | None = None
    file: LoadedFile | None = None
    on: int | None = None


class RevisionJournal(Journal):
    """Records one write as a revision, which becomes live. A write that changes only stock, or whether the shop is enabled,
    creates no revision, but is recorded in the audit log. `published` is the revision that the last write created."""

    def __init__(self, publication: Publication, describe: Describe) -> None:
        self._publication = publication
        self._describe = describe
        self._prepared: tuple[int, ReplacedItems] | None = None
        self.published: Revision | None = None

    async def prepare(self, database: Database, shop_id: int, difference: Difference) -> None:
        """Copy those items of the live revision that would otherwise be lost when the next revision goes live. The copy is
        correct whether or not the write succeeds, because it is taken from the live revision."""
        self._prepared = None
        if difference.revision is None:
            return
        replaced, now = ReplacedItems(self._describe), self._publication.act.now
        position = await database.write(lambda connection: _locked_position(connection, shop_id, now))
        for part, names in parts_of(difference):
            replaced.add(await database.write(partial(self._copy, shop_id, position, part, names)))
        self._prepared = position, replaced

    def record(self, connection: Connection, shop_id: int, replaced: Shop | None, difference: Difference) -> bool:
        """Record a publication. Raises RevisionOutdated when the draft has changed or another revision went live in the meantime.
        Also raises ResponseStored and IdempotencyKeyReused."""
        self.published = None
        refuse_repetition(connection, shop_id, self._publication.act)
        if difference.revision is None:
            self._publish_first(connection, shop_id)
            return True
        live = live_row(connection, shop_id, self._publication.act.now)
        if self._publication.on not in (None, live.number):
            raise RevisionOutdated
        if self._prepared is not None and self._prepared[0] != live.position:
            return False
        found = self._prepared[1] if self._prepared else self._copied(connection, shop_id, live.position, difference)
        if replaced is not None and difference.shop is not None:
            found.copy_shop(connection, shop_id, live.position, replaced, difference.shop)
        if found.is_versioned or self._publication.draft is not None:
            self._publish(connection, shop_id, live)
        elif self._publication.file is not None:
            store_file(connection, shop_id, live.number, self._publication.file)
        self._log(connection, shop_id, found)
        return True

    def record_nothing(self, connection: Connection, shop_id: int) -> None:
        """Publish a draft that does not change the live content. Raises the same errors as `record`, and NotFound for a shop that
        no longer exists."""
        refuse_repetition(connection, shop_id, self._publication.act)
        lock_shop(connection, shop_id)
        live = connection.execute(select(shop_revisions).where(is_revision(shop_id, None))).first()
        if live is None:
            raise NotFound
        self._publish(connection, shop_id, live)
        self._log(connection, shop_id, ReplacedItems(self._describe))

    def _copied(self, connection: Connection, shop_id: int, position: int, difference: Difference) -> ReplacedItems:
        found = ReplacedItems(self._describe)
        for part, names in parts_of(difference):
            found.add(self._copy(shop_id, position, part, names, connection))
        return found

    def _copy(
        self, shop_id: int, position: int, part: Outdated, names: Sequence[Any], connection: Connection
    ) -> ReplacedItems:
        found = ReplacedItems(self._describe)
        found.copy(connection, shop_id, position, part, names)
        return found

    def _publish_first(self, connection: Connection, shop_id: int) -> None:
        """Create a revision for the content of a new shop, or of a shop whose deletion was interrupted."""
        live = connection.execute(select(shop_revisions).where(is_revision(shop_id, None))).first()
        self._publish(connection, shop_id, live)
        self._log(connection, shop_id, ReplacedItems(self._describe))

    def _publish(self, connection: Connection, shop_id: int, live: Row[Any] | None) -> None:
        """Make the draft, or a new revision if there is no draft, live in place of the current revision."""
        publication, act = self._publication, self._publication.act
        position = 1
        if live is not None:
            was = {"state": PAST, "version": live.version + 1}
            connection.execute(update(shop_revisions).where(is_revision(shop_id, live.number)).values(was))
            position = live.position + 1
        base = None if live is None else live.number
        if publication.draft is None:
            number = next_number(connection, shop_id)
            made = Revision(
                number,
                LIVE,
                base,
                act.actor.name,
                act.actor.source,
                publication.message,
                act.now,
                version=1,
                published_at=act.now,
            )
            connection.execute(insert(shop_revisions).values(shop_id=shop_id, position=position, **row_values(made)))
        else:
            made = self._publish_draft(connection, shop_id, publication.draft, position)
        if publication.file is not None:
            store_file(connection, shop_id, made.number, publication.file)
        remember(connection, shop_id, act, made)
        self.published = made

    def _publish_draft(self, connection: Connection, shop_id: int, draft: Revision, position: int) -> Revision:
        """Publish a draft. Raises RevisionOutdated when it has changed since it was read."""
        made = replace(
            draft,
            state=LIVE,
            message=self._publication.message,
            version=draft.version + 1,
            published_at=self._publication.act.now,
            publish_at=None,
            problem=None,
        )
        unchanged = is_revision(shop_id, draft.number) & (_ROWS.version == draft.version) & _ROWS.state.in_(OPEN)
        changed = update(shop_revisions).where(unchanged).values(position=position, **row_values(made))
        if not connection.execute(changed).rowcount:
            raise RevisionOutdated
        mine = (draft_items.c.shop_id == shop_id) & (draft_items.c.revision == draft.number)
        connection.execute(delete(draft_items).where(mine))
        return made

    def _log(self, connection: Connection, shop_id: int, found: ReplacedItems) -> None:
        number = None if self.published is None else self.published.number
        add_entry(connection, shop_id, self._publication.act, self._publication.action, number, found.changes)


def _locked_position(connection: Connection, shop_id: int, now: int) -> int:
    lock_shop(connection, shop_id)
    return int(live_row(connection, shop_id, now).position)
