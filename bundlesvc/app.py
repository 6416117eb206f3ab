"""The composition root: the one place where ports meet their adapters."""

from collections.abc import Sequence

from aiohttp import web
from prometheus_client.registry import Collector

from bundlesvc.api import app_keys
from bundlesvc.api.bodies import MEBIBYTE, BodyMemory, ConnectionLimits
from bundlesvc.api.cors import BasePath, embed_path, set_up_cors
from bundlesvc.api.edge import Edge, add_edge
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.middleware.errors import render_errors
from bundlesvc.api.middleware.gate import Gate, Visitors, admission
from bundlesvc.api.middleware.observation import RequestRecord, observation
from bundlesvc.api.operations import add_operations
from bundlesvc.api.parsing import MAX_BODY_BYTES
from bundlesvc.api.posts import Posts, add_posts
from bundlesvc.api.rendered import RenderedGets
from bundlesvc.api.statistics import GhostStatistics, RequestStatistics
from bundlesvc.domain.shop import SHOPIFY
from bundlesvc.lifecycle import background_jobs, opened_database, opened_live_platforms, opened_redis
from bundlesvc.live_platforms import LivePlatforms
from bundlesvc.logs import request_lines
from bundlesvc.platforms.shopify.webhooks import ShopifyWebhooks
from bundlesvc.ports import Buckets, Clock, Ids, Platform, TokenCipher
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis_connection import RedisConnection
from bundlesvc.services.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.configured_contents import ConfiguredContents
from bundlesvc.services.costly_results import CostlyResults
from bundlesvc.services.embed_bundles import EmbedBundles
from bundlesvc.services.ghost_promises import GhostPromises, MarketPromises
from bundlesvc.services.ghost_upkeep import GhostUpkeep
from bundlesvc.services.ghost_variants import GhostVariants
from bundlesvc.services.platform_changes import ChangeFollower, WebhookInbox
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.record_bundle import RecordBundle
from bundlesvc.services.request_limit import RequestLimit
from bundlesvc.services.shops import Shops, Tenants
from bundlesvc.services.stock_reminders import StockReminders
from bundlesvc.settings import Settings
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.change_log import SqlChangeLog
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import create_database
from bundlesvc.storage.ghost_upkeep import SqlGhostStore
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.market_promises import SqlMarketPromises
from bundlesvc.storage.reminders import SqlReminders
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shops import SqlShopStore
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import credentials_cipher, discount_cipher

HOUR = 60 * 60


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    discounts: TokenCipher | None = None,
    buckets: Buckets | None = None,
    platform: Platform | None = None,
    demo_key: str | None = None,
) -> web.Application:
    """The application over the database of the settings, whose schema must be up to date. No I/O before it starts.

    Arguments that are not given have their production defaults. The page of demo mode calls the API with `demo_key`. Raises
    ValueError when the settings contain no secret keys.
    """
    clock = clock or SystemClock()
    discounts = discounts or discount_cipher(settings.secret_keys)
    database, cache = create_database(settings.database), RevisionCache()
    shops, configured, changes = SqlShopStore(database, cache), SqlConfiguredStore(database), SqlChangeLog(database)
    redis = None if settings.redis_url is None else RedisConnection(settings.redis_url)
    connections = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
    live = LivePlatforms.of(settings, connections, redis, clock)
    platform = platform or live.with_embedded(EmbeddedPlatform(database, cache))
    buckets = buckets or _buckets(redis, clock)
    keys, tenants = SqlKeyStore(database, demo=settings.demo), Tenants(shops)
    authentication = Authentication(keys, tenants, GuessLimit(buckets), LastUse(keys, clock))
    rendered = RenderedGets(clock)
    follower = ChangeFollower(changes, tenants, live.cached, [rendered])  # rendered responses contain live data
    bundles, products = Bundles(shops, platform), Products(platform)
    price_selection = PriceSelection(platform, settings.price_max_age)
    markets = SqlMarketPromises(database)
    ghosts = GhostVariants(platform, configured, MarketPromises(platform, markets))
    costly = CostlyResults(buckets, settings.visitor_limits)
    recorder = RecordBundle(configured, ghosts, costly)
    promises = GhostPromises(shops, platform, price_selection, markets, settings.price_max_age)
    grace = round(settings.ghost_grace_hours * HOUR)
    ghost_upkeep = GhostUpkeep(SqlGhostStore(database), tenants, follower, promises, platform, clock, grace)

    record = RequestRecord(RequestStatistics(), request_lines(settings.log_format, settings.log_level))
    visitors, request_limit = Visitors(settings.trusted_proxies), RequestLimit(buckets)
    embed = BasePath(embed_path(settings.base_path))
    gate = Gate(embed, authentication, request_limit, visitors, settings.platform_timeout)
    app = _application(settings, gate, record)
    app[app_keys.AUTHENTICATION] = authentication
    app[app_keys.SHOPS] = Shops(shops, platform)
    app[app_keys.RENDERED] = rendered
    app[app_keys.BUNDLES] = bundles
    app[app_keys.PRODUCTS] = products
    app[app_keys.PRICE_SELECTION] = price_selection
    app[app_keys.CONFIGURE_BUNDLE] = ConfigureBundle(
        price_selection, shops, recorder, discounts, clock, ids or RandomIds()
    )
    app[app_keys.EMBED_BUNDLES] = EmbedBundles(bundles, products, shops, platform)
    app[app_keys.GHOST_UPKEEP] = ghost_upkeep
    app[app_keys.CONFIGURED_CONTENTS] = ConfiguredContents(configured, platform)
    app[app_keys.STOCK_REMINDERS] = StockReminders(platform, SqlReminders(database), costly, clock)
    app[app_keys.WEBHOOKS] = WebhookInbox(tenants, connections, {SHOPIFY: ShopifyWebhooks()}, changes, clock)
    collectors = [*live.collectors, GhostStatistics(ghosts, ghost_upkeep), *([] if redis is None else [redis])]
    _add_routes(app, settings, collectors, demo_key)
    if settings.demo:
        from bundlesvc.demo.routes import DemoPorts, add_demo  # noqa: PLC0415 - a production process does not import the demo

        add_demo(app, demo_key, settings.base_path, DemoPorts(database, shops, platform, configured, discounts, clock))
    set_up_cors(app, BasePath(settings.base_path), settings.base_path)
    if settings.edge:
        add_edge(app, Edge(authentication, visitors, request_limit, rendered, record, app[app_keys.EMBED_PATH]))
        add_posts(app, Posts(gate, record))
    app.cleanup_ctx.extend(
        [
            opened_database(database),
            *([] if redis is None else [opened_redis(redis)]),
            opened_live_platforms(live),
            background_jobs(authentication, follower, configured, changes, ghost_upkeep, clock),
        ]
    )
    return app


def _application(
    settings: Settings,
    gate: Gate,
    record: RequestRecord,
) -> web.Application:
    """An application with the middlewares that every request passes."""
    app = web.Application(
        # Outermost first. CORS headers are put on by a response signal (`api/cors.py`), so that every response has them.
        middlewares=(
            observation(record),  # sees every response
            render_errors,  # what the gate or a handler raises becomes a response
            admission(BasePath(settings.base_path), gate),
        ),
        client_max_size=MAX_BODY_BYTES,
    )
    app[app_keys.STATISTICS] = record.statistics
    app[app_keys.SHARED_CACHING] = settings.shared_caching
    app[app_keys.CONNECTION_LIMITS] = ConnectionLimits(
        settings.max_connections,
        settings.header_timeout,
        settings.body_timeout,
        settings.body_rate,
        settings.keepalive_timeout,
    )
    app[app_keys.BODY_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    app[app_keys.WEBHOOK_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    return app


def _add_routes(
    app: web.Application, settings: Settings, collectors: Sequence[Collector], demo_key: str | None
) -> None:
    app[app_keys.EMBED_PATH] = embed_path(settings.base_path)
    add_endpoints(app, settings.base_path, ENDPOINTS)
    add_endpoints(app, app[app_keys.EMBED_PATH], EMBED_ENDPOINTS)
    add_operations(app, settings.base_path, collectors, demo_key if settings.demo else None)


def _buckets(redis: RedisConnection | None, clock: Clock) -> Buckets:
    own = MemoryBuckets(clock)
    return own if redis is None else RedisBuckets(redis, own)
