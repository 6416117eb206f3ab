"""Lists bundles for pages: translated, paginated, and with from-prices (docs/contract.md#lists)."""

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.listing.discount_summary import SENTENCES, discount_summary
from bundlesvc.domain.listing.from_price import from_price
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import EMBEDDED, ShopSettings, Tenant
from bundlesvc.domain.texts.translation import translate_bundle
from bundlesvc.lru import LruMapping
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.bundles import MAX_LISTED
from bundlesvc.services.embed_bundles import response_language
from bundlesvc.services.products import Products

MAX_PRICES = 5000
"""The maximum number of from-prices to cache. Only those of shops on the embedded platform are cached, because they depend on
nothing but the shop's revision."""


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A request for a list of at most `limit` bundles with ids above `after`. With a `handle`, lists only bundles of the product
    with that handle. When `language` is None, the shop's own language is used."""

    language: str | None = None
    handle: str | None = None
    limit: int = MAX_LISTED
    after: int = 0
    with_offers: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a list: its bundles, the language of their texts, the language of their discount summaries, and the id after
    which the next page begins (None on the last page)."""

    bundles: Sequence[Bundle]
    language: str
    sentences: str
    next_after: int | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A bundle's offer, as shown in a list: its product's handle ("" if it has none), its from-price in shop currency (None when
    it is not known exactly), and its discount as a sentence."""

    handle: str
    from_price: Decimal | None
    discount_summary: str | None


@dataclass(frozen=True, slots=True)
class ListedBundle:
    """A bundle translated into the language of the list. `offer` is None unless it was requested."""

    bundle: Bundle
    offer: Offer | None


class Listings:
    """Lists a shop's bundles, with their offers on request."""

    def __init__(self, shops: ShopStore, platform: Platform, products: Products) -> None:
        self._shops = shops
        self._platform = platform
        self._products = products
        self._prices: LruMapping[tuple[int, int, int], Decimal | None] = LruMapping(MAX_PRICES)

    async def find(self, caller: Caller, request: ListRequest, deadline: RequestDeadline) -> Part:
        """Find the bundles to list. Raises what `Platform` raises."""
        tenant = caller.tenant
        ids = await self._published(tenant, request.handle, deadline)
        start = bisect_right(ids, request.after)
        end = start + request.limit
        bundles = await self._shops.bundles(tenant, ids[start:end])
        requested = [] if request.language is None else [request.language]
        translated = {tag for bundle in bundles for tag in bundle.translations}
        return Part(
            bundles,
            response_language(tenant.shop, requested, sorted(translated)),
            response_language(tenant.shop, requested, list(SENTENCES)),
            ids[end - 1] if end < len(ids) else None,
        )

    async def view(self, caller: Caller, part: Part, deadline: RequestDeadline) -> Reading[Sequence[ListedBundle]]:
        """Return the bundles on a page, with their offers. Raises the same errors as `Platform`."""
        tenant = caller.tenant
        settings = await self._platform.shop(tenant, deadline)
        ids = list(dict.fromkeys(product_id for bundle in part.bundles for product_id in bundle.product_ids))
        found = await self._platform.products(tenant, ids, deadline=deadline)
        prices = await self._from_prices(tenant, part.bundles, found, settings)
        handles = await self._handles(tenant, part.bundles, deadline)
        offers = [
            Offer(handle, price, discount_summary(bundle.discount, part.sentences, settings))
            for bundle, handle, price in zip(part.bundles, handles, prices, strict=True)
        ]
        return Reading(listed(part, offers), found.age, found.lifetime)

    async def _published(self, tenant: Tenant, handle: str | None, deadline: RequestDeadline) -> Sequence[int]:
        if handle is None:
            return await self._shops.published_ids(tenant)
        product_id = await self._platform.product_by_handle(tenant, handle, deadline)
        return [] if product_id is None else await self._shops.published_ids(tenant, product_id)

    async def _handles(self, tenant: Tenant, bundles: Iterable[Bundle], deadline: RequestDeadline) -> list[str]:
        """Fetch the handles of the bundles' products concurrently, because a live platform needs one request per handle."""
        reads = (self._products.own_handle(tenant, bundle, deadline) for bundle in bundles)
        handles: list[str] = []
        for handle in await asyncio.gather(*reads, return_exceptions=True):
            if isinstance(handle, BaseException):
                raise handle
            handles.append(handle)
        return handles

    async def _from_prices(
        self,
        tenant: Tenant,
        bundles: Iterable[Bundle],
        products: Reading[Mapping[int, Product]],
        settings: ShopSettings,
    ) -> list[Decimal | None]:
        lasting = tenant.shop.platform.kind == EMBEDDED and products.lifetime is None
        prices = []
        for bundle in bundles:
            key = tenant.id, tenant.revision, bundle.id
            if lasting and key in self._prices:
                prices.append(self._prices[key])
                continue
            prices.append(from_price(tenant.shop, bundle, products.value, settings))
            if lasting:
                self._prices[key] = prices[-1]
            await asyncio.sleep(0)  # a price takes about a millisecond: let other requests run in between
        return prices


def listed(part: Part, offers: Sequence[Offer] | None = None) -> list[ListedBundle]:
    """Return the bundles of one page of a list, translated into the page's language."""
    return [
        ListedBundle(translate_bundle(bundle, part.language), offers[index] if offers else None)
        for index, bundle in enumerate(part.bundles)
    ]
