"""Implements the `Platform` port for shops on Vendure. It caches nothing, because the cache wraps it
(docs/contract.md#live-data)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from bundlesvc.batches import batches
from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant, market_price
from bundlesvc.domain.shop import PlatformMarket, ShopSettings, Tenant
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.platforms.vendure.client import VendureClient
from bundlesvc.platforms.vendure.ids import is_possible, number_of
from bundlesvc.platforms.vendure.market_prices import own_prices, price_in_market
from bundlesvc.platforms.vendure.products import Channel, channel_of, product_of, translation_of
from bundlesvc.platforms.vendure.session import Session
from bundlesvc.platforms.vendure.transport import AdminTransport
from bundlesvc.ports import CredentialStore
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline

PART = 50
"""The maximum number of ids per call. Larger calls take longer per id."""

MONEY_FORMAT = "{{{{amount}}}} {currency}"
WEIGHT_UNIT = "kg"
"""The weight unit of every shop. Vendure has no setting for it, nor for the money format."""


class VendurePlatform:
    """Implements the `Platform` port with the Admin GraphQL API. `timeout` is the number of seconds that one session may take,
    including waits and retries. Vendure has no ghost variants: a shop file for this platform contains native bundles only.

    All its methods may also raise StorageUnavailable, when the shop's connection cannot be read.
    """

    def __init__(
        self,
        transport: AdminTransport,
        connections: CredentialStore,
        policy: RetryPolicy,
        timeout: float,
        statistics: CallStatistics,
    ) -> None:
        self._transport = transport
        self._connections = connections
        self._policy = policy
        self._timeout = timeout
        self._statistics = statistics
        self._clients: dict[str, VendureClient] = {}
        """The clients by the shops' handles, because two shops may be channels of one installation, each with its own key."""

    def now(self) -> float:
        """Return the current time in seconds since 1970, UTC."""
        return self._policy.clock.now()

    async def session(self, tenant: Tenant) -> Session:
        """Open a new session with the shop; its timeout starts now."""
        connection = await self._connections.of(tenant)
        if connection is None:
            raise PlatformNotConnected
        client = self._clients.get(tenant.shop.handle)
        if client is None or client.connection != connection:
            client = VendureClient(connection, self._transport, self._policy, self._statistics)
            self._clients[tenant.shop.handle] = client
        return Session(client, Deadline(self._policy.clock, self._timeout), tenant.shop.platform.channel)

    def client_states(self) -> Iterator[ClientState]:
        """Yield, for the metrics, the client state of each shop whose platform has been called."""
        for handle, client in self._clients.items():
            yield client.state(handle)

    async def is_installed(self, tenant: Tenant) -> bool:
        """Whether the key is still valid (the `AppInstallation` port)."""
        try:
            await self.shop(tenant)
        except PlatformNotConnected:
            return False
        return True

    async def aclose(self) -> None:
        """Do nothing, because each call belongs to a request, which cancels it when the request ends."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        currency = (await self._channel(await self.session(tenant))).currency
        return ShopSettings(currency, MONEY_FORMAT.format(currency=currency), WEIGHT_UNIT)

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        session = await self.session(tenant)
        found: dict[int, Product] = {}
        for data in await _in_parts(session, "products", product_ids):
            with session.reading():
                channel = channel_of(data)
                nodes = data["products"]["items"]
                found |= {product.id: product for product in (product_of(node, channel) for node in nodes)}
        return Reading(found)

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        session, market = await self.session(tenant), tenant.shop.platform.market(country)
        wanted = list(variants)
        currency = (await self._channel(session)).currency
        if market is None:
            return Reading({variant.id: market_price(variant, None, currency) for variant in wanted})
        own = await self._own_prices(session, wanted, market)
        return Reading(
            {variant.id: price_in_market(variant, market, currency, own.get(variant.id)) for variant in wanted}
        )

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        session = await self.session(tenant)
        if not is_possible(variant_id):
            return None
        data = await session.run("variant", id=str(variant_id))
        with session.reading():
            node = data["productVariant"]
            product = product_of(node["product"], channel_of(data)) if node else None
        return product.variants_by_id.get(variant_id) if product else None

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        session = await self.session(tenant)
        if "\0" in handle:  # a query with a NUL would fail
            return None
        data = await session.run("by_handle", slug=handle)
        with session.reading():
            nodes = data["products"]["items"]
            return number_of(nodes[0]["id"]) if nodes else None

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        session = await self.session(tenant)
        if not is_possible(product_id):
            return None
        data = await session.run("handle", id=str(product_id))
        with session.reading():
            node = data["product"]
            return str(node["slug"]) if node else None

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        """Return an empty mapping, because Vendure has no selling plans."""
        return {}

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        return tuple((await self._channel(await self.session(tenant))).languages[1:])

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        session = await self.session(tenant)
        found: dict[int, ProductTranslation] = {}
        for data in await _in_parts(session, "translations", product_ids):
            with session.reading():
                found |= {number_of(node["id"]): translation_of(node, language) for node in data["products"]["items"]}
        return found

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        market = tenant.shop.platform.market(country)
        if market is not None:
            return MarketTerms(market.currency, ZERO, market.exchange_rate, None)
        return MarketTerms((await self._channel(await self.session(tenant))).currency, ZERO, Decimal(1), None)

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        """Raise PlatformFailed. Shops on Vendure have native bundles only, which need no ghost variants."""
        raise PlatformFailed

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        """Raise PlatformFailed, like `create_ghost_variant`."""
        raise PlatformFailed

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        """Do nothing. Any ghost variants are left over from a platform that the shop used before, and exist only there."""

    async def _channel(self, session: Session) -> Channel:
        data = await session.run("channel")
        with session.reading():
            return channel_of(data)

    async def _own_prices(
        self, session: Session, variants: Sequence[Variant], market: PlatformMarket
    ) -> Mapping[int, Decimal]:
        there = session.in_channel(market.channel) if market.channel else session
        found: dict[int, Decimal] = {}
        for data in await _in_parts(there, "market_prices", [variant.id for variant in variants]):
            with there.reading():
                found |= own_prices(data, market.currency)
        return found


async def _in_parts(session: Session, document: str, ids: Sequence[int]) -> list[Json]:
    """Run a GraphQL document for all ids, in batches that are sent at the same time, and return the responses."""
    parts = batches([str(number) for number in dict.fromkeys(ids) if is_possible(number)], PART)
    return await gather_all(session.run(document, ids=part, take=len(part)) for part in parts)
