"""The composition root: the one place where ports meet their adapters."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from prometheus_client.registry import Collector

from bundlesvc.api import app_keys
from bundlesvc.api.agents.routes import add_agents
from bundlesvc.api.bodies import MEBIBYTE, ConnectionLimits
from bundlesvc.api.body_limits import SELECTION_BYTES
from bundlesvc.api.body_memory import BodyMemory
from bundlesvc.api.cors import BasePath, embed_path, set_up_cors
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.exposures import LISTENERS
from bundlesvc.api.fast_path.known_posts import KnownPosts
from bundlesvc.api.fast_path.pipeline import FAST_PATH, FastPath, add_fast_path
from bundlesvc.api.fast_path.ready_gets import ReadyGets
from bundlesvc.api.get_cache import RenderedGets
from bundlesvc.api.headless.routes import CONFIGURED_BUNDLES, ENDPOINTS
from bundlesvc.api.keyless_routes import add_operations
from bundlesvc.api.middleware.errors import render_errors
from bundlesvc.api.middleware.gate import VISITORS, Gate, TakeTokens, Visitors, admission
from bundlesvc.api.middleware.observation import RECORD, RequestRecord, observation
from bundlesvc.api.own_address import Origins
from bundlesvc.api.statistics import GhostStatistics, RequestStatistics, UsageStatistics, UseCaseStatistics
from bundlesvc.domain.retention import Retention
from bundlesvc.lifecycle import (
    CleanupContext,
    backed_up,
    background_jobs,
    counted_usage,
    measured,
    measured_database,
    opened_database,
    opened_live_platforms,
    opened_redis,
    opened_sender,
    polling,
    pruned_daily,
    repeating,
    traced,
    unused_responses_dropped,
)
from bundlesvc.live_platforms import LivePlatforms
from bundlesvc.metrics.page import MetricsPage
from bundlesvc.metrics.process import EventLoopLag, ProcessMetrics
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import Buckets, Clock, Ids, Platform, RequestBuckets, TokenCipher
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.bundle_times import BundleTimesFollower
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.configured_contents import ConfiguredContents
from bundlesvc.services.configured_selections import ConfiguredSelections
from bundlesvc.services.embed_bundles import EmbedBundles
from bundlesvc.services.ghost_promises import GhostPromises, MarketPromises
from bundlesvc.services.ghost_upkeep import GhostUpkeep
from bundlesvc.services.ghost_variants import GhostVariants
from bundlesvc.services.listings import Listings
from bundlesvc.services.platform_changes import ChangeFollower, WebhookInbox
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.rate_limits import CostlyResults
from bundlesvc.services.record_bundle import RecordBundle
from bundlesvc.services.shopper_requests import ShopperRequests
from bundlesvc.services.shops import Shops, Tenants
from bundlesvc.services.stock_reminders import StockReminders
from bundlesvc.services.usage import UsageCounter
from bundlesvc.serving.background import EXPIRY_SECONDS, GHOST_COUNT_SECONDS, REFRESH_SECONDS
from bundlesvc.serving.background_output import DROPPED_LINES
from bundlesvc.serving.logs import request_lines
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.bundle_times import SqlBundleTimes
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database import Database, create_database
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.live_platforms.own_updates import SqlOwnUpdates
from bundlesvc.storage.maintenance.backups import ScheduledBackups
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.storage.usage import SqlUsageStore
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import credentials_cipher, discount_cipher, session_cipher
from bundlesvc.tracing.requests import ErrorReports, Tracer, Tracing

if TYPE_CHECKING:
    from bundlesvc.api.manage.api import ManagementApi
    from bundlesvc.redis.connection import RedisConnection
    from bundlesvc.storage.events.outbox import Outbox

HOUR = 60 * 60


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    discounts: TokenCipher | None = None,
    buckets: RequestBuckets | None = None,
    platform: Platform | None = None,
    demo_key: str | None = None,
) -> web.Application:
    """The application over the database of the settings, whose schema must be up to date. No I/O before it starts.

    Arguments that are not given have their production defaults. The page of demo mode calls the API with `demo_key`. Raises
    ValueError when the settings contain no secret keys.
    """
    clock, discounts = clock or SystemClock(), discounts or discount_cipher(settings.secret_keys)
    adapters = _adapters(settings, clock, buckets, platform)
    core = _core(settings, adapters)
    log_line = request_lines(settings.log_format, settings.log_level)
    record = RequestRecord(RequestStatistics(), log_line, adapters.shop_labels, _tracing(settings), core.usage)
    gate = _gate(settings, core, adapters.request_buckets.take)
    app = _application(settings, gate, record)
    _add_use_cases(app, adapters, core, discounts, ids or RandomIds())
    _add_routes(app, settings, demo_key)
    _add_completion(app, settings, adapters.platform, core.price_selection)
    _add_first_paint(app, settings.base_path)
    add_agents(app, settings.base_path, gate, settings.hand_over_url)
    _add_completion_tool(app)
    manage = _management_api(app, gate)
    outbox = _add_events(app, settings, adapters)
    _add_orders(app, manage, adapters, core, settings, discounts, outbox)
    _add_reports(app, manage, adapters)
    _add_revisions(app, settings, manage, adapters)
    _add_experiments(app, manage, adapters)
    if settings.demo:
        _add_demo(app, settings, adapters, discounts, demo_key)
        _add_bundle_pages(app)
        _add_buying(app, gate, adapters, ids or RandomIds())
    if settings.studio or settings.demo:
        _add_studio(app, settings, adapters)
    set_up_cors(app, BasePath(settings.base_path), settings.base_path)
    if settings.edge:
        _add_fast_path(app, settings, gate, core, record)
    lag = EventLoopLag()
    backups = _backups(app, settings, clock)
    app[app_keys.METRICS] = MetricsPage([*_collectors(app, adapters, core), *backups, lag])
    app.cleanup_ctx.append(traced(record.tracing))
    app.cleanup_ctx.extend(_lifecycle(adapters, core, settings.retention))
    background = app[app_keys.BACKGROUND]
    app.cleanup_ctx.extend(background)
    app.cleanup_ctx.append(measured(lag, app[app_keys.METRICS]))
    return app


@dataclass(frozen=True, slots=True)
class _Adapters:
    """The adapters that use cases need."""

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


def _adapters(settings: Settings, clock: Clock, buckets: RequestBuckets | None, platform: Platform | None) -> _Adapters:
    database = create_database(settings.database, read_address=settings.database_read)
    cache = RevisionCache(max_objects=settings.cached_objects)
    redis = None if settings.redis_url is None else _redis(settings.redis_url)
    connections = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
    own_updates = SqlOwnUpdates(database)
    shop_labels = ShopLabels(enabled=settings.metrics_shops)
    exact, leased = (buckets, buckets) if buckets is not None else _buckets(redis, clock)
    live = LivePlatforms.of(settings, connections, own_updates, redis, clock, shop_labels)
    return _Adapters(
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
    """The buckets of costly results and guesses, and those of requests."""
    own = MemoryBuckets(clock)
    if redis is None:
        return own, own
    from bundlesvc.ratelimit.leases import LeasedBuckets  # noqa: PLC0415 - see `redis/names.py`
    from bundlesvc.ratelimit.redis import RedisBuckets  # noqa: PLC0415

    shared = RedisBuckets(redis, own)
    return shared, LeasedBuckets(shared, own, clock)


def _tracing(settings: Settings) -> Tracing:
    """Tracing and error reports. Their libraries are imported only if a setting names a receiver."""

    def tracer(address: str) -> Tracer:
        from bundlesvc.tracing.opentelemetry import OtelTracer  # noqa: PLC0415 - an extra

        return OtelTracer(address)

    def reports(dsn: str) -> ErrorReports:
        from bundlesvc.tracing.sentry import SentryReports  # noqa: PLC0415 - an extra

        return SentryReports(dsn)

    endpoint, dsn = settings.traces_endpoint, settings.sentry_dsn
    return Tracing(
        None if endpoint is None else partial(tracer, endpoint),
        None if dsn is None else partial(reports, dsn),
    )


@dataclass(frozen=True, slots=True)
class _Core:
    """Use cases shared by several APIs, and those that run in the background."""

    tenants: Tenants
    guesses: GuessLimit
    authentication: Authentication
    visitors: Visitors
    rendered: RenderedGets
    follower: ChangeFollower
    price_selection: PriceSelection
    ghosts: GhostVariants
    ghost_upkeep: GhostUpkeep
    times: BundleTimesFollower
    requests: ShopperRequests
    costly: CostlyResults
    recorder: RecordBundle
    usage: UsageCounter


def _core(settings: Settings, adapters: _Adapters) -> _Core:
    clock, database, platform, shops = adapters.clock, adapters.database, adapters.platform, adapters.shops
    keys, tenants, markets = (
        SqlKeyStore(database, demo=settings.demo),
        Tenants(shops, clock),
        SqlMarketPromises(database),
    )
    rendered = RenderedGets(clock, settings.cache_memory * MEBIBYTE * 2 // 3)
    follower = ChangeFollower(adapters.changes, tenants, adapters.live.cached, [rendered])  # it contains live data
    price_selection = PriceSelection(platform, settings.price_max_age)
    promises = GhostPromises(shops, platform, price_selection, markets, settings.price_max_age)
    grace, guesses = round(settings.ghost_grace_hours * HOUR), GuessLimit(adapters.buckets)
    ghosts = GhostVariants(platform, adapters.configured, MarketPromises(platform, markets))
    costly = CostlyResults(adapters.buckets, settings.visitor_limits)
    return _Core(
        tenants,
        guesses,
        Authentication(keys, tenants, guesses, LastUse(keys, clock)),
        Visitors(settings.trusted_proxies),
        rendered,
        follower,
        price_selection,
        ghosts,
        GhostUpkeep(SqlGhostStore(database), tenants, follower, promises, platform, clock, grace),
        BundleTimesFollower(tenants, SqlBundleTimes(database)),
        ShopperRequests(
            SqlShopperRequests(database),
            SqlShoppers(database),
            tenants,
            adapters.live,
            adapters.connections,
            clock,
        ),
        costly,
        RecordBundle(adapters.configured, ghosts, costly),
        UsageCounter(SqlUsageStore(database), clock, RandomIds().unique_id()),
    )


def _gate(settings: Settings, core: _Core, take: TakeTokens) -> Gate:
    embed, either = BasePath(embed_path(settings.base_path)), BasePath(f"{settings.base_path}{CONFIGURED_BUNDLES}")
    return Gate(embed, either, core.authentication, take, core.visitors, settings.platform_timeout)


def _application(settings: Settings, gate: Gate, record: RequestRecord) -> web.Application:
    """An application with the middlewares that every request passes."""
    app = web.Application(
        # Outermost first. CORS headers are put on by a response signal (`api/cors.py`), so that every response has them.
        middlewares=(
            observation(record),  # sees every response
            render_errors,  # what the gate or a handler raises becomes a response
            admission(BasePath(settings.base_path), gate),
        ),
        client_max_size=SELECTION_BYTES,
    )
    app[app_keys.STATISTICS] = record.statistics
    app[app_keys.COLLECTORS] = []
    app[LISTENERS] = []
    app[app_keys.BACKGROUND] = []
    app[RECORD] = record
    app[app_keys.ORIGINS] = Origins()
    app[app_keys.SHARED_CACHING] = settings.shared_caching
    app[app_keys.CONNECTION_LIMITS] = ConnectionLimits(
        settings.max_requests,
        settings.max_connections,
        settings.header_timeout,
        settings.body_timeout,
        settings.body_rate,
        settings.keepalive_timeout,
    )
    app[app_keys.BODY_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    app[app_keys.WEBHOOK_MEMORY] = BodyMemory(settings.body_memory * MEBIBYTE)
    return app


def _add_use_cases(app: web.Application, adapters: _Adapters, core: _Core, discounts: TokenCipher, ids: Ids) -> None:
    clock, platform, shops, configured = adapters.clock, adapters.platform, adapters.shops, adapters.configured
    bundles, products = Bundles(shops, platform), Products(platform)
    app[app_keys.AUTHENTICATION] = core.authentication
    app[app_keys.SHOPS] = Shops(shops, platform)
    app[app_keys.RENDERED] = core.rendered
    app[app_keys.BUNDLES] = bundles
    app[app_keys.LISTINGS] = Listings(shops, platform, products)
    app[app_keys.PRODUCTS] = products
    app[app_keys.PRICE_SELECTION] = core.price_selection
    app[app_keys.CONFIGURE_BUNDLE] = ConfigureBundle(core.price_selection, shops, core.recorder, discounts, clock, ids)
    app[app_keys.EMBED_BUNDLES] = EmbedBundles(bundles, products, shops, platform)
    app[app_keys.GHOST_UPKEEP] = core.ghost_upkeep
    app[app_keys.SHOPPER_REQUESTS] = core.requests
    app[app_keys.CONFIGURED_CONTENTS] = ConfiguredContents(configured, platform)
    app[app_keys.CONFIGURED_SELECTIONS] = ConfiguredSelections(configured, bundles, core.price_selection, core.guesses)
    app[VISITORS] = core.visitors
    app[app_keys.STOCK_REMINDERS] = StockReminders(platform, SqlReminders(adapters.database), core.costly, clock)
    app[app_keys.WEBHOOKS] = WebhookInbox(
        core.tenants, adapters.connections, adapters.live.webhooks, adapters.changes, adapters.own_updates, shops, clock
    )


def _collectors(app: web.Application, adapters: _Adapters, core: _Core) -> Iterator[Collector]:
    database, redis = adapters.database, adapters.redis
    yield app[app_keys.STATISTICS]
    yield UseCaseStatistics(core.recorder, app[app_keys.WEBHOOKS], adapters.shop_labels)
    yield GhostStatistics(core.ghosts, core.ghost_upkeep)
    yield UsageStatistics(core.usage, adapters.shop_labels)
    if FAST_PATH in app:
        yield app[FAST_PATH]
    yield core.rendered
    yield adapters.objects
    yield from adapters.live.collectors
    yield database.health
    yield adapters.measurements
    if redis is not None:
        yield redis
    yield ProcessMetrics()
    yield DROPPED_LINES
    yield from app[app_keys.COLLECTORS]


def _backups(app: web.Application, settings: Settings, clock: Clock) -> Iterator[Collector]:
    """Schedule backups of the SQLite file, if the settings name a folder for them."""
    if settings.backup_folder is None or settings.database_file is None:
        return
    seconds, keep = settings.backup_hours * HOUR, settings.backup_keep
    backups = ScheduledBackups(settings.database_file, settings.backup_folder, seconds, keep, clock)
    app.cleanup_ctx.append(backed_up(backups))
    yield backups


def _add_routes(app: web.Application, settings: Settings, demo_key: str | None) -> None:
    app[app_keys.EMBED_PATH] = embed_path(settings.base_path)
    add_endpoints(app, settings.base_path, ENDPOINTS)
    add_endpoints(app, app[app_keys.EMBED_PATH], EMBED_ENDPOINTS)
    with_metrics = settings.metrics_port is None
    add_operations(app, settings.base_path, demo_key if settings.demo else None, with_metrics=with_metrics)


def _add_completion(app: web.Application, settings: Settings, platform: Platform, prices: PriceSelection) -> None:
    from bundlesvc.api.completion.routes import add_completion  # noqa: PLC0415 - the core runs without completion
    from bundlesvc.services.completion.complete_selection import CompleteSelection  # noqa: PLC0415

    complete = CompleteSelection(platform, prices, settings.price_max_age, settings.completion_work)
    add_completion(app, settings.base_path, complete)


def _add_first_paint(app: web.Application, base_path: str) -> None:
    from bundlesvc.api.first_paint.routes import add_first_paint  # noqa: PLC0415 - the core runs without it

    add_first_paint(app, base_path)


def _add_completion_tool(app: web.Application) -> None:
    from bundlesvc.api.agents.tools.completion import add_completion_tool  # noqa: PLC0415 - it needs both capabilities

    add_completion_tool(app)


def _add_demo(
    app: web.Application, settings: Settings, adapters: _Adapters, discounts: TokenCipher, demo_key: str | None
) -> None:
    from bundlesvc.demo.routes import DemoPorts, add_demo  # noqa: PLC0415 - a production process does not import the demo

    ports = DemoPorts(
        adapters.database, adapters.shops, adapters.platform, adapters.configured, discounts, adapters.clock
    )
    add_demo(app, demo_key, settings.base_path, ports)


def _add_buying(app: web.Application, gate: Gate, adapters: _Adapters, ids: Ids) -> None:
    from bundlesvc.demo.buying.routes import add_buying  # noqa: PLC0415 - it needs both the demo and orders

    add_buying(app, gate, adapters.platform, adapters.clock, ids)


def _add_studio(app: web.Application, settings: Settings, adapters: _Adapters) -> None:
    from bundlesvc.studio.drafts.draft_previews import DraftPreviews  # noqa: PLC0415 - most processes have no studio
    from bundlesvc.studio.handlers import StudioServices  # noqa: PLC0415
    from bundlesvc.studio.routes import add_studio  # noqa: PLC0415
    from bundlesvc.studio.sessions import Sessions  # noqa: PLC0415

    sessions = Sessions(session_cipher(settings.secret_keys), app[app_keys.AUTHENTICATION], adapters.clock)
    previews = DraftPreviews(adapters.platform, adapters.clock, RandomIds())
    add_studio(app, StudioServices(sessions, previews, settings.platform_timeout))


def _management_api(app: web.Application, gate: Gate) -> ManagementApi:
    from bundlesvc.api.manage.api import ManagementApi  # noqa: PLC0415 - the core runs without it

    return ManagementApi(app, gate)


def _add_bundle_pages(app: web.Application) -> None:
    from bundlesvc.demo.bundle_pages import add_bundle_pages  # noqa: PLC0415 - they need the demo and the first paint

    add_bundle_pages(app)


def _add_orders(
    app: web.Application,
    manage: ManagementApi,
    adapters: _Adapters,
    core: _Core,
    settings: Settings,
    discounts: TokenCipher,
    outbox: Outbox | None,
) -> None:
    from bundlesvc.api.manage.orders.routes import OrderServices, add_orders  # noqa: PLC0415 - the core runs without orders
    from bundlesvc.services.orders.intake import OrderIntake  # noqa: PLC0415
    from bundlesvc.services.orders.platform_orders import PlatformOrderIntake  # noqa: PLC0415
    from bundlesvc.services.orders.reading import Orders  # noqa: PLC0415
    from bundlesvc.services.orders.refunds import RefundQuotes  # noqa: PLC0415
    from bundlesvc.services.orders.subscriptions import SubscriptionEnds  # noqa: PLC0415
    from bundlesvc.storage.orders.deliveries import SqlSubscriptionStates  # noqa: PLC0415
    from bundlesvc.storage.orders.inbox import SqlOrderInbox, record_notices  # noqa: PLC0415
    from bundlesvc.storage.orders.orders import SqlOrderStore  # noqa: PLC0415

    store, inbox = SqlOrderStore(adapters.database), SqlOrderInbox(adapters.database)
    states = SqlSubscriptionStates(adapters.database)
    ends = SubscriptionEnds(states, adapters.clock, settings.subscription_days)
    if outbox is not None:
        from bundlesvc.storage.events.orders import proven_recorder  # noqa: PLC0415

        store.also_recorded = proven_recorder(outbox)
    intake = OrderIntake(store, adapters.platform, discounts)
    adapters.changes.record_notices = record_notices
    services = OrderServices(
        intake,
        Orders(store),
        RefundQuotes(store, adapters.configured, adapters.shops, core.price_selection),
        PlatformOrderIntake(inbox, adapters.live.order_readers, core.tenants, intake, states, adapters.clock),
    )
    add_orders(app, manage, services, adapters.shop_labels)
    app[app_keys.BACKGROUND] += [
        polling("reading the orders of platforms", services.platform_orders.run),
        repeating("the count of orders to read", GHOST_COUNT_SECONDS, services.platform_orders.count),
        repeating("the end of subscriptions without an order", EXPIRY_SECONDS, ends.run),
    ]


def _add_reports(app: web.Application, manage: ManagementApi, adapters: _Adapters) -> None:
    from bundlesvc.api.manage.reports.routes import add_reports  # noqa: PLC0415 - the core runs without reports
    from bundlesvc.services.reports.bundle_reports import BundleReports  # noqa: PLC0415
    from bundlesvc.storage.reports.bundle_figures import SqlReportStore  # noqa: PLC0415

    add_reports(app, manage, BundleReports(SqlReportStore(adapters.database), adapters.shops, adapters.clock))


def _add_revisions(app: web.Application, settings: Settings, manage: ManagementApi, adapters: _Adapters) -> None:
    from bundlesvc.api.manage.revisions.routes import (  # noqa: PLC0415 - the core runs without revisions
        RevisionServices,
        add_revisions,
    )
    from bundlesvc.services.revisions.drafts import Drafts  # noqa: PLC0415
    from bundlesvc.services.revisions.products import ProductChoice  # noqa: PLC0415
    from bundlesvc.services.revisions.publishing import Publishing, Schedule  # noqa: PLC0415
    from bundlesvc.services.revisions.reading import Revisions  # noqa: PLC0415
    from bundlesvc.services.revisions.replay import Replays  # noqa: PLC0415
    from bundlesvc.services.revisions.requests import Writes  # noqa: PLC0415
    from bundlesvc.shop_file.contents import ShopFileContents, describe  # noqa: PLC0415
    from bundlesvc.storage.revisions.products import SqlProductSearch  # noqa: PLC0415
    from bundlesvc.storage.revisions.selections import SqlSelections  # noqa: PLC0415
    from bundlesvc.storage.revisions.store import SqlRevisionStore  # noqa: PLC0415

    store, contents = SqlRevisionStore(adapters.database, describe), ShopFileContents()
    publishing = Publishing(store, contents)
    schedule = Schedule(store, publishing, adapters.clock, socket.gethostname())
    services = RevisionServices(
        Revisions(store, contents),
        Drafts(store, contents),
        publishing,
        Replays(store, contents, SqlSelections(adapters.database), adapters.platform, settings.price_max_age),
        ProductChoice(store, SqlProductSearch(adapters.database), adapters.platform),
        Writes(store, adapters.buckets, adapters.clock),
        schedule,
    )
    add_revisions(app, manage, services)
    app[app_keys.BACKGROUND].append(repeating("the publication of scheduled revisions", REFRESH_SECONDS, schedule.run))


def _add_experiments(app: web.Application, manage: ManagementApi, adapters: _Adapters) -> None:
    from bundlesvc.api.manage.experiments.routes import add_experiments  # noqa: PLC0415 - the core runs without results
    from bundlesvc.services.experiments.exposures import ExposureLog  # noqa: PLC0415
    from bundlesvc.services.experiments.results import ExperimentResults  # noqa: PLC0415
    from bundlesvc.storage.experiments.visitors import SqlExperimentStore  # noqa: PLC0415

    store = SqlExperimentStore(adapters.database)
    log = ExposureLog(store, adapters.clock)
    add_experiments(app, manage, ExperimentResults(store, adapters.shops), log)
    app[app_keys.BACKGROUND].append(
        repeating("storing who saw an arm of an A/B test", REFRESH_SECONDS, log.write, at_the_end=log.write_last)
    )


def _add_events(app: web.Application, settings: Settings, adapters: _Adapters) -> Outbox:
    from bundlesvc.event_delivery.http_sender import HttpSender  # noqa: PLC0415 - the core runs without events
    from bundlesvc.event_delivery.statistics import EventStatistics  # noqa: PLC0415
    from bundlesvc.services.events.delivery import EventDelivery  # noqa: PLC0415
    from bundlesvc.storage.events.deliveries import SqlEventStore  # noqa: PLC0415
    from bundlesvc.storage.events.outbox import Outbox  # noqa: PLC0415

    cipher = credentials_cipher(settings.secret_keys)
    sender = HttpSender(allow_private=settings.webhooks_private)
    delivery = EventDelivery(SqlEventStore(adapters.database, cipher), sender, adapters.clock)
    outbox = Outbox(lambda: delivery.with_endpoints, adapters.clock)
    adapters.configured.also_inserted = outbox.configured
    app[app_keys.COLLECTORS].append(EventStatistics(delivery, adapters.shop_labels))
    app[app_keys.BACKGROUND] += [opened_sender(sender), polling("the delivery of events", delivery.run)]
    return outbox


def _add_fast_path(app: web.Application, settings: Settings, gate: Gate, core: _Core, record: RequestRecord) -> None:
    """Answer requests before the layers that all others pass, where possible."""
    ready_bytes = settings.cache_memory * MEBIBYTE // 3
    listeners = app[LISTENERS]
    gets = ReadyGets(core.rendered, record.statistics, settings.base_path, ready_bytes, listeners)
    add_fast_path(app, FastPath(gate, record, gets, KnownPosts(record, gate.deadline)))


def _lifecycle(adapters: _Adapters, core: _Core, retention: Retention) -> Iterator[CleanupContext]:
    """The resources to open at the start, which are closed in reverse order."""
    yield opened_database(adapters.database)
    if adapters.redis is not None:
        yield opened_redis(adapters.redis, adapters.request_buckets)
    yield opened_live_platforms(adapters.live)
    yield background_jobs(
        core.authentication,
        core.follower,
        adapters.configured,
        adapters.changes,
        core.ghost_upkeep,
        core.requests,
        adapters.clock,
    )
    yield polling("the check of bundles that begin or end", core.times.run)
    yield measured_database(adapters.measurements)
    yield counted_usage(core.usage)
    yield unused_responses_dropped(core.rendered)
    yield pruned_daily(adapters.database, retention, adapters.clock)
