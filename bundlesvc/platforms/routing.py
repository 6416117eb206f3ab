"""Chooses the platform of each shop."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports import Platform


class PlatformByKind:
    """The port `Platform`: delegates to the platform of the shop's `platform.kind`, or to `otherwise` for any other kind."""

    def __init__(self, by_kind: Mapping[str, Platform], otherwise: Platform) -> None:
        self._by_kind = by_kind
        self._otherwise = otherwise

    def of(self, tenant: Tenant) -> Platform:
        return self._by_kind.get(tenant.shop.platform.kind, self._otherwise)

    async def shop(self, tenant: Tenant) -> ShopSettings:
        return await self.of(tenant).shop(tenant)

    async def products(
        self, tenant: Tenant, product_ids: Sequence[int], max_age: float | None = None
    ) -> Reading[Mapping[int, Product]]:
        return await self.of(tenant).products(tenant, product_ids, max_age)

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        return await self.of(tenant).market_prices(tenant, variants, country, max_age)

    async def variant(self, tenant: Tenant, variant_id: int) -> Variant | None:
        return await self.of(tenant).variant(tenant, variant_id)

    async def product_by_handle(self, tenant: Tenant, handle: str) -> Product | None:
        return await self.of(tenant).product_by_handle(tenant, handle)

    async def selling_plans(self, tenant: Tenant, product_ids: Sequence[int]) -> Mapping[tuple[int, int, str], str]:
        return await self.of(tenant).selling_plans(tenant, product_ids)

    async def market_terms(self, tenant: Tenant, country: str) -> MarketTerms:
        return await self.of(tenant).market_terms(tenant, country)

    async def create_ghost_variant(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        return await self.of(tenant).create_ghost_variant(tenant, product_id, option_value, price)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await self.of(tenant).set_ghost_price(tenant, variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await self.of(tenant).retire_ghost_variants(tenant, product_id, variant_ids)
