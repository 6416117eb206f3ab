"""The products and markets of a draft on the embedded platform (the `Platform` port)."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property

from bundlesvc.domain.errors import NotFound, PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms, embedded_terms
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant, market_price
from bundlesvc.domain.shop import Market, ShopSettings, Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline


class DraftCatalogue:
    """The catalogue of a draft. It is read-only: in a preview, nothing is bought, and no ghost variant is created."""

    def __init__(self, content: ShopFile) -> None:
        self._content = content

    @cached_property
    def _products(self) -> Mapping[int, Product]:
        return {product.id: product for product in self._content.products}

    @cached_property
    def _variants(self) -> Mapping[int, Variant]:
        return {variant.id: variant for product in self._content.products for variant in product.variants}

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        if self._content.shop.settings is None:
            raise PlatformNotConnected
        return self._content.shop.settings

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return Reading({each: self._products[each] for each in product_ids if each in self._products})

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        market, currency = self._market(country), (await self.shop(tenant)).currency
        return Reading({variant.id: market_price(variant, market, currency) for variant in variants})

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        return self._variants.get(variant_id)

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        return next((product.id for product in self._content.products if product.handle == handle), None)

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        product = self._products.get(product_id)
        return None if product is None else product.handle

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        return {}

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        return ()

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        return {}

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        return embedded_terms(self._market(country), country, (await self.shop(tenant)).currency)

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        raise NotFound

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        raise NotFound

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        raise NotFound

    def _market(self, country: str) -> Market | None:
        return next((market for market in self._content.markets if market.country_code == country), None)
