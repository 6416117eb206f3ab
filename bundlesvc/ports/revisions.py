"""The ports of revisions: the stores of revisions, selections and preview links, and the format of a shop's content."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.revisions.audit import AuditEntry, AuditFilter
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.finding import Finding
from bundlesvc.domain.revisions.items import DraftItem, ItemName
from bundlesvc.domain.revisions.plain import Plain
from bundlesvc.domain.revisions.preview_link import PreviewLink
from bundlesvc.domain.revisions.revision import Act, Response, Revision, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile


class StoredRevision(NamedTuple):
    """A revision, the shop as its base has it (as the revision itself has it, once it is published), and the items that a draft
    changes in that."""

    revision: Revision
    shop_file: ShopFile
    draft: Sequence[DraftItem]


class StoredItem(NamedTuple):
    """An item of a revision: as a part of the shop that the revision is based on, and as the draft has it, if that changes
    it."""

    revision: Revision
    base: Any
    draft: DraftItem | None


class ResponseStored(Exception):
    """The request was made before, with the same idempotency key; `response` was its response."""

    def __init__(self, response: Response) -> None:
        super().__init__(response)
        self.response = response


class RevisionStore(Protocol):
    """Revisions of shops. Every write is one transaction with its entry in the audit log, and with the response to remember for
    its idempotency key. Raises StorageUnavailable, and on writes ResponseStored and IdempotencyKeyReused."""

    async def revisions(self, tenant: Tenant, wanted: RevisionFilter) -> Sequence[Revision]:
        """The revisions of a filter, newest first."""

    async def revision(self, tenant: Tenant, number: int | None) -> Revision:
        """A revision; with None the live one. Raises NotFound."""

    async def authors(self, tenant: Tenant, number: int) -> Collection[str]:
        """The names of those who have made or changed a draft."""

    async def read(self, tenant: Tenant, number: int | None) -> StoredRevision:
        """A revision with its content, as of one moment. Raises NotFound."""

    async def draft(self, tenant: Tenant, number: int) -> tuple[Revision, Sequence[DraftItem]]:
        """A revision with the items that it changes as a draft, as of one moment. Raises NotFound."""

    async def item(self, tenant: Tenant, number: int | None, item: ItemName) -> StoredItem:
        """One item of a revision. Raises NotFound when there is no such revision."""

    async def last_number(self, tenant: Tenant, kind: str) -> int:
        """The highest number that an item of a kind has or had, in any revision; 0 when there is none."""

    async def stored_response(self, tenant: Tenant, api_key: str, key: IdempotencyKey, now: int) -> Response | None:
        """The stored response to a request. Raises IdempotencyKeyReused when its body was another one."""

    async def create(self, tenant: Tenant, act: Act, message: str, draft: Sequence[DraftItem], action: str) -> Revision:
        """Make a draft of the live revision."""

    async def edit(
        self, tenant: Tenant, act: Act, revision: Revision, draft: Sequence[DraftItem], changes: Iterable[Change]
    ) -> Revision:
        """Replace items of a draft. One that equals its base is a change no longer. Raises RevisionOutdated unless the draft
        still is as `revision` says."""

    async def change(self, tenant: Tenant, act: Act, revision: Revision, to: Revision, action: str) -> Revision:
        """Change the state, the message and the schedule of a revision to those of `to`. Raises RevisionOutdated unless it
        still is as `revision` says."""

    async def publish(
        self,
        tenant: Tenant,
        act: Act,
        revision: Revision,
        message: str,
        merged: Callable[[ShopFile | None], ShopFile],
    ) -> Revision:
        """Publish a draft: store its content and make it live, in one transaction. `merged` makes the content from what is live
        at that moment, runs in a thread, and may be called again. Raises what it raises, and RevisionOutdated."""

    async def due(self, now: int) -> Sequence[tuple[Tenant, Revision]]:
        """Scheduled revisions whose time has come, and that were not tried within the last minute, with their shops."""

    async def overdue(self) -> int:
        """The number of scheduled revisions that could not be published at their times."""

    async def report(self, tenant: Tenant, revision: Revision, problem: str, now: int) -> None:
        """Store why a scheduled revision could not be published at its time."""

    async def entries(self, tenant: Tenant, wanted: AuditFilter) -> Sequence[AuditEntry]:
        """The entries of a filter, newest first."""


class SelectionStore(Protocol):
    """The selections that shoppers have configured. Raises StorageUnavailable."""

    async def newest(self, tenant: Tenant, bundle_ids: Collection[int] | None, limit: int) -> Sequence[StoredSelection]:
        """The newest selections of these bundles (None: of all), `limit` in all; without those of test keys."""


class PreviewLinkStore(Protocol):
    """The links to previews of a shop. One that has expired, that was taken back, whose key was revoked, or whose draft was
    discarded is not valid. Raises StorageUnavailable."""

    async def add(self, tenant: Tenant, act: Act, key_id: int, link: PreviewLink) -> PreviewLink:
        """The link with its id, once it is stored for the key (its row id). Raises NotFound without its revision,
        RevisionState when that is discarded, and TooManyLinks."""

    async def valid(self, tenant: Tenant, now: int) -> Sequence[PreviewLink]:
        """The valid links, newest first."""

    async def find(self, shop_id: int, link_id: int, now: int) -> PreviewLink | None:
        """A link of a shop (its row id), if it is valid."""

    async def remove(self, tenant: Tenant, act: Act, link_id: int) -> PreviewLink:
        """The link that is valid no more. Raises NotFound."""


class ContentFormat(Protocol):
    """The format of contents: that of shop files."""

    def content(self, shop_file: ShopFile) -> dict[str, Any]:
        """A shop as plain data."""

    def item(self, item: ItemName, part: Any) -> Plain:
        """A part of a shop as plain data."""

    def canonical(self, item: ItemName, plain: Plain) -> Plain:
        """An item as `content` would write it; unchanged where it is not valid."""

    def shop_file(self, content: Mapping[str, Any]) -> ShopFile:
        """The shop with a content. Raises RevisionInvalid with every fault."""

    def findings(self, content: Mapping[str, Any]) -> Sequence[Finding]:
        """What the linter finds in a content; also everything that makes it invalid."""
