"""Builds the adapters for the ports, as configured in the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bundlesvc.live_platforms import LivePlatforms
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import Buckets, Clock, Platform, RequestBuckets
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import create_database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.live_platforms.own_updates import SqlOwnUpdates
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from bundlesvc.token_cipher import credentials_cipher

if TYPE_CHECKING:
    from bundlesvc.redis.connection import RedisConnection


@dataclass(frozen=True, slots=True)
class Adapters:
    """The adapters that the use cases need."""

    clock: Clock
    database: Database
    measurements: DatabaseMeasurements
    objects: RevisionCache
    shop_labels: ShopLabels
    redis: RedisConnection | None
    live: LivePlatforms
    platform: Platform
    buckets: Buckets
    request_buckets: RequestBuckets
    connections: SqlCredentialStore
    shops: SqlShopStore
    configured: SqlConfiguredStore
    changes: SqlChangeLog
    own_updates: SqlOwnUpdates


def build_adapters(
    settings: Settings, clock: Clock, buckets: RequestBuckets | None, platform: Platform | None
) -> Adapters:
    """Build the adapters. They perform no I/O before the application starts."""
    database = create_database(settings.database, read_address=settings.database_read)
    cache = RevisionCache(max_objects=settings.cached_objects)
    redis = None if settings.redis_url is None else _redis(settings.redis_url)
    connections = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
    own_updates = SqlOwnUpdates(database)
    shop_labels = ShopLabels(enabled=settings.metrics_shops)
    exact, leased = (buckets, buckets) if buckets is not None else _buckets(redis, clock)
    live = LivePlatforms.of(settings, connections, own_updates, redis, clock, shop_labels)
    return Adapters(
        clock,
        database,
        DatabaseMeasurements(database),
        cache,
        shop_labels,
        redis,
        live,
        platform or live.with_embedded(EmbeddedPlatform(database, cache)),
        exact,
        leased,
        connections,
        SqlShopStore(database, cache),
        SqlConfiguredStore(database),
        SqlChangeLog(database),
        own_updates,
    )


def _redis(url: str) -> RedisConnection:
    from bundlesvc.redis.connection import RedisConnection  # noqa: PLC0415 - see `redis/names.py`

    return RedisConnection(url)


def _buckets(redis: RedisConnection | None, clock: Clock) -> tuple[Buckets, RequestBuckets]:
    """Build the rate-limit buckets: first those for visitors' hourly limits and for guesses of keys and ids, then those for
    requests."""
    own = MemoryBuckets(clock)
    if redis is None:
        return own, own
    from bundlesvc.ratelimit.leases import LeasedBuckets  # noqa: PLC0415 - see `redis/names.py`
    from bundlesvc.ratelimit.redis import RedisBuckets  # noqa: PLC0415

    shared = RedisBuckets(redis, own)
    return shared, LeasedBuckets(shared, own, clock)
