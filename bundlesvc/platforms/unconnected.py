"""Stands in for a live platform that this service does not support."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline


class UnconnectedPlatform:
    """The port `Platform`; every method raises PlatformNotConnected."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        raise PlatformNotConnected

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        raise PlatformNotConnected

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        raise PlatformNotConnected

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        raise PlatformNotConnected

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Product | None:
        raise PlatformNotConnected

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        raise PlatformNotConnected

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        raise PlatformNotConnected

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        raise PlatformNotConnected

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        raise PlatformNotConnected

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        raise PlatformNotConnected
