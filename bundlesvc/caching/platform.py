"""The cache around a platform (docs/contract.md#live-data)."""

import hashlib
from collections.abc import Coroutine, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from bundlesvc.caching.entries import (
    SHAPES,
    CacheQuery,
    CacheTtls,
    EntryKinds,
    Plan,
    Subject,
    depends_on,
    depends_on_product,
    depends_on_product_and_stock,
    depends_on_this_product,
)
from bundlesvc.caching.entry_store import format_of
from bundlesvc.caching.freshness import CachedValues
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.platform_change import (
    MARKETS,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
    NumberedChange,
)
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant
from bundlesvc.domain.shop import EMBEDDED, PlatformLink, ShopSettings, Tenant
from bundlesvc.ports import Platform
from bundlesvc.redis.names import PREFIX
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.single_flight import SingleFlight

T = TypeVar("T")

_FORMAT = format_of(*SHAPES)

_ONE = ""
"""The key of values that exist once per shop."""

_OF_SHOP, _OF_PLANS, _OF_MARKETS = map(depends_on, (SHOP_SETTINGS, SELLING_PLANS, MARKETS))


class CachedPlatform:
    """Implements the `Platform` and `SharedPlatformCache` ports, as a cache around another platform.

    Values are read from the cache where possible. Writes are sent straight to the platform, and identical ghost variants
    requested simultaneously are created only once. Stale values are served while they are refreshed, and for a day while the
    platform fails. Values that determine what a shopper pays are never served once they are older than `price_max_age`.
    """

    def __init__(self, platform: Platform, cache: ReadThrough, ttls: CacheTtls) -> None:
        self._platform = platform
        self._cache = cache
        self._kinds = EntryKinds(ttls)
        self._price_max_age = ttls.price_max_age
        self._ghosts: SingleFlight[Hashable, int] = SingleFlight()

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        async def fetch(_: Sequence[str]) -> Mapping[str, ShopSettings]:
            return {_ONE: await self._platform.shop(tenant)}

        query = CacheQuery(_base(tenant), self._kinds.shop, fetch, _OF_SHOP)
        return (await self._cache.read(query, [_ONE], deadline)).values[_ONE]

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return _reading(await self._cache.read(self._products(tenant, max_age), product_ids, deadline))

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        by_id = {variant.id: variant for variant in variants}

        async def fetch(variant_ids: Sequence[int]) -> Mapping[int, MarketPrice]:
            missing = [by_id[variant_id] for variant_id in variant_ids]
            return (await self._platform.market_prices(tenant, missing, country, max_age)).value

        def subjects(variant_id: int, _: object) -> tuple[Subject, ...]:
            return (PRODUCT, by_id[variant_id].product_id), (MARKETS, None)

        query = CacheQuery(_base(tenant), self._kinds.price, fetch, subjects, f"{country}:", max_age)
        return _reading(await self._cache.read(query, by_id, deadline))

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        async def fetch(_: Sequence[int]) -> Mapping[int, int]:
            found = await self._platform.variant(tenant, variant_id)
            return {} if found is None else {variant_id: found.product_id}

        query = CacheQuery(_base(tenant), self._kinds.variant, fetch, depends_on_product)
        product_id = (await self._cache.read(query, [variant_id], deadline)).values.get(variant_id)
        if product_id is None:
            return None
        if product_id == 0:  # the platform does not say which product the variant belongs to
            return await self._platform.variant(tenant, variant_id)
        product = await self._product(tenant, product_id, deadline)
        return None if product is None else product.variants_by_id.get(variant_id)

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        async def fetch(_: Sequence[str]) -> Mapping[str, int]:
            found = await self._platform.product_by_handle(tenant, handle)
            return {} if found is None else {handle: found}

        query = CacheQuery(_base(tenant), self._kinds.handle, fetch, depends_on_product)
        return (await self._cache.read(query, [handle], deadline)).values.get(handle)

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        async def fetch(_: Sequence[int]) -> Mapping[int, str]:
            found = await self._platform.handle_of(tenant, product_id)
            return {} if found is None else {product_id: found}

        query = CacheQuery(_base(tenant), self._kinds.own_handle, fetch, depends_on_this_product)
        return (await self._cache.read(query, [product_id], deadline)).values.get(product_id)

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        async def fetch(missing: Sequence[int]) -> Mapping[int, tuple[Plan, ...]]:
            plans: dict[int, tuple[Plan, ...]] = dict.fromkeys(missing, ())
            for (product_id, frequency, unit), plan_id in (await self._platform.selling_plans(tenant, missing)).items():
                plans[product_id] += (Plan(frequency, unit, plan_id),)
            return plans

        query = CacheQuery(_base(tenant), self._kinds.plans, fetch, _OF_PLANS)
        found = (await self._cache.read(query, product_ids, deadline)).values
        return {
            (product_id, plan.frequency, plan.unit): plan.id for product_id, plans in found.items() for plan in plans
        }

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        async def fetch(_: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
            return {_ONE: tuple(await self._platform.languages(tenant))}

        query = CacheQuery(_base(tenant), self._kinds.languages, fetch, _OF_SHOP)
        return (await self._cache.read(query, [_ONE], deadline)).values[_ONE]

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        async def fetch(missing: Sequence[int]) -> Mapping[int, ProductTranslation]:
            return await self._platform.translations(tenant, missing, language)

        query = CacheQuery(_base(tenant), self._kinds.texts, fetch, depends_on_this_product, f"{language}:")
        return (await self._cache.read(query, product_ids, deadline)).values

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        async def fetch(_: Sequence[str]) -> Mapping[str, MarketTerms]:
            return {country: await self._platform.market_terms(tenant, country)}

        query = CacheQuery(
            _base(tenant), self._kinds.terms, fetch, _OF_MARKETS, max_age=self._price_max_age
        )  # prices depend on the terms
        return (await self._cache.read(query, [country], deadline)).values[country]

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        def create() -> Coroutine[Any, Any, int]:
            return self._platform.create_ghost_variant(tenant, product_id, option_value, price)

        key = (_base(tenant), product_id, option_value, price)
        return await deadline.wait(self._ghosts.start_or_join(key, create))

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await self._platform.set_ghost_price(tenant, variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await self._platform.retire_ghost_variants(tenant, product_id, variant_ids)

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """From now on, ignore all data that these changes affect and that was read before them (the `PlatformCache` port). The
        entries of products are also deleted, to free their memory."""
        self._cache.changes.note(_base(tenant), [(change.kind, change.id) for change in changes])
        products = [change.id for change in changes if change.kind == PRODUCT and change.id is not None]
        await self._cache.delete(self._products(tenant).names(products))

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        times = [((one.change.kind, one.change.id), one.recorded_at) for one in changes]
        self._cache.changes.recall(_base(tenant), times)

    async def aclose(self) -> None:
        """Cancel the fetches and writes in progress."""
        await self._ghosts.aclose()
        await self._cache.aclose()

    def _products(self, tenant: Tenant, max_age: float | None = None) -> CacheQuery[int, Product]:
        async def fetch(product_ids: Sequence[int]) -> Mapping[int, Product]:
            return (await self._platform.products(tenant, product_ids, max_age)).value

        return CacheQuery(_base(tenant), self._kinds.product, fetch, depends_on_product_and_stock, max_age=max_age)

    async def _product(self, tenant: Tenant, product_id: int, deadline: RequestDeadline) -> Product | None:
        return (await self._cache.read(self._products(tenant), [product_id], deadline)).values.get(product_id)


def _reading(found: CachedValues[int, T]) -> Reading[Mapping[int, T]]:
    return Reading(found.values, found.age, found.lifetime)


def _base(tenant: Tenant) -> str:
    """Return the prefix of the keys of a shop's cache entries. It depends on the shop's platform (the embedded one at a revision,
    or the live one at a domain, with channel and markets) and on the format of the entries, so that no process reads entries
    written by a release with another format. A Redis Cluster stores all entries of a shop in one slot."""
    link = tenant.shop.platform
    return _base_of(tenant.id, link, tenant.revision if link.kind == EMBEDDED else 0)


@lru_cache
def _base_of(shop_id: int, link: PlatformLink, revision: int) -> str:
    source = hashlib.sha256(f"{link} {revision}".encode()).hexdigest()[:8]
    return f"{PREFIX}{_FORMAT}:{{shop:{shop_id}}}:{source}:"
