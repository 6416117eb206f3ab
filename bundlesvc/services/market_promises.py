"""The promised prices of ghost variants in markets. Each is set on the platform before a response contains it."""

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.ghost_prices import GhostPrice, MarketPromise, MarketTerms, needs_own_price, wanted_price
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import MarketPromiseStore, Platform

PRICE_TRUST = 60 * 60
"""Seconds after which a price is set again, because somebody may have removed it from the platform's price list."""


class MarketPromises:
    """The use case."""

    def __init__(self, platform: Platform, store: MarketPromiseStore) -> None:
        self._platform = platform
        self._store = store

    async def promise(
        self, tenant: Tenant, country: str, terms: MarketTerms, price: GhostPrice, now: int, variant_id: int
    ) -> bool:
        """Make a ghost variant cost the promised price in a country, on the price list of `terms`. Returns False and does
        nothing when there is another promise already. Raises what `Platform` and `MarketPromiseStore` raise."""
        price_list = terms.price_list or ""
        existing = await self._store.find(tenant, variant_id, price_list)
        if existing is None:
            existing = await self._store.add(tenant, variant_id, price_list, MarketPromise(country, price.promise))
        if existing.promise != price.promise:
            return False
        if existing.price is not None or needs_own_price(price, terms):
            await self._set_price(tenant, variant_id, terms, price, existing, now)
        return True

    async def _set_price(
        self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: GhostPrice, existing: MarketPromise, now: int
    ) -> None:
        wanted = wanted_price(price, terms)
        if existing.price == wanted and now - existing.priced_at < PRICE_TRUST:
            return
        try:
            await self._platform.set_ghost_price(tenant, variant_id, terms, wanted)
        except Unavailable:
            if existing.price == wanted:
                return  # it is most likely still set
            raise
        await self._store.priced(tenant, variant_id, terms.price_list or "", wanted, now)
