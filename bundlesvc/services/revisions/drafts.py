"""Creates, edits and discards drafts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest, NotFound
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.revisions.audit import CREATE, DISCARD, REVERT
from bundlesvc.domain.revisions.difference import difference
from bundlesvc.domain.revisions.items import (
    BUNDLES,
    NAMES,
    SHOP,
    THE_SHOP,
    DraftItem,
    ItemName,
    below,
    draft_between,
    items_of,
)
from bundlesvc.domain.revisions.merge_patch import patched
from bundlesvc.domain.revisions.plain import ABSENT, Plain
from bundlesvc.domain.revisions.refusals import IdUsed, IfMatchRequired, RevisionOutdated, RevisionState
from bundlesvc.domain.revisions.revision import ANY, DISCARDED, DRAFT, LIVE, OPEN, PUBLISHED, Act, Revision, Seen
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.revisions import ContentFormat, RevisionStore, StoredItem


class Drafts:
    """Edits drafts. With each change, the caller must specify which state of the draft it has seen. Raises IfMatchRequired when
    this state is missing, RevisionOutdated when the draft has changed since, RevisionState when the revision is not a draft, and
    NotFound."""

    def __init__(self, store: RevisionStore, contents: ContentFormat) -> None:
        self._store = store
        self._contents = contents

    async def create(self, tenant: Tenant, act: Act, message: str) -> Revision:
        """Create a draft based on the live revision."""
        return await self._store.create(tenant, act, message, (), CREATE)

    async def revert(self, tenant: Tenant, act: Act, number: int, message: str) -> Revision:
        """Create a draft that restores an earlier revision. Raises NotFound, RevisionState."""
        past = await self._store.read(tenant, number)
        if past.revision.state == LIVE:
            raise RevisionState("This revision is live: there is nothing to restore.")
        if past.revision.state not in PUBLISHED:
            raise RevisionState("This revision was never published: there is nothing to restore.")
        live = await self._store.read(tenant, None)
        before, after = (items_of(self._contents.content(each.shop_file)) for each in (live, past))
        return await self._store.create(tenant, act, message, draft_between(before, after), REVERT)

    async def discard(self, tenant: Tenant, act: Act, number: int, seen: Seen) -> Revision:
        """Discard a draft or a scheduled revision."""
        revision = await self._store.revision(tenant, number)
        check_open(revision, seen)
        return await self._store.change(
            tenant, act, revision, replace(revision, state=DISCARDED, publish_at=None, problem=None), DISCARD
        )

    async def put(
        self, tenant: Tenant, act: Act, number: int, seen: Seen, item: ItemName, document: Mapping[str, Any]
    ) -> tuple[Revision, Plain]:
        """Replace or add an item of a draft. Returns the draft and the item. Raises InvalidRequest when the item's own name
        differs from `item`."""
        found = await self._draft_item(tenant, number, seen, item)
        return await self._store_item(tenant, act, found, item, self._named(tenant, item, document, found))

    async def patch(
        self, tenant: Tenant, act: Act, number: int, seen: Seen, item: ItemName, patch: Mapping[str, Any]
    ) -> tuple[Revision, Plain]:
        """Change an item of a draft with a merge patch (RFC 7386). Raises what `put` raises, and NotFound when there is no such
        item."""
        found = await self._draft_item(tenant, number, seen, item)
        current = self._current(item, found)
        if current is ABSENT:
            raise NotFound
        return await self._store_item(
            tenant, act, found, item, self._named(tenant, item, patched(current, patch), found)
        )

    async def delete(self, tenant: Tenant, act: Act, number: int, seen: Seen, item: ItemName) -> Revision:
        """Remove an item from a draft. Raises NotFound when there is no such item."""
        found = await self._draft_item(tenant, number, seen, item)
        if self._current(item, found) is ABSENT:
            raise NotFound
        return (await self._store_item(tenant, act, found, item, ABSENT))[0]

    async def add(
        self, tenant: Tenant, act: Act, number: int, seen: Seen, document: Mapping[str, Any]
    ) -> tuple[Revision, Plain]:
        """Add a bundle to a draft, under its own id or the next free one. Raises IdUsed, InvalidRequest."""
        if document.get("id") is None:
            item = ItemName(BUNDLES, str(await self._store.last_number(tenant, BUNDLES) + 1))
        else:
            item = ItemName(BUNDLES, _bundle_id(document["id"]))
        found = await self._draft_item(tenant, number, seen, item)
        if self._current(item, found) is not ABSENT:
            raise IdUsed
        return await self._store_item(tenant, act, found, item, self._named(tenant, item, document, found))

    async def duplicate(
        self, tenant: Tenant, act: Act, number: int, seen: Seen, item: ItemName
    ) -> tuple[Revision, Plain]:
        """Add an unpublished copy of a bundle to a draft, under the next free id. Raises NotFound when there is no such
        bundle."""
        original = self._current(item, await self._draft_item(tenant, number, seen, item))
        if original is ABSENT:
            raise NotFound
        copy = {**original, "id": None, "published": False, "name": f"{original.get('name') or 'Bundle'} (copy)"}
        return await self.add(tenant, act, number, seen, copy)

    async def _draft_item(self, tenant: Tenant, number: int, seen: Seen, item: ItemName) -> StoredItem:
        """Look up an item for a change to a draft, after checking that the draft may be changed. The draft need not contain the
        item yet."""
        found = await self._store.item(tenant, number, item)
        check_seen(found.revision, seen)
        if found.revision.state != DRAFT:
            raise RevisionState(f"This revision is {found.revision.state}. Only drafts can be changed.")
        return found

    def _current(self, item: ItemName, found: StoredItem) -> Plain:
        return self._contents.item(item, found.base) if found.draft is None else found.draft.document

    def _named(self, tenant: Tenant, item: ItemName, document: Mapping[str, Any], found: StoredItem) -> Plain:
        """Return the document with the item's name filled in. A valid document is returned in canonical form. Raises
        InvalidRequest."""
        made = dict(document)
        if item.kind == SHOP:
            _check_fixed(made, self._contents.item(THE_SHOP, tenant.shop))
        else:
            key = NAMES[item.kind]
            if made.get(key) is not None and str(made[key]) != item.name:
                raise InvalidRequest([Fault(key, "invalid", f"Must be {item.name}, as in the path, or left out.")])
            made = {key: item.value, **{name: value for name, value in made.items() if name != key}}
        return self._contents.canonical(item, made)

    async def _store_item(
        self, tenant: Tenant, act: Act, found: StoredItem, item: ItemName, document: Plain
    ) -> tuple[Revision, Plain]:
        base = self._contents.item(item, found.base) if found.draft is None else found.draft.base
        changes = below(item, difference(self._current(item, found), document))
        draft = [DraftItem(item, base, document)]
        made = await self._store.edit(tenant, act.about(document), found.revision, draft, changes)
        return made, document


def check_seen(revision: Revision, seen: Seen) -> None:
    """Check that the caller has seen the current state of a revision. Raises IfMatchRequired, RevisionOutdated."""
    if seen is None:
        raise IfMatchRequired
    if seen is not ANY and revision.tag not in seen:
        raise RevisionOutdated


def check_open(revision: Revision, seen: Seen) -> None:
    """Check that the caller has seen the current state of a revision, and that it is a draft or scheduled. Raises
    IfMatchRequired, RevisionOutdated, RevisionState."""
    check_seen(revision, seen)
    if revision.state not in OPEN:
        raise RevisionState(
            f"This revision is {revision.state}. Only drafts and scheduled revisions can be published or discarded."
        )


def _check_fixed(shop: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Check that the fields that identify the shop have not changed. Raises InvalidRequest."""
    faults = [
        Fault(key, "invalid", "Cannot be changed here. The shop's operator sets it, with `bundlesvc load`.")
        for key in ("handle", "platform")
        if shop.get(key) != own.get(key)
    ]
    if faults:
        raise InvalidRequest(faults)


def _bundle_id(value: Any) -> str:
    """Return the id of a new bundle as a string. Raises InvalidRequest."""
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MAX_ID:
        raise InvalidRequest([Fault("id", "invalid", f"Must be a whole number from 1 to {MAX_ID}.")])
    return str(int(text))
