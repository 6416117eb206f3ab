"""The cache around a platform (design 13)."""

import hashlib
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from bundlesvc.caching.entries import Subject, format_of
from bundlesvc.caching.kinds import SHAPES, Freshness, Kinds, Plan
from bundlesvc.caching.questions import Answers, Question
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
    NumberedChange,
)
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import EMBEDDED, ShopSettings, Tenant
from bundlesvc.patience import within_patience
from bundlesvc.ports import Platform
from bundlesvc.redis_connection import PREFIX
from bundlesvc.single_flight import SingleFlight

T = TypeVar("T")

_ONE = ""
"""The key of what a shop has once."""


class CachedPlatform:
    """The ports `Platform` and `SharedPlatformCache` around another platform.

    Reads come from the cache as far as they can; writes go straight through, those of the same ghost variant at once as one.
    Answers that are no longer fresh serve while they are renewed, and for a day while the platform fails, but never where
    money depends on them and they are too old.
    """

    def __init__(self, platform: Platform, reading: ReadThrough, freshness: Freshness) -> None:
        self._platform = platform
        self._reading = reading
        self._kinds = Kinds(freshness)
        self._price_max_age = freshness.price_max_age
        self._ghosts: SingleFlight[Hashable, int] = SingleFlight()

    async def shop(self, tenant: Tenant) -> ShopSettings:
        async def fetch(_: Sequence[str]) -> Mapping[str, ShopSettings]:
            return {_ONE: await self._platform.shop(tenant)}

        question = Question(_base(tenant), self._kinds.shop, fetch, _of(SHOP_SETTINGS))
        return (await self._reading.find(question, [_ONE])).values[_ONE]

    async def products(
        self, tenant: Tenant, product_ids: Sequence[int], max_age: float | None = None
    ) -> Reading[Mapping[int, Product]]:
        return _reading(await self._reading.find(self._products(tenant, max_age), product_ids))

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        by_id = {variant.id: variant for variant in variants}

        async def fetch(variant_ids: Sequence[int]) -> Mapping[int, MarketPrice]:
            asked = [by_id[variant_id] for variant_id in variant_ids]
            return (await self._platform.market_prices(tenant, asked, country, max_age)).value

        def subjects(variant_id: int, _: object) -> tuple[Subject, ...]:
            return (PRODUCT, by_id[variant_id].product_id), (MARKETS, None)

        question = Question(_base(tenant), self._kinds.price, fetch, subjects, f"{country}:", max_age)
        return _reading(await self._reading.find(question, by_id))

    async def variant(self, tenant: Tenant, variant_id: int) -> Variant | None:
        async def fetch(_: Sequence[int]) -> Mapping[int, int]:
            found = await self._platform.variant(tenant, variant_id)
            return {} if found is None else {variant_id: found.product_id}

        question = Question(_base(tenant), self._kinds.variant, fetch, _of_product)
        product_id = (await self._reading.find(question, [variant_id])).values.get(variant_id)
        if product_id is None:
            return None
        if product_id == 0:  # the platform does not say of which product it is
            return await self._platform.variant(tenant, variant_id)
        product = await self._product(tenant, product_id)
        return None if product is None else product.variants_by_id.get(variant_id)

    async def product_by_handle(self, tenant: Tenant, handle: str) -> Product | None:
        async def fetch(_: Sequence[str]) -> Mapping[str, int]:
            asked_at = self._reading.changes.next()
            found = await self._platform.product_by_handle(tenant, handle)
            if found is None:
                return {}
            await self._reading.remember(self._products(tenant), {found.id: found}, asked_at)
            return {handle: found.id}

        question = Question(_base(tenant), self._kinds.handle, fetch, _of_product)
        product_id = (await self._reading.find(question, [handle])).values.get(handle)
        return None if product_id is None else await self._product(tenant, product_id)

    async def selling_plans(self, tenant: Tenant, product_ids: Sequence[int]) -> Mapping[tuple[int, int, str], str]:
        async def fetch(asked: Sequence[int]) -> Mapping[int, tuple[Plan, ...]]:
            plans: dict[int, tuple[Plan, ...]] = dict.fromkeys(asked, ())
            for (product_id, frequency, unit), plan_id in (await self._platform.selling_plans(tenant, asked)).items():
                plans[product_id] += (Plan(frequency, unit, plan_id),)
            return plans

        question = Question(_base(tenant), self._kinds.plans, fetch, _of(SELLING_PLANS))
        found = (await self._reading.find(question, product_ids)).values
        return {
            (product_id, plan.frequency, plan.unit): plan.id for product_id, plans in found.items() for plan in plans
        }

    async def market_terms(self, tenant: Tenant, country: str) -> MarketTerms:
        async def fetch(_: Sequence[str]) -> Mapping[str, MarketTerms]:
            return {country: await self._platform.market_terms(tenant, country)}

        question = Question(
            _base(tenant), self._kinds.terms, fetch, _of(MARKETS), max_age=self._price_max_age
        )  # money depends on it
        return (await self._reading.find(question, [country])).values[country]

    async def create_ghost_variant(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        def make() -> Coroutine[Any, Any, int]:
            return self._platform.create_ghost_variant(tenant, product_id, option_value, price)

        async with within_patience():
            return await self._ghosts.join((_base(tenant), product_id, option_value, price), make)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await self._platform.set_ghost_price(tenant, variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await self._platform.retire_ghost_variants(tenant, product_id, variant_ids)

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Nothing that was read before counts any more for what depends on these things (the port `PlatformCache`). What can
        be named is deleted too: it is of no use to anybody."""
        self._reading.changes.note(_base(tenant), [(change.kind, change.id) for change in changes])
        products = self._products(tenant)
        names = [products.name(change.id) for change in changes if change.kind == PRODUCT and change.id is not None]
        await self._reading.forget(names)

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        times = [((one.change.kind, one.change.id), one.recorded_at) for one in changes]
        self._reading.changes.recall(_base(tenant), times)

    async def aclose(self) -> None:
        """Give up what is being asked and made behind requests."""
        await self._ghosts.aclose()
        await self._reading.aclose()

    def _products(self, tenant: Tenant, max_age: float | None = None) -> Question[int, Product]:
        async def fetch(product_ids: Sequence[int]) -> Mapping[int, Product]:
            return (await self._platform.products(tenant, product_ids, max_age)).value

        return Question(_base(tenant), self._kinds.product, fetch, _of_product_and_stock, max_age=max_age)

    async def _product(self, tenant: Tenant, product_id: int) -> Product | None:
        return (await self._reading.find(self._products(tenant), [product_id])).values.get(product_id)


def _reading(answers: Answers[int, T]) -> Reading[Mapping[int, T]]:
    return Reading(answers.values, answers.age, answers.lifetime)


def _of(kind: str) -> Callable[[object, object], tuple[Subject, ...]]:
    """Depends on something that a shop has once."""
    subjects: tuple[Subject, ...] = ((kind, None),)
    return lambda _, __: subjects


def _of_product(_: object, product_id: int | None) -> tuple[Subject, ...]:
    return ((PRODUCT, product_id),)


def _of_product_and_stock(product_id: int, product: Product | None) -> tuple[Subject, ...]:
    variants = product.variants if product else ()
    items = [variant.inventory_item_id for variant in variants]
    return (PRODUCT, product_id), *((INVENTORY_ITEM, item) for item in items if item is not None)


def _base(tenant: Tenant) -> str:
    """How the names of all that is kept for a shop begin. It goes with the shop's platform: the catalogue that was loaded with
    a revision, or the live one at a domain; and with how entries are written, so that no process reads another version's."""
    link = tenant.shop.platform
    return _base_of(tenant.id, link.kind, link.domain, tenant.revision if link.kind == EMBEDDED else 0)


@lru_cache
def _base_of(shop_id: int, kind: str, domain: str | None, revision: int) -> str:
    source = hashlib.sha256(f"{kind} {domain} {revision}".encode()).hexdigest()[:8]
    return f"{PREFIX}{format_of(*SHAPES)}:{shop_id}:{source}:"
