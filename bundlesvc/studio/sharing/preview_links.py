"""Creates preview links, and finds a link by its token."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import NotFound, ShopNotEnabled
from bundlesvc.domain.revisions.items import BUNDLES, ItemName
from bundlesvc.domain.revisions.preview_link import DAY, PreviewLink
from bundlesvc.domain.revisions.revision import Act, Revision
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, RotatingCipher, ShopStore, TokenInvalid
from bundlesvc.ports.revisions import PreviewLinkStore
from bundlesvc.services.revisions.reading import Revisions


class SharedBundle(NamedTuple):
    """The bundle that a valid link shows: the link, its shop, and the current state of the revision."""

    link: PreviewLink
    tenant: Tenant
    revision: Revision


class PreviewLinks:
    """The preview links of all shops. `cipher` encrypts their tokens."""

    def __init__(
        self, store: PreviewLinkStore, shops: ShopStore, revisions: Revisions, cipher: RotatingCipher, clock: Clock
    ) -> None:
        self._store = store
        self._shops = shops
        self._revisions = revisions
        self._cipher = cipher
        self._clock = clock

    async def make(self, caller: Caller, act: Act, number: int, bundle_id: int, time: str, days: int) -> PreviewLink:
        """Create a link. Raises NotFound if the bundle is not in the revision, RevisionState if the revision is discarded, and
        TooManyLinks."""
        await self._revisions.item(caller.tenant, number, ItemName(BUNDLES, str(bundle_id)))
        link = PreviewLink(0, number, bundle_id, time, caller.key.label, act.now, act.now + days * DAY)
        return await self._store.add(caller.tenant, act, caller.key.id, link)

    async def valid(self, tenant: Tenant) -> Sequence[PreviewLink]:
        """Return the valid links of a shop, newest first."""
        return await self._store.valid(tenant, int(self._clock.now()))

    async def end(self, tenant: Tenant, act: Act, link_id: int) -> PreviewLink:
        """Revoke a link, effective immediately. Raises NotFound."""
        return await self._store.remove(tenant, act, link_id)

    def token(self, tenant: Tenant, link: PreviewLink) -> str:
        """Return the token at the end of a link's address."""
        return self._cipher.seal({"shop": tenant.id, "link": link.id}, link.created_at)

    async def find(self, token: str) -> SharedBundle | None:
        """Find the bundle that a token gives access to; None when the link is no longer valid. Raises TokenInvalid and
        ShopNotEnabled."""
        claims = self._cipher.unseal(token)
        try:
            shop_id, link_id = int(claims["shop"]), int(claims["link"])
        except (KeyError, TypeError, ValueError) as error:
            raise TokenInvalid from error
        link = await self._store.find(shop_id, link_id, int(self._clock.now()))
        tenants = [] if link is None else await self._shops.tenants([shop_id])
        if link is None or not tenants:
            return None
        if not tenants[0].shop.headless_enabled:
            raise ShopNotEnabled
        try:
            return SharedBundle(link, tenants[0], await self._revisions.find(tenants[0], link.revision))
        except NotFound:
            return None

    async def content(self, shared: SharedBundle) -> Mapping[str, Any]:
        """Return the content of the revision, reduced to the link's bundle. Raises NotFound if the bundle no longer exists."""
        _, content = await self._revisions.content(shared.tenant, shared.link.revision)
        bundles = [each for each in content["bundles"] if each["id"] == shared.link.bundle_id]
        if not bundles:
            raise NotFound
        return {**content, "bundles": bundles, "experiments": []}
