"""The composition root: the one place where ports meet their adapters."""

from collections.abc import AsyncIterator

from aiohttp import web

from bundlesvc.ambient import RandomIds, SystemClock
from bundlesvc.api import keys as app_keys
from bundlesvc.api.cors import BasePath, set_up_cors
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.middleware.gate import gate
from bundlesvc.api.middleware.observation import observation
from bundlesvc.api.middleware.order import middlewares
from bundlesvc.api.operations import add_operations
from bundlesvc.api.parsing import MAX_BODY_BYTES
from bundlesvc.api.rendered import RenderedGets
from bundlesvc.api.statistics import RequestStatistics
from bundlesvc.background import EXPIRY_SECONDS, LAST_USED_SECONDS, REFRESH_SECONDS, periodically
from bundlesvc.domain.shop import EMBEDDED
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.platforms.unconnected import UnconnectedPlatform
from bundlesvc.ports import Buckets, Clock, Ids, Platform, Sealer
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.sealing import FernetSealer
from bundlesvc.services.access import Directory
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configuring import Configuring
from bundlesvc.services.products import Products
from bundlesvc.services.quoting import Quoting
from bundlesvc.settings import Settings
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shops import SqlShopStore


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

    What is not given takes its production default. Raises ValueError when there are no secret keys.
    """
    if sealer is None and not settings.secret_keys:
        raise ValueError("there are no secret keys")
    clock = clock or SystemClock()
    buckets = buckets or MemoryBuckets(clock)
    database = Database(settings.database)
    cache = RevisionCache()
    shops, configured = SqlShopStore(database, cache), SqlConfiguredStore(database)
    if platform is None:
        platform = PlatformByKind({EMBEDDED: EmbeddedPlatform(database, cache)}, UnconnectedPlatform())
    directory = Directory(shops, SqlKeyStore(database), MemoryBuckets(clock), clock)
    statistics = RequestStatistics()
    base, embed = BasePath(settings.base_path), BasePath(f"{settings.base_path}/embed/api/v1")

    app = web.Application(
        middlewares=middlewares(
            observation(statistics), gate(base, embed, directory, buckets, settings.trusted_proxies)
        ),
        client_max_size=MAX_BODY_BYTES,
    )
    quoting = Quoting(platform, settings.price_max_age)
    app[app_keys.DIRECTORY] = directory
    app[app_keys.SHOPS] = shops
    app[app_keys.PLATFORM] = platform
    app[app_keys.BUNDLES] = Bundles(shops, platform)
    app[app_keys.PRODUCTS] = Products(platform)
    app[app_keys.QUOTING] = quoting
    app[app_keys.CONFIGURING] = Configuring(
        quoting, platform, configured, sealer or FernetSealer(settings.secret_keys), clock, ids or RandomIds()
    )
    app[app_keys.RENDERED] = RenderedGets(clock)
    app[app_keys.STATISTICS] = statistics

    for endpoint in ENDPOINTS:
        resource = app.router.add_resource(f"{settings.base_path}{endpoint.path}")
        for method in ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,):
            resource.add_route(method, endpoint.handler)
    add_operations(app, settings.base_path)
    set_up_cors(app, base, settings.base_path)

    async def storage(_: web.Application) -> AsyncIterator[None]:
        database.start()
        yield
        await database.close()

    async def upkeep(_: web.Application) -> AsyncIterator[None]:
        async def expire() -> None:
            await configured.expire(int(clock.now()))

        await directory.refresh()
        async with (
            periodically("the poll of revisions", REFRESH_SECONDS, directory.refresh),
            periodically("writing last-used times", LAST_USED_SECONDS, directory.write_last_used),
            periodically("the expiry of kept answers", EXPIRY_SECONDS, expire),
        ):
            yield
        await directory.write_last_used()

    app.cleanup_ctx.extend((storage, upkeep))
    return app
