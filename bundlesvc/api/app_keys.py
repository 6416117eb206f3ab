"""The typed keys of the values stored in the application and in requests. The application holds services, never ports."""

from collections.abc import AsyncIterator, Callable

from aiohttp import web
from prometheus_client.registry import Collector

from bundlesvc.api.bodies.memory import BodyMemory
from bundlesvc.api.counting.statistics import RequestStatistics
from bundlesvc.api.response_cache.cache import ResponseCache
from bundlesvc.api.response_cache.own_address import OwnAddresses
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.rate_limit import BucketState
from bundlesvc.metrics.page import MetricsPage
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.authentication import Authentication
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.configured_contents import ConfiguredContents
from bundlesvc.services.configured_selections import ConfiguredSelections
from bundlesvc.services.embed_bundles import EmbedBundles
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.services.listings import Listings
from bundlesvc.services.platform_changes import WebhookInbox
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.shoppers.shopper_requests import ShopperRequests
from bundlesvc.services.shoppers.stock_reminders import StockReminders
from bundlesvc.services.shops import Shops

AUTHENTICATION = web.AppKey("authentication", Authentication)
BUNDLES = web.AppKey("bundles", Bundles)
LISTINGS = web.AppKey("listings", Listings)
PRODUCTS = web.AppKey("products", Products)
PRICE_SELECTION = web.AppKey("price_selection", PriceSelection)
CONFIGURE_BUNDLE = web.AppKey("configure_bundle", ConfigureBundle)
SHOPS = web.AppKey("shops", Shops)
EMBED_BUNDLES = web.AppKey("embed_bundles", EmbedBundles)
GHOST_UPKEEP = web.AppKey("ghost_upkeep", GhostUpkeep)
CONFIGURED_CONTENTS = web.AppKey("configured_contents", ConfiguredContents)
CONFIGURED_SELECTIONS = web.AppKey("configured_selections", ConfiguredSelections)
STOCK_REMINDERS = web.AppKey("stock_reminders", StockReminders)
SHOPPER_REQUESTS = web.AppKey("shopper_requests", ShopperRequests)
WEBHOOKS = web.AppKey("webhooks", WebhookInbox)
EMBED_PATH = web.AppKey("embed_path", str)
OWN_ADDRESSES = web.AppKey("own_addresses", OwnAddresses)
RESPONSE_CACHE = web.AppKey("response_cache", ResponseCache)
BODY_MEMORY = web.AppKey("body_memory", BodyMemory)
WEBHOOK_MEMORY = web.AppKey("webhook_memory", BodyMemory)
STATISTICS = web.AppKey("statistics", RequestStatistics)
COLLECTORS = web.AppKey("collectors", list[Collector])
"""The metrics collectors that capabilities add."""
Background = list[Callable[[web.Application], AsyncIterator[None]]]
BACKGROUND: web.AppKey[Background] = web.AppKey("background", list)
"""Background work that capabilities add: context managers that are entered once everything else is open."""
METRICS = web.AppKey("metrics", MetricsPage)
SHARED_CACHING = web.AppKey("shared_caching", bool)

REQUEST_ID = web.RequestKey("request_id", str)
CALLER = web.RequestKey("caller", Caller)
LIMIT = web.RequestKey("limit", BucketState)
DEADLINE = web.RequestKey("deadline", RequestDeadline)
SHARED = web.RequestKey("shared", bool)
"""Present when the response is the same for all visitors of a page. Such a response has neither a request id nor rate limits."""
OUTCOME = web.RequestKey("outcome", object)
"""The outcome of the fast path for a request that the application completes: a response or an error."""
