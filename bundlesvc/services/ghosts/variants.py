"""Ghost variants: each is added to a cart in place of one selection, at that selection's discounted price
(docs/contract.md#ghost-variants)."""

from collections.abc import Sequence
from functools import partial

from bundlesvc.domain.configured import ConfiguredBundle
from bundlesvc.domain.errors import GhostVariantsFull, Unavailable
from bundlesvc.domain.ghosts.identity import ghost_identity, market_identity
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.line import Line
from bundlesvc.domain.live_platform.platform_change import BUNDLE, INVENTORY_ITEM, PRODUCT, Change
from bundlesvc.domain.rate_limit import GHOST_VARIANTS
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ConfiguredStore, Platform
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.rate_limits import TokenPayment
from bundlesvc.services.ghosts.promises import MarketPromises
from bundlesvc.services.price_selection import Quote

VARIANTS_PER_PRODUCT = 2048
"""The maximum number of variants of a product on a live platform."""

GHOSTS_PER_PRODUCT = 2000
"""The maximum number of ghost variants per product. The rest of `VARIANTS_PER_PRODUCT` is reserved for the product's own
variants."""

CROWDED = VARIANTS_PER_PRODUCT * 4 // 5
"""The number of ghost variants at which a product counts as nearly full."""

GHOST_REST = 60 * 60
"""Seconds without use after which a ghost variant of a full product may be replaced by another."""

GHOST_TRUST = 60 * 60
"""Seconds after which the platform must confirm a ghost variant again, in case somebody has deleted it there."""


class GhostVariants:
    """Finds the ghost variant for a configured bundle, or creates it on the platform. Configured bundles with the same identity
    share a variant. `retired` counts the variants that were removed to make room for others."""

    def __init__(self, platform: Platform, store: ConfiguredStore, promises: MarketPromises) -> None:
        self._platform = platform
        self._store = store
        self._promises = promises
        self.retired = 0

    async def ghost_for(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        quote: Quote,
        payment: TokenPayment,
        deadline: RequestDeadline,
    ) -> Ghost:
        """Find or create the ghost variant that represents a configured bundle in the cart. The variant costs the base price in
        the home market, and the promised price in the shopper's country. Creating a new variant takes a token from the visitor's
        limit. Raises GhostVariantsFull, RateLimited, and what `Platform` and the stores raise."""
        price = quote.ghost_price
        identity = ghost_identity(configured.bundle_id, configured.items, price.base)
        ghost = await self._find_or_create(tenant, configured, quote, identity, payment, deadline)
        if configured.country is None:
            return ghost
        terms = await self._platform.market_terms(tenant, configured.country, deadline)
        if terms.price_list is None:
            return ghost
        promised = partial(self._promises.promise, tenant, configured.country, terms, price, configured.configured_at)
        if not await promised(ghost.variant_id):
            identity = market_identity(identity, terms.price_list, price.promise)
            ghost = await self._find_or_create(tenant, configured, quote, identity, payment, deadline)
            await promised(ghost.variant_id)
        return ghost

    async def _find_or_create(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        quote: Quote,
        identity: str,
        payment: TokenPayment,
        deadline: RequestDeadline,
    ) -> Ghost:
        shared = await self._store.ghost(tenant, identity)
        now, product_id = configured.configured_at, configured.product_id
        if shared is not None and now - shared.confirmed_at < GHOST_TRUST:
            return shared
        try:
            if shared is None:
                await payment.pay(GHOST_VARIANTS)
                await self._make_room(tenant, product_id, now)
            price = quote.ghost_price.base
            variant_id = await self._platform.create_ghost_variant(tenant, product_id, identity, price, deadline)
        except Unavailable:
            if shared is None:
                raise
            return shared  # the variant most likely still exists
        subjects = _subjects(configured.bundle_id, quote.lines)
        return Ghost(identity, product_id, variant_id, confirmed_at=now, subjects=subjects)

    async def _make_room(self, tenant: Tenant, product_id: int, now: int) -> None:
        room = await self._store.make_room(tenant, product_id, GHOSTS_PER_PRODUCT, now - GHOST_REST, now)
        if room.free_at is not None:
            raise GhostVariantsFull(retry_after=max(1, room.free_at - now))
        if not room.claim.ghosts:
            return
        retired = [claimed.ghost.variant_id for claimed in room.claim.ghosts]
        try:
            await self._platform.retire_ghost_variants(tenant, product_id, retired)
        except Unavailable:
            await self._store.revive_ghosts(room.claim, now)
            raise
        await self._store.removed(room.claim, now)
        self.retired += len(retired)


def _subjects(bundle_id: int, lines: Sequence[Line]) -> frozenset[Change]:
    """Return the objects whose changes may break the promise of a ghost variant: the bundle, and the products and inventory items
    of the lines."""
    items = {line.variant.inventory_item_id for line in lines}
    return frozenset(
        (
            Change(BUNDLE, bundle_id),
            *(Change(PRODUCT, line.product.id) for line in lines),
            *(Change(INVENTORY_ITEM, item) for item in items if item is not None),
        )
    )
