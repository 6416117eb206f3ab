"""Stored preview links, on SQLite and PostgreSQL: which links are valid, and when their rows are deleted."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.revisions.preview_link import DAY, NOW, PreviewLink
from bundlesvc.domain.revisions.refusals import RevisionState, TooManyLinks
from bundlesvc.domain.revisions.revision import ANY
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import preview_links as rows
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.revisions import preview_links
from bundlesvc.storage.revisions.preview_links import SqlPreviewLinks
from bundlesvc.system import RandomIds
from tests.fakes import FakeClock
from tests.process.shop import BOX
from tests.storage.revisions.revising import AT, Revising, act

END = AT + DAY


class Sharing:
    """A draft, and the key with which it is shared."""

    def __init__(self, database: Database, tenant: Tenant, draft: int, key: str, key_id: int) -> None:
        self.links = SqlPreviewLinks(database)
        self.database, self.tenant, self.draft, self.key, self.key_id = database, tenant, draft, key, key_id

    async def make(self) -> PreviewLink:
        link = PreviewLink(0, self.draft, BOX, NOW, "Mira", AT, END)
        return await self.links.add(self.tenant, act(), self.key_id, link)

    async def valid(self, now: int = AT) -> list[int]:
        """Return the ids of the valid links, and check that the store finds exactly these links."""
        listed = [link.id for link in await self.links.valid(self.tenant, now)]
        found = [await self.links.find(self.tenant.id, each, now) for each in range(1, 10)]
        assert sorted(listed) == [each.id for each in found if each is not None]
        return listed


@pytest.fixture
async def sharing(database: Database, tenant: Tenant) -> Sharing:
    draft = await Revising(database, tenant).drafts.create(tenant, act(), "")
    store = SqlKeyStore(database)
    key = await create_key(store, tenant, KeyRequest("Mira", scopes=("manage:write",)), FakeClock(), RandomIds())
    ((_, stored),) = [each for each in await store.keys() if each[1].prefix == key[:16]]
    return Sharing(database, tenant, draft.number, key, stored.id)


async def test_link_is_valid_until_the_second_of_its_end(sharing: Sharing) -> None:
    link = await sharing.make()
    assert await sharing.valid(END - 1) == [link.id]
    assert await sharing.valid(END) == []


async def test_link_of_one_shop_is_not_found_in_another(sharing: Sharing) -> None:
    link = await sharing.make()
    other = replace(sharing.tenant, id=sharing.tenant.id + 1)
    assert await sharing.links.find(other.id, link.id, AT) is None
    assert await sharing.links.valid(other, AT) == []
    with pytest.raises(NotFound):
        await sharing.links.remove(other, act(), link.id)
    assert await sharing.valid() == [link.id]


async def test_link_that_was_removed_is_valid_no_more(sharing: Sharing) -> None:
    first, second = await sharing.make(), await sharing.make()
    assert await sharing.links.remove(sharing.tenant, act(), first.id) == first
    assert await sharing.valid() == [second.id]
    with pytest.raises(NotFound):
        await sharing.links.remove(sharing.tenant, act(), first.id)


async def test_links_end_with_their_key(sharing: Sharing) -> None:
    await sharing.make()
    await SqlKeyStore(sharing.database).revoke_key(sharing.key[:16])
    assert await sharing.valid() == []


async def test_links_end_with_their_draft_which_gets_no_others(sharing: Sharing) -> None:
    await sharing.make()
    await Revising(sharing.database, sharing.tenant).drafts.discard(sharing.tenant, act(), sharing.draft, ANY)
    assert await sharing.valid() == []
    with pytest.raises(RevisionState):
        await sharing.make()


async def test_only_valid_links_count_for_the_limit(sharing: Sharing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview_links, "MAX_LINKS", 1)
    await sharing.make()
    with pytest.raises(TooManyLinks):
        await sharing.make()
    await SqlKeyStore(sharing.database).revoke_key(sharing.key[:16])
    await sharing.make()


async def test_rows_of_expired_links_are_deleted(sharing: Sharing) -> None:
    await sharing.make()
    for now, left in ((END - 1, 1), (END, 0)):
        await prune(sharing.database, now, Retention())
        assert await sharing.database.read(lambda each: each.scalar(select(func.count()).select_from(rows))) == left
