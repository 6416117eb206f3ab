"""Drafts, publishes and reads revisions in a database, for tests."""

from dataclasses import dataclass, replace
from typing import Any

from bundlesvc.domain.revisions.items import BUNDLES, PRODUCTS, ItemName
from bundlesvc.domain.revisions.revision import ANY, API, Act, Actor, Revision, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.services.revisions.drafts import Drafts
from bundlesvc.services.revisions.publishing import Publishing
from bundlesvc.services.revisions.reading import Revisions
from bundlesvc.shop_file.contents import ShopFileContents, describe
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal
from bundlesvc.storage.revisions.store import SqlRevisionStore
from tests.process.shop import BOX, PAIR

MIRA = Actor("Mira", "192.0.2.7", API)
FILE = Actor("bundlesvc load", "host", "file:shop.yaml")
AT = 1_800_000_000

THE_BOX = ItemName(BUNDLES, str(BOX))
THE_PAIR = ItemName(BUNDLES, str(PAIR))
THE_MUG = ItemName(PRODUCTS, "222")


def act(actor: Actor = MIRA, now: int = AT, **further: Any) -> Act:
    return Act(actor, now, **further)


@dataclass
class Revising:
    """Drafts, publishes and reads the revisions of one shop."""

    database: Database
    tenant: Tenant

    def __post_init__(self) -> None:
        self.store = SqlRevisionStore(self.database, describe)
        contents = ShopFileContents()
        self.reading = Revisions(self.store, contents)
        self.drafts = Drafts(self.store, contents)
        self.publishing = Publishing(self.store, contents)

    async def draft(self, item: ItemName, patch: dict[str, Any]) -> Revision:
        """Create a draft with one change."""
        made = await self.drafts.create(self.tenant, act(), "")
        return await self.patch(made, item, patch)

    async def patch(self, draft: Revision, item: ItemName, patch: dict[str, Any]) -> Revision:
        return (await self.drafts.patch(self.tenant, act(), draft.number, frozenset((draft.tag,)), item, patch))[0]

    async def publish(self, draft: Revision, now: int = AT) -> Revision:
        return await self.publishing.publish(self.tenant, act(now=now), draft.number, ANY, None)

    async def load(self, shop_file: ShopFile, now: int = AT) -> bool:
        """Load a shop file, which creates a revision."""
        journal = RevisionJournal(Publication(act(FILE, now), "load"), describe)
        return await SqlShopFileStore(self.database, journal).replace(shop_file)

    async def content(self, number: int | None = None) -> dict[str, Any]:
        return (await self.reading.content(self.tenant, number))[1]

    async def bundle(self, bundle: ItemName = THE_BOX, number: int | None = None) -> Any:
        return (await self.reading.item(self.tenant, number, bundle))[1]

    async def states(self) -> list[tuple[int, str]]:

        return [(each.number, each.state) for each in await self.reading.list(self.tenant, RevisionFilter())]


def renamed(shop_file: ShopFile, name: str) -> ShopFile:
    """Return the shop file with its first bundle renamed to `name`."""
    first, *others = shop_file.bundles
    return replace(shop_file, bundles=(replace(first, name=name), *others))
