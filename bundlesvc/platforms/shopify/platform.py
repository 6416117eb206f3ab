"""Implements the `Platform` port for shops on Shopify. It caches nothing, because the cache wraps it
(docs/contract.md#live-data)."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant, market_price
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.platforms.calls.deadline import Sleep
from bundlesvc.platforms.calls.statistics import ClientState
from bundlesvc.platforms.shopify.catalogue import ghost_variants, market_prices, markets, products, translations
from bundlesvc.platforms.shopify.catalogue.ghost_batches import GhostBatches
from bundlesvc.platforms.shopify.catalogue.ghost_variants import Outcomes
from bundlesvc.platforms.shopify.catalogue.shop_settings import shop_settings
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline

T = TypeVar("T")


class ShopifyPlatform:
    """Implements the `Platform` port with the Admin GraphQL API. All its methods may also raise StorageUnavailable, when the
    shop's connection cannot be read."""

    def __init__(self, sessions: AdminSessions, sleep: Sleep = asyncio.sleep) -> None:
        self.sessions = sessions
        self._combined_prices = market_prices.CombinedPrices(self._fetch_prices, sleep)
        self._ghost_batches = GhostBatches(self._create_ghosts)

    def client_states(self) -> Iterator[ClientState]:
        """Yield the client state of each shop that has been called, for the metrics."""
        return self.sessions.client_states()

    async def is_installed(self, tenant: Tenant) -> bool:
        """Whether the app is still installed (the `AppInstallation` port)."""
        try:
            await self.sessions.renew_token(tenant)
            await self.shop(tenant)
        except PlatformNotConnected:
            return False
        return True

    async def aclose(self) -> None:
        """Cancel the token renewals, price fetches and ghost variant creations in progress."""
        await self.sessions.aclose()
        await self._combined_prices.aclose()
        await self._ghost_batches.aclose()

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return await shop_settings(await self.sessions.open(tenant))

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return _new(await products.products_by_id(await self.sessions.open(tenant), product_ids))

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        code = markets.country_code(country)
        if code is not None:
            return _new(await self._combined_prices.prices(tenant, variants, code))
        currency = (await self.shop(tenant)).currency
        return _new({variant.id: market_price(variant, None, currency) for variant in variants})

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        return await products.variant_by_id(await self.sessions.open(tenant), variant_id)

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        return await products.product_by_handle(await self.sessions.open(tenant), handle)

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        return await products.handle_of(await self.sessions.open(tenant), product_id)

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        return await products.selling_plans(await self.sessions.open(tenant), product_ids)

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        return await translations.published_languages(await self.sessions.open(tenant))

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        return await translations.product_translations(await self.sessions.open(tenant), product_ids, language)

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        code = markets.country_code(country)
        if code is None:
            return MarketTerms((await self.shop(tenant)).currency, ZERO, Decimal(1), price_list=None)
        return markets.market_terms(await markets.resolved_market(await self.sessions.open(tenant), code))

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        return await self._ghost_batches.ghost(tenant, product_id, option_value, price)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await ghost_variants.set_fixed_price(await self.sessions.open(tenant), variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await ghost_variants.retire_ghosts(await self.sessions.open(tenant), product_id, variant_ids)

    async def _fetch_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str
    ) -> Mapping[int, MarketPrice]:
        return await market_prices.market_prices(await self.sessions.open(tenant), variants, country)

    async def _create_ghosts(self, tenant: Tenant, product_id: int, wanted: Mapping[str, Decimal]) -> Outcomes:
        return await ghost_variants.create_ghosts(await self.sessions.open(tenant), product_id, wanted)


def _new(value: T) -> Reading[T]:
    """Wrap a value that was just fetched. Its lifetime is a placeholder (0); the cache determines the actual lifetime."""
    return Reading(value, age=0.0, lifetime=0.0)
