"""Ghost variants: the variant that stands for a configured bundle in a cart, at its discounted price."""

from decimal import Decimal
from functools import partial

from bundlesvc.domain.configured import ConfiguredBundle, ghost_identity, market_identity
from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.ghost_prices import GhostPrice
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ConfiguredStore, Ghost, Platform
from bundlesvc.services.market_promises import MarketPromises

GHOSTS_PER_PRODUCT = 2000
"""Where a platform's limit of variants per product (2,048) is near, the least recently used ghosts are retired."""

GHOST_REST = 30 * 24 * 60 * 60
"""A ghost variant is never retired within so many seconds of its last use: it may still lie in a cart."""

GHOST_TRUST = 60 * 60
"""After so many seconds the platform is asked again whether it still has a ghost variant: somebody may have deleted it there."""


class GhostVariants:
    """Finds the ghost variant that a configured bundle shares with its equals, or makes it on the platform."""

    def __init__(self, platform: Platform, store: ConfiguredStore, promises: MarketPromises) -> None:
        self._platform = platform
        self._store = store
        self._promises = promises

    async def ghost_for(self, tenant: Tenant, configured: ConfiguredBundle, price: GhostPrice) -> Ghost:
        """The ghost variant for the cart: it costs the base price at home, and the promise in the country. Raises what
        `Platform` and the stores raise."""
        identity = ghost_identity(configured.bundle_id, configured.items, price.base)
        ghost = await self._found_or_made(tenant, configured, identity, price.base)
        if configured.country is None:
            return ghost
        terms = await self._platform.market_terms(tenant, configured.country)
        if terms.price_list is None:
            return ghost
        promised = partial(self._promises.promise, tenant, configured.country, terms, price, configured.configured_at)
        if not await promised(ghost.variant_id):
            identity = market_identity(identity, terms.price_list, price.promise)
            ghost = await self._found_or_made(tenant, configured, identity, price.base)
            await promised(ghost.variant_id)
        return ghost

    async def _found_or_made(
        self, tenant: Tenant, configured: ConfiguredBundle, identity: str, price: Decimal
    ) -> Ghost:
        shared = await self._store.ghost(tenant, identity)
        now, product_id = configured.configured_at, configured.product_id
        if shared is not None and now - shared.confirmed_at < GHOST_TRUST:
            return shared
        try:
            if shared is None:
                await self._make_room(tenant, product_id, now)
            variant_id = await self._platform.create_ghost_variant(tenant, product_id, identity, price)
        except Unavailable:
            if shared is None:
                raise
            return shared  # most likely it is still there
        return Ghost(identity, product_id, variant_id, confirmed_at=now)

    async def _make_room(self, tenant: Tenant, product_id: int, now: int) -> None:
        retired = await self._store.retire_ghosts(tenant, product_id, GHOSTS_PER_PRODUCT, now - GHOST_REST, now)
        if not retired:
            return
        try:
            await self._platform.retire_ghost_variants(tenant, product_id, [ghost.variant_id for ghost in retired])
        except Unavailable:
            await self._store.revive_ghosts(tenant, retired)
            raise
