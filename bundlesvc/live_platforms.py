"""Opens the connections to live platforms, and puts a single cache in front of all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from prometheus_client.registry import Collector

from bundlesvc.caching.entries import CacheTtls
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.shop import EMBEDDED, LIVE_PLATFORMS, VENDURE, Tenant
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.calls.statistics import ClientState, ClientStates
from bundlesvc.platforms.engine import Engine, EngineParts
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.platforms.shopify.engine import shopify
from bundlesvc.platforms.vendure.engine import vendure
from bundlesvc.ports import Clock, CredentialStore, OwnUpdates, Platform, WebhookReader
from bundlesvc.ports.platform_bundles import PlatformBundles
from bundlesvc.ports.product_search import ProductSearch
from bundlesvc.settings.environment import Settings

if TYPE_CHECKING:
    from bundlesvc.redis.connection import RedisConnection


ENGINES = (shopify, vendure)
"""The live platforms. If a platform is removed from this list, the service refuses the shops on it as not connected."""


@dataclass(frozen=True, slots=True)
class LivePlatforms:
    """The live platforms. `cached` serves all of them; `collectors` collect their metrics. The embedded platform needs no cache,
    because its data is in the service's own database."""

    cached: CachedPlatform
    collectors: tuple[Collector, ...]
    _engines: Mapping[str, Engine]

    @classmethod
    def of(
        cls,
        settings: Settings,
        connections: CredentialStore,
        own_updates: OwnUpdates,
        redis: RedisConnection | None,
        clock: Clock,
        shop_labels: ShopLabels,
    ) -> Self:
        """Build the live platforms. They do no I/O until they are opened."""
        parts = engine_parts(settings, connections, own_updates, clock)
        engines = _engines(parts)
        statistics = CacheStatistics()
        own = MemoryStore()
        store = own if redis is None else FallbackStore(RedisStore(redis), own)
        cache = ReadThrough(store, clock, statistics, settings.platform_timeout)
        cached = CachedPlatform(uncached(engines), cache, _cache_ttls(settings))

        def client_states() -> Iterator[ClientState]:
            for engine in engines.values():
                yield from engine.platform.client_states()

        return cls(cached, (statistics, parts.statistics, ClientStates(client_states, shop_labels)), engines)

    @property
    def webhooks(self) -> Mapping[str, WebhookReader]:
        """The webhook readers, by kind of platform."""
        return {kind: engine.webhooks for kind, engine in self._engines.items()}

    @property
    def order_readers(self) -> Mapping[str, Any]:
        """The order readers, by kind of platform. Platforms whose orders cannot be read are left out."""
        return {kind: engine.orders() for kind, engine in self._engines.items() if engine.orders}

    @property
    def product_searches(self) -> Mapping[str, ProductSearch]:
        """The product searches, by kind of platform."""
        return {kind: engine.search() for kind, engine in self._engines.items()}

    @property
    def bundle_readers(self) -> Mapping[str, PlatformBundles]:
        """The bundle readers, by kind of platform. Platforms without bundles of their own are left out."""
        return {kind: engine.bundles() for kind, engine in self._engines.items() if engine.bundles}

    async def is_installed(self, tenant: Tenant) -> bool:
        """Whether the shop's app is still installed (the `AppInstallation` port)."""
        engine = self._engines.get(tenant.shop.platform.kind)
        if engine is None:
            raise PlatformUnavailable
        return await engine.platform.is_installed(tenant)

    def with_embedded(self, embedded: Platform) -> Platform:
        """Return one platform that serves every shop, live or embedded."""
        return PlatformByKind({EMBEDDED: embedded, **dict.fromkeys(LIVE_PLATFORMS, self.cached)})

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open the live platforms for use inside this context."""
        async with AsyncExitStack() as stack:
            await _open(self._engines, stack)
            stack.push_async_callback(self.cached.aclose)
            yield


@asynccontextmanager
async def opened_engines(parts: EngineParts) -> AsyncIterator[Mapping[str, Engine]]:
    """Open the live platforms for the duration of this context, and yield them by kind. Commands use them without a cache."""
    engines = _engines(parts)
    async with AsyncExitStack() as stack:
        await _open(engines, stack)
        yield engines


def engine_parts(
    settings: Settings, connections: CredentialStore, own_updates: OwnUpdates | None, clock: Clock
) -> EngineParts:
    """Use the settings and these services to build the parts that every live platform needs."""
    addresses = {VENDURE: settings.vendure_endpoint} if settings.vendure_endpoint else {}
    return EngineParts(
        connections, own_updates, clock, settings.platform_timeout, settings.platform_endpoint, addresses
    )


def uncached(engines: Mapping[str, Engine]) -> Platform:
    """Return one platform that serves every live shop, without a cache."""
    return PlatformByKind({kind: engine.platform for kind, engine in engines.items()})


def _engines(parts: EngineParts) -> Mapping[str, Engine]:
    return {engine.kind: engine for engine in (make(parts) for make in ENGINES)}


async def _open(engines: Mapping[str, Engine], stack: AsyncExitStack) -> None:
    for engine in engines.values():
        await stack.enter_async_context(engine.opened())
        stack.push_async_callback(engine.platform.aclose)


def _cache_ttls(settings: Settings) -> CacheTtls:
    return CacheTtls(
        settings.cache_products_ttl,
        settings.cache_prices_ttl,
        settings.cache_shop_ttl,
        settings.cache_negative_ttl,
        settings.price_max_age,
    )
