"""The real use cases with an in-memory shop: how the service presents a bundle, and how it responds to a selection."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import orjson

from bundlesvc.api.requests.schemas import ConfigureRequestSchema, PriceRequestSchema
from bundlesvc.api.responses import rendering
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import SCOPES, ApiKey
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.errors import InvalidInput
from bundlesvc.domain.ghosts.prices import MarketPromise, MarketTerms
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import MarketPrice, Product, Variant, market_price
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.ports import Clock, ConfiguredStore, MarketPromiseStore, Platform, ShopStore
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.access.rate_limits import CostlyResults
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.ghosts.promises import MarketPromises
from bundlesvc.services.ghosts.variants import GhostVariants
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.record_bundle import RecordBundle
from bundlesvc.shop_file.loading import parse_shop_file
from bundlesvc.token_cipher import discount_cipher
from tests.conftest import SECRET_KEY
from tests.fakes import FakeClock, FakeIds

T = TypeVar("T")
Json = dict[str, Any]

_KEY = ApiKey(1, 1, "", "bnd_live_0000000", "", False, SCOPES, (), 100, active=True, created_at=0)
_GHOST = 8 * 10**15
_CONFIGURE, _PRICE = ConfigureRequestSchema(), PriceRequestSchema()


@dataclass(frozen=True, slots=True)
class Answers:
    """The responses to a price and a configure request. `pricing` is None for a 400 response, and `presentment` is None if the
    response has none; `refusal` contains the code and details, or is None for a 200 response."""

    pricing: Json | None
    presentment: Json | None
    refusal: Json | None


class MemoryPlatform:
    """Implements those methods of the `Platform` port that price and configure call, with the data of a shop file. With
    `day_rate`, markets have no fixed rate, as on a live platform that converts at the rate of the day."""

    def __init__(self, shop_file: ShopFile, *, day_rate: bool) -> None:
        self._day_rate = day_rate
        self._settings = cast("ShopSettings", shop_file.shop.settings)
        self._products = {product.id: product for product in shop_file.products}
        self._markets = {market.country_code: market for market in shop_file.markets}

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return self._settings

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return Reading({id_: self._products[id_] for id_ in product_ids if id_ in self._products})

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        market, currency = self._markets.get(country), self._settings.currency
        prices = {variant.id: market_price(variant, market, currency) for variant in variants}
        if self._day_rate:
            prices = {variant_id: replace(price, exchange_rate=None) for variant_id, price in prices.items()}
        return Reading(prices)

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        return {}

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        market = self._markets.get(country)
        if market is None:
            return MarketTerms(self._settings.currency, ZERO, Decimal(1), country)
        return MarketTerms(market.currency, market.price_adjustment, market.exchange_rate, country)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        pass


class MemoryStore:
    """A `ConfiguredStore` that stores nothing and in which every ghost variant exists and has just been confirmed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost:
        return Ghost(identity, 1, _GHOST, confirmed_at=int(self._clock.now()))

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        variant = cart_variant.variant_id if isinstance(cart_variant, Ghost) else cart_variant
        return StoredResponse(render(RecordedIds(variant, 1 if configured.subscription else None)))


class MemoryPromises:
    """A `MarketPromiseStore` that contains no promises, and accepts every new promise unchanged."""

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> None:
        return None

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        return promise

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        pass


class ShopInMemory:
    """A shop built from the tree of a shop file, and served by the real use cases."""

    def __init__(self, tree: Json, *, day_rate: bool = False) -> None:
        self.file = parse_shop_file(orjson.dumps(tree), Path("shop.json"))
        self._tenant = Tenant(1, 1, self.file.shop)
        self._caller = Caller(_KEY, self._tenant)
        self._platform = cast("Platform", MemoryPlatform(self.file, day_rate=day_rate))

    @cached_property
    def bundles(self) -> Mapping[int, Bundle]:
        return {bundle.id: bundle for bundle in self.file.bundles}

    @cached_property
    def _price_selection(self) -> PriceSelection:
        return PriceSelection(self._platform, 300)

    @cached_property
    def _configuring(self) -> ConfigureBundle:
        clock, cipher = FakeClock(), discount_cipher((SECRET_KEY,))
        shops, store = cast("ShopStore", None), cast("ConfiguredStore", MemoryStore(clock))
        promises = MarketPromises(self._platform, cast("MarketPromiseStore", MemoryPromises()))
        ghosts = GhostVariants(self._platform, store, promises)
        recorder = RecordBundle(store, ghosts, CostlyResults(MemoryBuckets(clock), {}))
        return ConfigureBundle(self._price_selection, shops, recorder, cipher, clock, FakeIds())

    def settings(self) -> Json:
        """Return the body of GET /settings."""
        return rendering.settings(self.file.shop, _run(self._platform.shop(self._tenant)))

    def bundle(self, bundle_id: int) -> Json:
        """Return the body of GET /bundles/:id as a client parses it."""
        described = Bundles(cast("ShopStore", None), self._platform).describe(
            self._tenant, self.bundles[bundle_id], NO_DEADLINE
        )
        return _sent(rendering.bundle_whole(_run(described), "en"))

    def products(self, bundle_id: int, country: str | None) -> list[Json]:
        """Return the products of GET /bundles/:id/products as a client parses them."""
        listed = _run(Products(self._platform).of_bundle(self._tenant, self.bundles[bundle_id], country, NO_DEADLINE))
        products: list[Json] = _sent(rendering.products_of_bundle(listed.value))["products"]
        return products

    def answers(self, bundle_id: int, body: Json) -> Answers:
        """Compute the responses of the price and configure endpoints to a well-formed body."""
        bundle = self.bundles[bundle_id]
        priced = _run(self._price(bundle, body))
        presentment = priced.pop("presentment", None) if priced else None
        return Answers(priced, presentment, _run(self._refuse(bundle, body)))

    async def _price(self, bundle: Bundle, body: Json) -> Json | None:
        try:
            quote = await self._price_selection.quote(self._tenant, bundle, _PRICE.load(body), NO_DEADLINE)
        except InvalidInput:
            return None
        return rendering.price(quote.priced.pricing, quote.presentment)

    async def _refuse(self, bundle: Bundle, body: Json) -> Json | None:
        try:
            request = _CONFIGURE.load(body)
            answer = await self._configuring.configure(
                self._caller, bundle, request, None, rendering.configure_result, NO_DEADLINE
            )
        except InvalidInput as error:
            return {"code": error.code, "details": [_sent(fault.as_detail()) for fault in error.faults]}
        configured = orjson.loads(answer.body)
        presentment = {name: configured[name] for name in ("presentment",) if name in configured}
        assert {**configured["pricing"], **presentment} == await self._price(bundle, body)
        return None


def _run(use_case: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(use_case)


def _sent(value: Json) -> Json:
    sent: Json = orjson.loads(orjson.dumps(value))
    return sent
