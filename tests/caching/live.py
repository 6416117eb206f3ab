"""A live platform whose data, failures and response times the test controls. It records its requests."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant
from bundlesvc.domain.shop import SHOPIFY, PlatformLink, Shop, ShopSettings, Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline

T = TypeVar("T")

PER_PRODUCT = 3


def variant(variant_id: int, product_id: int, price: str = "10.00", stock: int = 5) -> Variant:
    return Variant(
        id=variant_id,
        title=f"Variant {variant_id}",
        price=Decimal(price),
        compare_at_price=None,
        sku=f"SKU-{variant_id}",
        inventory_tracked=True,
        inventory_policy="deny",
        inventory_quantity=stock,
        grams=200,
        option_values=("S",),
        inventory_item_id=variant_id + 1_000_000,
        product_id=product_id,
    )


def product(product_id: int, variants: int = PER_PRODUCT) -> Product:
    """A product whose variants have ids that begin at ten times the product's id."""
    ids = range(product_id * 10, product_id * 10 + variants)
    return Product(
        id=product_id,
        title=f"Product {product_id}",
        handle=f"product-{product_id}",
        image_url="",
        status="ACTIVE",
        tags=(),
        description_html="",
        options=(),
        variants=tuple(variant(variant_id, product_id) for variant_id in ids),
    )


def live_tenant(shop_id: int = 1, revision: int = 1, domain: str = "demo.example") -> Tenant:
    link = PlatformLink(SHOPIFY, domain)
    return Tenant(shop_id, revision, Shop("demo", "Demo", "", "en", True, (), link, (), None))


class LivePlatform:
    """An implementation of the `Platform` port that a test controls."""

    def __init__(self, *products: Product) -> None:
        self.known = {each.id: each for each in products}
        self.settings = ShopSettings("EUR", "{{amount}}", "kg")
        self.rate = Decimal("1.10")
        self.adjustment = Decimal(5)
        self.published: tuple[str, ...] = ("de", "fr")
        self.plans: dict[tuple[int, int, str], str] = {}
        self.error: Exception | None = None
        self.requests: list[tuple[str, tuple[object, ...]]] = []
        self.answering = asyncio.Event()
        self.answering.set()
        self.waiting = asyncio.Event()

    @property
    def calls(self) -> Counter[str]:
        """The number of requests by method."""
        return Counter(name for name, _ in self.requests)

    def hold(self) -> None:
        """Hold all responses until `release` is called. `waiting` is set as soon as a request is waiting."""
        self.answering.clear()
        self.waiting.clear()

    def release(self) -> None:
        self.answering.set()

    def reprice(self, product_id: int, price: str) -> None:
        found = self.known[product_id]
        variants = tuple(replace(one, price=Decimal(price)) for one in found.variants)
        self.known[product_id] = replace(found, variants=variants)

    async def _answer(self, name: str, *arguments: object) -> None:
        """Record a request, and wait until responses are released. Callers read the values before they call this, so a late
        response contains old values, as on a real platform."""
        self.requests.append((name, arguments))
        self.waiting.set()
        await self.answering.wait()
        if self.error is not None:
            raise self.error

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        found = self.settings
        await self._answer("shop")
        return found

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        found = {each: self.known[each] for each in product_ids if each in self.known}
        await self._answer("products", *product_ids)
        return Reading(found)

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        wanted = list(variants)
        found = {one.id: MarketPrice(one.price * self.rate, "USD", one.price, True) for one in wanted}
        await self._answer("market_prices", country, *(one.id for one in wanted))
        return Reading(found)

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        found = next((one for each in self.known.values() for one in each.variants if one.id == variant_id), None)
        await self._answer("variant", variant_id)
        return found

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        found = next((each.id for each in self.known.values() if each.handle == handle), None)
        await self._answer("product_by_handle", handle)
        return found

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        found = self.known[product_id].handle if product_id in self.known else None
        await self._answer("handle_of", product_id)
        return found

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        found = {key: plan for key, plan in self.plans.items() if key[0] in product_ids}
        await self._answer("selling_plans", *product_ids)
        return found

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        found = self.published
        await self._answer("languages")
        return found

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        found = {
            each: ProductTranslation(f"{self.known[each].title} in {language}")
            for each in product_ids
            if each in self.known
        }
        await self._answer("translations", language, *product_ids)
        return found

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        found = MarketTerms("USD", self.adjustment, self.rate, f"list of {country}")
        await self._answer("market_terms", country)
        return found

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        await self._answer("create_ghost_variant", product_id, option_value, price)
        return 8000

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await self._answer("set_ghost_price", variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await self._answer("retire_ghost_variants", product_id, *variant_ids)
