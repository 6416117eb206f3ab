"""Everything that handlers find in the application and in a request, typed, in one place."""

from aiohttp import web

from bundlesvc.api.rendered import RenderedGets
from bundlesvc.api.statistics import RequestStatistics
from bundlesvc.ports import BucketState, Platform, ShopStore
from bundlesvc.services.access import Caller, Directory
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configuring import Configuring
from bundlesvc.services.products import Products
from bundlesvc.services.quoting import Quoting

DIRECTORY = web.AppKey("directory", Directory)
BUNDLES = web.AppKey("bundles", Bundles)
PRODUCTS = web.AppKey("products", Products)
QUOTING = web.AppKey("quoting", Quoting)
CONFIGURING = web.AppKey("configuring", Configuring)
PLATFORM = web.AppKey("platform", Platform)
SHOPS = web.AppKey("shops", ShopStore)
RENDERED = web.AppKey("rendered", RenderedGets)
STATISTICS = web.AppKey("statistics", RequestStatistics)

REQUEST_ID = web.RequestKey("request_id", str)
CALLER = web.RequestKey("caller", Caller)
LIMIT = web.RequestKey("limit", BucketState)
