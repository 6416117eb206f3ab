"""The API for the content of a draft: what the component needs to render a bundle, and to simulate buying it."""

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.api.bodies.memory import BodyMemory
from bundlesvc.api.cors import embed_path
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.response_cache.cache import ResponseCache
from bundlesvc.api.response_cache.own_address import OwnAddresses
from bundlesvc.api.visitors import VISITORS, Visitors
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import HEADLESS, ApiKey
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.ports import Clock, Ids, Platform
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.configure_bundle import ConfigureBundle
from bundlesvc.services.embed_bundles import EmbedBundles
from bundlesvc.services.listings import Listings
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.products import Products
from bundlesvc.services.shops import Shops
from bundlesvc.studio.drafts.draft_catalogue import DraftCatalogue
from bundlesvc.studio.drafts.draft_shop import DraftShop
from bundlesvc.studio.drafts.pretended_purchase import NoDiscount, NothingRecorded

BASE_PATH = "/draft"
SHOWN = ("listBundles", "getBundleProducts", "embedBundle", "embedSettings", "embedConfigure")
"""The endpoints that a preview offers, by name. None of them writes."""

PRICE_MAX_AGE = 300.0
"""The maximum age, in seconds, of a live shop's prices in a trial purchase."""

RENDERED_BYTES, BODY_BYTES = 1024 * 1024, 1024 * 1024


class DraftApi:
    """The API of one draft. For a live shop, it reads the products from `platform`, over the shop's own connection."""

    def __init__(self, shops: DraftShop, platform: Platform, clock: Clock, ids: Ids) -> None:
        self.content, own = shops.content, shops.tenant
        is_embedded = self.content.shop.platform.kind == EMBEDDED
        catalogue = self.catalogue = DraftCatalogue(self.content) if is_embedded else platform
        self.price_selection = PriceSelection(catalogue, PRICE_MAX_AGE)
        bundles, products = Bundles(shops, catalogue), Products(catalogue)
        app = self.app = web.Application()
        app[app_keys.BODY_MEMORY] = BodyMemory(BODY_BYTES)
        app[VISITORS] = Visitors(trusted_proxies=0)
        app[app_keys.SHOPS] = Shops(shops, catalogue)
        app[app_keys.BUNDLES] = bundles
        app[app_keys.PRODUCTS] = products
        app[app_keys.LISTINGS] = Listings(shops, catalogue, products)
        app[app_keys.EMBED_BUNDLES] = EmbedBundles(bundles, products, shops, catalogue)
        app[app_keys.CONFIGURE_BUNDLE] = ConfigureBundle(
            self.price_selection, shops, NothingRecorded(), NoDiscount(), clock, ids
        )
        app[app_keys.RESPONSE_CACHE] = ResponseCache(clock, RENDERED_BYTES)
        app[app_keys.SHARED_CACHING] = False
        app[app_keys.OWN_ADDRESSES] = OwnAddresses()
        app[app_keys.EMBED_PATH] = embed_path(BASE_PATH)
        add_endpoints(app, BASE_PATH, [each for each in ENDPOINTS if each.name in SHOWN])
        add_endpoints(app, embed_path(BASE_PATH), [each for each in EMBED_ENDPOINTS if each.name in SHOWN])
        self.caller = Caller(_reader(own), own)


def _reader(tenant: Tenant) -> ApiKey:
    """Build a key that can also read unpublished bundles. It is not stored in any database."""
    return ApiKey(
        id=0,
        shop_id=tenant.id,
        digest="",
        prefix="",
        label="preview",
        test=True,
        scopes=(HEADLESS,),
        origins=(),
        rate_limit=1,
        active=True,
        created_at=0,
    )
