"""Builds the live platforms and the cache around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from prometheus_client.registry import Collector

from bundlesvc.caching.entries import CacheTtls
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.shop import EMBEDDED, LIVE_PLATFORMS
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.calls.statistics import ClientStates
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.platforms.shopify.client.transport import HttpTransport, endpoint_at
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.ports import AppInstallation, Clock, CredentialStore, OwnUpdates, Platform
from bundlesvc.settings.environment import Settings

if TYPE_CHECKING:
    from bundlesvc.redis.connection import RedisConnection


@dataclass(frozen=True, slots=True)
class LivePlatforms:
    """`cached` serves every live platform; `collectors` are the metrics. The embedded platform needs no cache, because it is
    in our own database."""

    cached: CachedPlatform
    collectors: tuple[Collector, ...]
    _transport: HttpTransport
    _shopify: ShopifyPlatform

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
        """Build them. There is no I/O until they are opened."""
        transport = HttpTransport(endpoint_at(settings.platform_endpoint))
        shopify = ShopifyPlatform(transport, connections, clock, settings.platform_timeout, own_updates=own_updates)
        statistics = CacheStatistics()
        own = MemoryStore()
        store = own if redis is None else FallbackStore(RedisStore(redis), own)
        cache = ReadThrough(store, clock, statistics, settings.platform_timeout)
        cached = CachedPlatform(shopify, cache, _cache_ttls(settings))
        collectors = statistics, shopify.statistics, ClientStates(shopify.client_states, shop_labels)
        return cls(cached, collectors, transport, shopify)

    @property
    def app(self) -> AppInstallation:
        return self._shopify

    def with_embedded(self, embedded: Platform) -> Platform:
        """The platform of every shop, live or embedded."""
        return PlatformByKind({EMBEDDED: embedded, **dict.fromkeys(LIVE_PLATFORMS, self.cached)})

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open the live platforms for use inside this context."""
        async with self._transport.opened():
            yield
            await self.cached.aclose()
            await self._shopify.aclose()


def _cache_ttls(settings: Settings) -> CacheTtls:
    return CacheTtls(
        settings.cache_products_ttl,
        settings.cache_prices_ttl,
        settings.cache_shop_ttl,
        settings.cache_negative_ttl,
        settings.price_max_age,
    )
