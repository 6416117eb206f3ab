"""Ensures that ghost variants keep their promised prices. A price in a market is set on the platform before the response that
contains it is sent. Upkeep checks the promises by pricing their selections again.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import InvalidInput, Unavailable
from bundlesvc.domain.ghosts.identity import ghost_identity, market_identity
from bundlesvc.domain.ghosts.prices import GhostPrice, MarketPromise, MarketTerms, needs_own_price, wanted_price
from bundlesvc.domain.ghosts.variant import ClaimedGhost, Promise, PromiseChecks
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import MarketPromiseStore, Platform, ShopStore
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.services.price_selection import PriceSelection, check_quote

PRICE_TRUST = 60 * 60
"""Seconds after which a price is set again, in case somebody has removed it from the platform's price list."""


class _Check(Enum):
    HELD = "held"
    BROKEN = "broken"
    BROKEN_IN_A_MARKET = "broken in a market"


class GhostPromises:
    """Checks the promises of ghost variants, using prices and stock at most `price_max_age` seconds old."""

    def __init__(
        self,
        shops: ShopStore,
        platform: Platform,
        price_selection: PriceSelection,
        markets: MarketPromiseStore,
        price_max_age: float,
    ) -> None:
        self._shops = shops
        self._platform = platform
        self._price_selection = price_selection
        self._markets = markets
        self._max_age = price_max_age

    async def check(self, tenant: Tenant, claimed: Sequence[ClaimedGhost]) -> PromiseChecks:
        """Check ghost variants of one shop. When the platform fails, the results for the remaining ghost variants are unknown."""
        found: dict[int, _Check] = {}
        try:
            await self._read_products(tenant, claimed)
            for one in claimed:
                found[one.id] = await self._check_promise(tenant, one)
                await asyncio.sleep(0)  # when all prices are cached, nothing else yields to other tasks
        except Unavailable:
            pass

        def those(wanted: _Check | None) -> list[int]:
            return [one.id for one in claimed if found.get(one.id) is wanted]

        return PromiseChecks(those(_Check.HELD), those(_Check.BROKEN), those(_Check.BROKEN_IN_A_MARKET), those(None))

    async def _read_products(self, tenant: Tenant, claimed: Iterable[ClaimedGhost]) -> None:
        """Fetch the products of all selections together, so that the individual checks find them in the cache."""
        promises = [one.promise for one in claimed if one.promise]
        products = {item.product_id for promise in promises for item in promise.items}
        await self._platform.products(tenant, sorted(products), self._max_age)

    async def _check_promise(self, tenant: Tenant, claimed: ClaimedGhost) -> _Check:
        promise = claimed.promise
        bundle = None if promise is None else await self._shops.bundle(tenant, promise.bundle_id)
        if promise is None or bundle is None or not bundle.published or bundle.cart_variant_id is not None:
            return _Check.BROKEN
        markets = await self._markets.all_of(tenant, claimed.ghost.variant_id)
        price = await self._price(tenant, bundle, promise)
        if price is None or claimed.ghost.identity not in await self._identities(tenant, promise, price, markets):
            return _Check.BROKEN
        for market in markets:
            there = await self._price(tenant, bundle, replace(promise, country=market.country))
            if there is None or there.promise != market.promise:
                return _Check.BROKEN_IN_A_MARKET
        return _Check.HELD

    async def _identities(
        self, tenant: Tenant, promise: Promise, price: GhostPrice, markets: Iterable[MarketPromise]
    ) -> set[str]:
        """Return the identities that a ghost variant with this price and these market promises may have."""
        own = ghost_identity(promise.bundle_id, promise.items, price.base)
        found = {own}
        for market in markets:
            terms = await self._platform.market_terms(tenant, market.country)
            found.add(market_identity(own, terms.price_list or "", market.promise))
        return found

    async def _price(self, tenant: Tenant, bundle: Bundle, promise: Promise) -> GhostPrice | None:
        """Return the price that `configure` would promise now, or None when it would refuse the selection. Tries the selection
        without its subscription first, because a ghost variant is also sold without one."""
        for choice in dict.fromkeys((None, promise.subscription)):
            request = _request(replace(promise, subscription=choice))
            try:
                quote = await self._price_selection.quote(tenant, bundle, request, NO_DEADLINE)
                check_quote(tenant.shop, bundle, request, quote)
            except InvalidInput:
                continue
            return quote.ghost_price
        return None


def _request(promise: Promise) -> SelectionRequest:
    """Rebuild the shopper's selection from a promise. Leaves out the answers to personalisation fields, which affect neither
    prices nor rules."""
    items = (
        SelectedItem(item.variant_id, item.product_id, item.section_id)
        for item in promise.items
        for _ in range(item.count)
    )
    return SelectionRequest(units_of(items), None, promise.country, promise.subscription)


class MarketPromises:
    """Sets promised market prices on the platform's price lists."""

    def __init__(self, platform: Platform, store: MarketPromiseStore) -> None:
        self._platform = platform
        self._store = store

    async def promise(
        self, tenant: Tenant, country: str, terms: MarketTerms, price: GhostPrice, now: int, variant_id: int
    ) -> bool:
        """Record the price that a ghost variant is promised to have in a country. Set it on the price list of `terms` unless the
        market already charges this price by converting the base price. Returns False and does nothing when a different promise
        already exists. Raises what `Platform` and `MarketPromiseStore` raise."""
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
                return  # the price is most likely still set
            raise
        await self._store.priced(tenant, variant_id, terms.price_list or "", wanted, now)
