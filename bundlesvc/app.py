"""The composition root: the one place where ports meet their adapters."""

from collections.abc import AsyncIterator, Callable

from aiohttp import web

from bundlesvc.ambient import RandomIds, SystemClock
from bundlesvc.api import keys
from bundlesvc.api.cors import BasePath, embed_path, set_up_cors
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.middleware.gate import gate
from bundlesvc.api.middleware.observation import observation
from bundlesvc.api.middleware.order import middlewares
from bundlesvc.api.operations import add_operations
from bundlesvc.api.parsing import MAX_BODY_BYTES
from bundlesvc.api.rendered import RenderedGets
from bundlesvc.api.statistics import RequestStatistics
from bundlesvc.background import EXPIRY_SECONDS, LAST_USED_SECONDS, REFRESH_SECONDS, periodically
from bundlesvc.domain.shop import EMBEDDED, SHOPIFY
from bundlesvc.logs import request_lines
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.platforms.shopify.webhooks import ShopifyWebhooks
from bundlesvc.platforms.unconnected import UnconnectedPlatform
from bundlesvc.ports import Buckets, ChangeLog, Clock, ConfiguredStore, Ids, Platform, Sealer
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.sealing import FernetSealer
from bundlesvc.services.access import Directory
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configuring import Configuring
from bundlesvc.services.embedding import Embedding
from bundlesvc.services.looking_up import LookingUp
from bundlesvc.services.platform_news import ChangeFollower, WebhookInbox
from bundlesvc.services.products import Products
from bundlesvc.services.quoting import Quoting
from bundlesvc.services.reminding import Reminding
from bundlesvc.settings import Settings
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.change_log import SqlChangeLog
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.connections import SqlConnections
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.reminders import SqlReminders
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shops import SqlShopStore

CleanupContext = Callable[[web.Application], AsyncIterator[None]]


def create_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    sealer: Sealer | None = None,
    buckets: Buckets | None = None,
    platform: Platform | None = None,
) -> web.Application:
    """The application over the database of the settings, which must be up to date. No I/O before it starts.

    What is not given takes its production default. Raises ValueError when the settings hold no secret keys.
    """
    clock = clock or SystemClock()
    database, cache = Database(settings.database), RevisionCache()
    shops, configured = SqlShopStore(database, cache), SqlConfiguredStore(database)
    platform = platform or PlatformByKind({EMBEDDED: EmbeddedPlatform(database, cache)}, UnconnectedPlatform())
    sealer = sealer or FernetSealer(settings.secret_keys)
    directory = Directory(shops, SqlKeyStore(database), MemoryBuckets(clock), clock)
    bundles = Bundles(shops, platform)
    quoting = Quoting(platform, settings.price_max_age)
    rendered = RenderedGets(clock)
    changes = SqlChangeLog(database)
    follower = ChangeFollower(changes, directory, [rendered])
    statistics = RequestStatistics()
    log_line = request_lines(settings.log_format, settings.log_level)
    base = BasePath(settings.base_path)
    embed = BasePath(embed_path(settings.base_path))

    app = web.Application(
        middlewares=middlewares(
            observation(statistics, log_line),
            gate(base, embed, directory, buckets or MemoryBuckets(clock), settings.trusted_proxies),
        ),
        client_max_size=MAX_BODY_BYTES,
    )
    app[keys.DIRECTORY] = directory
    app[keys.SHOPS] = shops
    app[keys.PLATFORM] = platform
    app[keys.BUNDLES] = bundles
    app[keys.PRODUCTS] = Products(platform)
    app[keys.QUOTING] = quoting
    app[keys.CONFIGURING] = Configuring(quoting, shops, platform, configured, sealer, clock, ids or RandomIds())
    app[keys.EMBED_PATH] = embed_path(settings.base_path)
    app[keys.EMBEDDING] = Embedding(bundles, shops, platform)
    app[keys.LOOKING_UP] = LookingUp(configured, platform)
    app[keys.REMINDING] = Reminding(platform, SqlReminders(database), clock)
    app[keys.RENDERED] = rendered
    app[keys.WEBHOOKS] = WebhookInbox(
        directory, SqlConnections(database, sealer), {SHOPIFY: ShopifyWebhooks()}, changes, clock
    )
    app[keys.STATISTICS] = statistics
    add_endpoints(app, settings.base_path, ENDPOINTS)
    add_endpoints(app, embed_path(settings.base_path), EMBED_ENDPOINTS)
    add_operations(app, settings.base_path)
    set_up_cors(app, base, settings.base_path)
    app.cleanup_ctx.extend((_storage(database), _upkeep(directory, follower, configured, changes, clock)))
    return app


def _storage(database: Database) -> CleanupContext:
    async def storage(_: web.Application) -> AsyncIterator[None]:
        database.start()
        yield
        await database.close()

    return storage


def _upkeep(
    directory: Directory, follower: ChangeFollower, configured: ConfiguredStore, changes: ChangeLog, clock: Clock
) -> CleanupContext:
    """The periodic tasks, from the first reading of shops and keys on."""

    async def expire() -> None:
        await configured.expire(int(clock.now()))
        await changes.expire(int(clock.now()))

    async def upkeep(_: web.Application) -> AsyncIterator[None]:
        await directory.refresh()
        await follower.start()
        async with (
            periodically("the poll of revisions", REFRESH_SECONDS, directory.refresh),
            periodically("the poll of platform changes", REFRESH_SECONDS, follower.follow),
            periodically("writing last-used times", LAST_USED_SECONDS, directory.write_last_used),
            periodically("the expiry of kept answers", EXPIRY_SECONDS, expire),
        ):
            yield
        await directory.write_last_used()

    return upkeep
