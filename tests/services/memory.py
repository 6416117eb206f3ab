"""An in-memory platform and stores with everything that configure needs, for tests that configure thousands of times."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.ghosts.prices import MarketPromise, MarketTerms
from bundlesvc.domain.ghosts.variant import Claim, Ghost, Room
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, Variant, market_price
from bundlesvc.domain.shop import Market, ShopSettings, Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from tests.domain.builders import variant


@dataclass
class MemoryPlatform:
    """An in-memory implementation of the part of the `Platform` port that `configure` needs. `lists` contains the price lists for
    ghost variant prices."""

    currency: str
    known: Mapping[int, Product]
    markets: Mapping[str, Market]
    lists: frozenset[str]
    ghosts: dict[str, Variant] = field(default_factory=dict)
    own_prices: dict[tuple[int, str], Decimal] = field(default_factory=dict)

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return ShopSettings(self.currency, "{{amount}}", "kg")

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        return Reading({each: self.known[each] for each in product_ids if each in self.known})

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        return Reading({each.id: self.price(each, country) for each in variants})

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        market = self.markets.get(country)
        price_list = country if country in self.lists else None
        if market is None:
            return MarketTerms(self.currency, Decimal(0), Decimal(1), price_list)
        return MarketTerms(market.currency, market.price_adjustment, market.exchange_rate, price_list)

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        made = variant(8000 + len(self.ghosts), price=str(price))
        return self.ghosts.setdefault(option_value, made).id

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        self.own_prices[variant_id, terms.price_list or ""] = price

    def price(self, sold: Variant, country: str) -> MarketPrice:
        return market_price(sold, self.markets.get(country), self.currency, self.own_prices.get((sold.id, country)))


@dataclass
class MemoryStore:
    """The part of the ports `ConfiguredStore` and `MarketPromiseStore` that configure needs."""

    ghosts: dict[str, Ghost] = field(default_factory=dict)
    promises: dict[tuple[int, str], MarketPromise] = field(default_factory=dict)

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        return self.ghosts.get(identity)

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        assert isinstance(cart_variant, Ghost)
        self.ghosts[cart_variant.identity] = cart_variant
        return StoredResponse(render(RecordedIds(cart_variant.variant_id, None)))

    async def make_room(self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int) -> Room:
        return Room(Claim("", ()))

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> MarketPromise | None:
        return self.promises.get((variant_id, price_list))

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        return self.promises.setdefault((variant_id, price_list), promise)

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        standing = self.promises[variant_id, price_list]
        self.promises[variant_id, price_list] = replace(standing, price=price, priced_at=now)
