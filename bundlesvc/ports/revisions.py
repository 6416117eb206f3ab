"""The ports for revisions: the stores of revisions, selections and preview links, and the format of a shop's content."""

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
    """A revision with its content. `shop_file` is the shop as defined by the revision; for a revision that is not published yet,
    it is the shop of its base revision. `draft` lists the items that the draft changes."""

    revision: Revision
    shop_file: ShopFile
    draft: Sequence[DraftItem]


class StoredItem(NamedTuple):
    """An item in a revision. `base` is the same item in the revision on which `revision` is based; `draft` is the changed item,
    or None when the draft does not change it."""

    revision: Revision
    base: Any
    draft: DraftItem | None


class ResponseStored(Exception):
    """Raised when a request with the same idempotency key has already been made; `response` is its stored response."""

    def __init__(self, response: Response) -> None:
        super().__init__(response)
        self.response = response


class RevisionStore(Protocol):
    """Stores the revisions of shops. Every write is one transaction, together with its entry in the audit log and the response to
    store for its idempotency key. Raises StorageUnavailable and, on writes, ResponseStored and IdempotencyKeyReused."""

    async def revisions(self, tenant: Tenant, wanted: RevisionFilter) -> Sequence[Revision]:
        """Return the revisions that match a filter, newest first."""

    async def revision(self, tenant: Tenant, number: int | None) -> Revision:
        """Return the revision with this number, or the live revision when `number` is None. Raises NotFound."""

    async def authors(self, tenant: Tenant, number: int) -> Collection[str]:
        """Return the names of everyone who created or edited a draft."""

    async def read(self, tenant: Tenant, number: int | None) -> StoredRevision:
        """Read a revision and its content, as one snapshot. Raises NotFound."""

    async def draft(self, tenant: Tenant, number: int) -> tuple[Revision, Sequence[DraftItem]]:
        """Read a revision and, while it is a draft, the items that it changes, as one snapshot. Raises NotFound."""

    async def item(self, tenant: Tenant, number: int | None, item: ItemName) -> StoredItem:
        """Read one item of a revision. Raises NotFound when there is no such revision."""

    async def last_number(self, tenant: Tenant, kind: str) -> int:
        """Return the highest number ever used for an item of the given kind, in any revision; 0 when no number was used."""

    async def stored_response(self, tenant: Tenant, api_key: str, key: IdempotencyKey, now: int) -> Response | None:
        """Return the response that is stored for an earlier request with this key, or None. Raises IdempotencyKeyReused when that
        request had a different body."""

    async def create(self, tenant: Tenant, act: Act, message: str, draft: Sequence[DraftItem], action: str) -> Revision:
        """Create a draft based on the live revision."""

    async def edit(
        self, tenant: Tenant, act: Act, revision: Revision, draft: Sequence[DraftItem], changes: Iterable[Change]
    ) -> Revision:
        """Replace items of a draft. An item that equals its base no longer counts as changed. Raises RevisionOutdated unless the
        stored draft still equals `revision`."""

    async def change(self, tenant: Tenant, act: Act, revision: Revision, to: Revision, action: str) -> Revision:
        """Set the state, message and schedule of a revision to those of `to`. Raises RevisionOutdated unless the stored revision
        still equals `revision`."""

    async def publish(
        self,
        tenant: Tenant,
        act: Act,
        revision: Revision,
        message: str,
        merged: Callable[[ShopFile | None], ShopFile],
    ) -> Revision:
        """Publish a draft: store its content and make it live, in one transaction. `merged` builds the content from the content
        that is live at that moment; it runs in a thread and may be called more than once. Raises RevisionOutdated, and any error
        raised by `merged`."""

    async def due(self, now: int) -> Sequence[tuple[Tenant, Revision]]:
        """Return the scheduled revisions that are due, with their shops, except those whose publication was attempted within the
        last minute."""

    async def overdue(self) -> int:
        """Count the scheduled revisions that could not be published on time."""

    async def report(self, tenant: Tenant, revision: Revision, problem: str, now: int) -> None:
        """Store why a scheduled revision could not be published on time."""

    async def entries(self, tenant: Tenant, wanted: AuditFilter) -> Sequence[AuditEntry]:
        """Return the audit log entries that match a filter, newest first."""


class SelectionStore(Protocol):
    """Stores the selections that shoppers have configured. Raises StorageUnavailable."""

    async def newest(self, tenant: Tenant, bundle_ids: Collection[int] | None, limit: int) -> Sequence[StoredSelection]:
        """Return the newest selections of these bundles, or of all bundles when `bundle_ids` is None: up to `limit` in total.
        Leaves out selections made with test keys."""


class PreviewLinkStore(Protocol):
    """Stores the preview links of a shop. A link is invalid once it has expired or been revoked, its key has been
    revoked, or its draft has been discarded. Raises StorageUnavailable."""

    async def add(self, tenant: Tenant, act: Act, key_id: int, link: PreviewLink) -> PreviewLink:
        """Store a preview link for a key (`key_id` is the key's row id), and return the link with its id. Raises NotFound when
        the link's revision does not exist, RevisionState when that revision was discarded, and TooManyLinks."""

    async def valid(self, tenant: Tenant, now: int) -> Sequence[PreviewLink]:
        """Return the valid links, newest first."""

    async def find(self, shop_id: int, link_id: int, now: int) -> PreviewLink | None:
        """Find a valid link of a shop; `shop_id` is the shop's row id."""

    async def remove(self, tenant: Tenant, act: Act, link_id: int) -> PreviewLink:
        """Invalidate a link and return it. Raises NotFound."""


class ContentFormat(Protocol):
    """The format of a shop's content, which is the format of shop files."""

    def content(self, shop_file: ShopFile) -> dict[str, Any]:
        """Convert a shop to plain data."""

    def item(self, item: ItemName, part: Any) -> Plain:
        """Convert a part of a shop, which is the item with this name, to plain data."""

    def canonical(self, item: ItemName, plain: Plain) -> Plain:
        """Convert an item to the form that it has in the result of `content`. An invalid item is returned unchanged."""

    def shop_file(self, content: Mapping[str, Any]) -> ShopFile:
        """Build the shop from its content. Raises RevisionInvalid with every fault."""

    def findings(self, content: Mapping[str, Any]) -> Sequence[Finding]:
        """Return the linter's findings for this content, including every fault that makes it invalid."""
