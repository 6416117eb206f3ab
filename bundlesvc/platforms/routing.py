"""Chooses the platform of each shop, and the app that connects the shop."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Generic, TypeVar

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports import AppInspection, Platform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline

Target = TypeVar("Target")


class _ByKind(Generic[Target]):
    """Base of the classes that choose an implementation by the shop's `platform.kind`. Raises PlatformNotConnected for a kind
    that this version does not support."""

    def __init__(self, by_kind: Mapping[str, Target]) -> None:
        self._by_kind = by_kind

    def of(self, tenant: Tenant) -> Target:
        target = self._by_kind.get(tenant.shop.platform.kind)
        if target is None:
            raise PlatformNotConnected
        return target


class PlatformByKind(_ByKind[Platform]):
    """Implements the `Platform` port by delegating to the implementation for the shop's platform."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return await self.of(tenant).shop(tenant, deadline)

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return await self.of(tenant).products(tenant, product_ids, max_age, deadline)

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        return await self.of(tenant).market_prices(tenant, variants, country, max_age, deadline)

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        return await self.of(tenant).variant(tenant, variant_id, deadline)

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        return await self.of(tenant).product_by_handle(tenant, handle, deadline)

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        return await self.of(tenant).handle_of(tenant, product_id, deadline)

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        return await self.of(tenant).selling_plans(tenant, product_ids, deadline)

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        return await self.of(tenant).languages(tenant, deadline)

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        return await self.of(tenant).translations(tenant, product_ids, language, deadline)

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        return await self.of(tenant).market_terms(tenant, country, deadline)

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        return await self.of(tenant).create_ghost_variant(tenant, product_id, option_value, price, deadline)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await self.of(tenant).set_ghost_price(tenant, variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await self.of(tenant).retire_ghost_variants(tenant, product_id, variant_ids)


class AppByKind(_ByKind[AppInspection]):
    """Implements the `AppInspection` port by delegating to the implementation for the shop's platform."""

    async def renew_token(self, tenant: Tenant) -> None:
        await self.of(tenant).renew_token(tenant)

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        return await self.of(tenant).access(tenant, bundles)

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        return await self.of(tenant).webhooks(tenant, path)

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        return await self.of(tenant).checkout(tenant, discount_keys)
