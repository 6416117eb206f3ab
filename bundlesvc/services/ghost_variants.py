"""Ghost variants: the variant that stands for a configured bundle in a cart, at its discounted price."""

from decimal import Decimal

from bundlesvc.domain.configured import ConfiguredBundle, ghost_identity
from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.money import HUNDRED, round_amount
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ConfiguredStore, Ghost, Platform

GHOSTS_PER_PRODUCT = 2000
"""Where a platform's limit of variants per product (2,048) is near, the least recently used ghosts are retired."""

GHOST_REST = 30 * 24 * 60 * 60
"""A ghost variant is never retired within so many seconds of its last use: it may still lie in a cart."""

GHOST_TRUST = 60 * 60
"""After so many seconds the platform is asked again whether it still has a ghost variant: somebody may have deleted it there."""


class GhostVariants:
    """Finds the ghost variant that a configured bundle shares with its equals, or makes it on the platform."""

    def __init__(self, platform: Platform, store: ConfiguredStore) -> None:
        self._platform = platform
        self._store = store

    async def ghost_for(self, tenant: Tenant, configured: ConfiguredBundle) -> Ghost:
        """The ghost variant for the cart. Raises what `Platform` and `ConfiguredStore` raise."""
        price = await self._ghost_price(tenant, configured)
        identity = ghost_identity(configured.bundle_id, configured.items, price)
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

    async def _ghost_price(self, tenant: Tenant, configured: ConfiguredBundle) -> Decimal:
        """The price at which the platform charges the discounted one, after what the country's market adds to it. A selling
        plan takes a subscription's percentage off the ghost variant itself."""
        pricing = configured.one_time
        if configured.country is None:
            return pricing.discounted
        adjustment = (await self._platform.market_terms(tenant, configured.country)).adjustment
        if adjustment <= -HUNDRED:  # such a market gives everything away, whatever the price
            return pricing.discounted
        return round_amount(pricing.discounted / (1 + adjustment / HUNDRED), pricing.currency)

    async def _make_room(self, tenant: Tenant, product_id: int, now: int) -> None:
        retired = await self._store.retire_ghosts(tenant, product_id, GHOSTS_PER_PRODUCT, now - GHOST_REST, now)
        if not retired:
            return
        try:
            await self._platform.retire_ghost_variants(tenant, product_id, [ghost.variant_id for ghost in retired])
        except Unavailable:
            await self._store.revive_ghosts(tenant, retired)
            raise
