"""Reads a bundle's products, with their prices in a country."""

from collections.abc import Mapping
from dataclasses import dataclass

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.concurrent_reads import read_both


@dataclass(frozen=True, slots=True)
class ProductList:
    """Products in the order of their first use. `prices` is keyed by variant id, and is None when there is no country; `currency`
    is the shop's currency."""

    products: tuple[Product, ...]
    currency: str
    prices: Mapping[int, MarketPrice] | None


class Products:
    """Reads a bundle's products, their prices in a country, and the handle of the bundle's own product."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def own_handle(self, tenant: Tenant, bundle: Bundle, deadline: RequestDeadline) -> str:
        """Return the handle of the bundle's own product on the platform, or an empty string when it has none. Raises what
        `Platform` raises."""
        if bundle.product_id is None:
            return ""
        return await self._platform.handle_of(tenant, bundle.product_id, deadline) or ""

    async def of_bundle(
        self, tenant: Tenant, bundle: Bundle, country: str | None, deadline: RequestDeadline
    ) -> Reading[ProductList]:
        """Read every product that a section contains or that the bundle requires, whatever its status. Leaves out products that
        no longer exist on the platform. Raises what `Platform` raises."""
        settings, found = await read_both(
            tenant,
            lambda: self._platform.shop(tenant, deadline),
            lambda: self._platform.products(tenant, bundle.product_ids, deadline=deadline),
        )
        currency = settings.currency
        products = tuple(found.value[product_id] for product_id in bundle.product_ids if product_id in found.value)
        if country is None:
            return Reading(ProductList(products, currency, None), found.age, found.lifetime)
        variants = [variant for product in products for variant in product.variants]
        prices = await self._platform.market_prices(tenant, variants, country, deadline=deadline)
        lifetimes = [lifetime for lifetime in (found.lifetime, prices.lifetime) if lifetime is not None]
        return Reading(
            ProductList(products, currency, prices.value),
            age=max(found.age, prices.age),
            lifetime=min(lifetimes, default=None),
        )
