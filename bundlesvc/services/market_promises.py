"""What a ghost variant was promised to cost in a market, made true on the platform before anybody hears of it."""

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.ghost_prices import GhostPrice, MarketPromise, MarketTerms, needs_own_price, wanted_price
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import MarketPromiseStore, Platform

PRICE_TRUST = 60 * 60
"""After so many seconds a price is set once more: somebody may have removed it from the platform's price list."""


class MarketPromises:
    """The use case."""

    def __init__(self, platform: Platform, store: MarketPromiseStore) -> None:
        self._platform = platform
        self._store = store

    async def promise(
        self, tenant: Tenant, country: str, terms: MarketTerms, price: GhostPrice, now: int, variant_id: int
    ) -> bool:
        """Make a ghost variant cost the promise in a country, on the price list of `terms`. False, and nothing is done, when
        another promise stands there already. Raises what `Platform` and `MarketPromiseStore` raise."""
        price_list = terms.price_list or ""
        standing = await self._store.find(tenant, variant_id, price_list)
        if standing is None:
            standing = await self._store.add(tenant, variant_id, price_list, MarketPromise(country, price.promise))
        if standing.promise != price.promise:
            return False
        if standing.price is not None or needs_own_price(price, terms):
            await self._set_price(tenant, variant_id, terms, price, standing, now)
        return True

    async def _set_price(
        self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: GhostPrice, standing: MarketPromise, now: int
    ) -> None:
        wanted = wanted_price(price, terms)
        if standing.price == wanted and now - standing.priced_at < PRICE_TRUST:
            return
        try:
            await self._platform.set_ghost_price(tenant, variant_id, terms, wanted)
        except Unavailable:
            if standing.price == wanted:
                return  # most likely it is still there
            raise
        await self._store.priced(tenant, variant_id, terms.price_list or "", wanted, now)
