"""The core: bundles, products, prices, configuring, and the embed API."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.api.bodies.reading import MEBIBYTE
from bundlesvc.api.response_cache.cache import ResponseCache
from bundlesvc.api.visitors import VISITORS, Visitors
from bundlesvc.mounting.adapters import Adapters
from bundlesvc.ports import Ids, TokenCipher
from bundlesvc.services.access.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.access.rate_limits import CostlyResults
from bundlesvc.services.access.usage import UsageCounter
from bundlesvc.services.bundle_times import BundleTimesFollower
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.configured_contents import ConfiguredContents
from bundlesvc.services.configured_selections import ConfiguredSelections
from bundlesvc.services.embed_bundles import EmbedBundles
from bundlesvc.services.ghosts.promises import GhostPromises, MarketPromises
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.services.ghosts.variants import GhostVariants
from bundlesvc.services.listings import Listings
from bundlesvc.services.platform_changes import ChangeFollower, WebhookInbox
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.record_bundle import RecordBundle
from bundlesvc.services.shoppers.shopper_requests import ShopperRequests
from bundlesvc.services.shoppers.stock_reminders import StockReminders
from bundlesvc.services.shops import Shops, Tenants
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.access.usage import SqlUsageStore
from bundlesvc.storage.catalogue.bundle_times import SqlBundleTimes
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.ghosts.upkeep import SqlGhostStore
from bundlesvc.storage.shoppers.personal_data import SqlShoppers
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.system import RandomIds

HOUR = 60 * 60


@dataclass(frozen=True, slots=True)
class Core:
    """The core of the service: the use cases that several APIs share, and those that run in the background."""

    tenants: Tenants
    guesses: GuessLimit
    authentication: Authentication
    visitors: Visitors
    rendered: ResponseCache
    follower: ChangeFollower
    price_selection: PriceSelection
    ghosts: GhostVariants
    ghost_upkeep: GhostUpkeep
    times: BundleTimesFollower
    requests: ShopperRequests
    costly: CostlyResults
    recorder: RecordBundle
    usage: UsageCounter


def build_core(settings: Settings, adapters: Adapters) -> Core:
    """Build the use cases that several APIs share."""
    clock, database, platform, shops = adapters.clock, adapters.database, adapters.platform, adapters.shops
    keys, tenants, markets = (
        SqlKeyStore(database, demo=settings.demo),
        Tenants(shops, clock),
        SqlMarketPromises(database),
    )
    rendered = ResponseCache(clock, settings.cache_memory * MEBIBYTE * 2 // 3)
    follower = ChangeFollower(adapters.changes, tenants, adapters.live.cached, [rendered])  # built on live data
    price_selection = PriceSelection(platform, settings.price_max_age)
    promises = GhostPromises(shops, platform, price_selection, markets, settings.price_max_age)
    grace, guesses = round(settings.ghost_grace_hours * HOUR), GuessLimit(adapters.buckets)
    ghosts = GhostVariants(platform, adapters.configured, MarketPromises(platform, markets))
    costly = CostlyResults(adapters.buckets, settings.visitor_limits)
    return Core(
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


def add_use_cases(app: web.Application, adapters: Adapters, core: Core, discounts: TokenCipher, ids: Ids) -> None:
    """Store the use cases in the application, under the keys by which handlers look them up."""
    clock, platform, shops, configured = adapters.clock, adapters.platform, adapters.shops, adapters.configured
    bundles, products = Bundles(shops, platform), Products(platform)
    app[app_keys.AUTHENTICATION] = core.authentication
    app[app_keys.SHOPS] = Shops(shops, platform)
    app[app_keys.RESPONSE_CACHE] = core.rendered
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
