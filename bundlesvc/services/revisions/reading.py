"""Reads revisions: lists, contents, differences, and linter findings."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.revisions.audit import AuditEntry, AuditFilter
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.finding import Finding
from bundlesvc.domain.revisions.items import (
    DraftItem,
    ItemName,
    Items,
    as_drafted,
    changes_between,
    content_of,
    items_of,
    merge_draft,
    with_draft,
)
from bundlesvc.domain.revisions.plain import ABSENT, Plain
from bundlesvc.domain.revisions.refusals import RevisionInvalid
from bundlesvc.domain.revisions.revision import LIVE, OPEN, PUBLISHED, SCHEDULED, Revision, RevisionFilter
from bundlesvc.domain.revisions.sentences import sentence
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.revisions import ContentFormat, RevisionStore, StoredRevision


class Difference(NamedTuple):
    """A change, and a sentence that describes it."""

    change: Change
    sentence: str


class Revisions:
    """Reads the revisions of a shop."""

    def __init__(self, store: RevisionStore, contents: ContentFormat) -> None:
        self._store = store
        self._contents = contents

    async def list(self, tenant: Tenant, wanted: RevisionFilter) -> Sequence[Revision]:
        """Return the revisions that match a filter, newest first."""
        return await self._store.revisions(tenant, wanted)

    async def find(self, tenant: Tenant, number: int | None) -> Revision:
        """Return a revision, or the live one when `number` is None. Raises NotFound."""
        return await self._store.revision(tenant, number)

    async def content(self, tenant: Tenant, number: int | None) -> tuple[Revision, dict[str, Any]]:
        """Return the whole content of a revision. Raises NotFound."""
        found = await self._store.read(tenant, number)
        return found.revision, content_of(await asyncio.to_thread(self.items, found))

    async def content_at(self, tenant: Tenant, number: int | None, at: int) -> tuple[Revision, dict[str, Any]]:
        """Return the whole content of a revision. The live revision is returned as it will be at the time `at` (a Unix
        timestamp), with the revisions that are scheduled to be published by then; revisions that cannot be published are left
        out. Raises NotFound."""
        found = await self._store.read(tenant, number)
        drafts: list[Sequence[DraftItem]] = []
        if found.revision.state == LIVE:
            scheduled = await self._store.revisions(tenant, RevisionFilter((SCHEDULED,)))
            due = [(each.publish_at, each.number) for each in scheduled if each.publish_at and each.publish_at <= at]
            drafts = [(await self._store.draft(tenant, number))[1] for _, number in sorted(due)]
        return found.revision, content_of(await asyncio.to_thread(self._published, found, drafts))

    async def item(self, tenant: Tenant, number: int | None, item: ItemName) -> tuple[Revision, Plain]:
        """Return an item of a revision. Raises NotFound."""
        found = await self._store.item(tenant, number, item)
        plain = self._contents.item(item, found.base) if found.draft is None else found.draft.document
        if plain is ABSENT:
            raise NotFound
        return found.revision, plain

    async def difference(self, tenant: Tenant, number: int | None, against: int | None) -> Sequence[Difference]:
        """Return the differences between a revision and another revision (the live one when `against` is None), in the order in
        which the differences occur in the content. For an open draft compared with the live revision, these are the changes that
        publishing would make. Raises NotFound."""
        other, found = await self._store.read(tenant, against), await self._store.read(tenant, number)
        return await asyncio.to_thread(self._difference, other, found)

    async def findings(self, tenant: Tenant, number: int | None) -> Sequence[Finding]:
        """Return the linter's findings for a revision. An open draft is linted in the state that publishing it would create.
        Raises NotFound."""
        found = await self._store.read(tenant, number)
        live = found if found.revision.state in PUBLISHED else await self._store.read(tenant, None)
        return await asyncio.to_thread(self._findings, live, found)

    async def entries(self, tenant: Tenant, wanted: AuditFilter) -> Sequence[AuditEntry]:
        """Return the audit log entries that match a filter, newest first."""
        return await self._store.entries(tenant, wanted)

    def items(self, found: StoredRevision) -> Items:
        """Return the items of a revision, including the changes of its draft."""
        return with_draft(items_of(self._contents.content(found.shop_file)), found.draft)

    def _published(self, found: StoredRevision, drafts: Iterable[Sequence[DraftItem]]) -> Items:
        """Return the items of a revision after drafts have been published on top of it, one after another. Drafts that conflict
        or are invalid are skipped."""
        items = self.items(found)
        for draft in drafts:
            merged = merge_draft(items, draft)
            if not merged.conflicts and self._is_valid(merged.items):
                items = merged.items
        return items

    def _is_valid(self, items: Items) -> bool:
        try:
            self._contents.shop_file(content_of(items))
        except RevisionInvalid:
            return False
        return True

    def _difference(self, other: StoredRevision, found: StoredRevision) -> Sequence[Difference]:
        before = self.items(other)
        is_merged = other.revision.state == LIVE and found.revision.state in OPEN
        after = as_drafted(before, found.draft) if is_merged else self.items(found)
        return [Difference(each, sentence(each, before, after)) for each in changes_between(before, after)]

    def _findings(self, live: StoredRevision, found: StoredRevision) -> Sequence[Finding]:
        items = self.items(found) if live is found else as_drafted(self.items(live), found.draft)
        return self._contents.findings(content_of(items))
