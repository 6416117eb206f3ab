"""Replays shoppers' selections against a draft, to find out who would pay more or less, and who would be refused."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.product import MarketPrice, Product, Variant, market_price
from bundlesvc.domain.revisions.items import as_drafted, content_of, items_of
from bundlesvc.domain.revisions.replay import BundleReplay, State, replay
from bundlesvc.domain.shop import EMBEDDED, ShopSettings, Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.ports import Platform
from bundlesvc.ports.revisions import ContentFormat, RevisionStore, SelectionStore
from bundlesvc.request_deadline import RequestDeadline

MAX_SELECTIONS = 10_000


class Replays:
    """Replays selections against drafts. Products and prices of live platforms are at most `price_max_age` seconds old. The live
    revision and the draft are priced with the same products and prices."""

    def __init__(
        self,
        store: RevisionStore,
        contents: ContentFormat,
        selections: SelectionStore,
        platform: Platform,
        price_max_age: float,
    ) -> None:
        self._store = store
        self._contents = contents
        self._selections = selections
        self._platform = platform
        self._max_age = price_max_age

    async def replay(
        self, tenant: Tenant, number: int, limit: int, deadline: RequestDeadline
    ) -> Sequence[BundleReplay]:
        """Price the newest selections of the bundles that a revision changes, up to `limit` in total. A draft is replayed as it
        would be after publishing. Raises NotFound, RevisionInvalid, and what `Platform` raises."""
        live, found = await self._store.read(tenant, None), await self._store.read(tenant, number)
        if found.revision.number == live.revision.number:
            return []
        after = found.shop_file
        if found.draft:
            drafted = as_drafted(items_of(self._contents.content(live.shop_file)), found.draft)
            after = await asyncio.to_thread(self._contents.shop_file, content_of(drafted))
        before = live.shop_file
        selections = await self._selections.newest(tenant, _changed(before, after), limit)
        states = [await self._state(tenant, each, selections, deadline) for each in (before, after)]
        return await asyncio.to_thread(replay, selections, *states)

    async def _state(
        self, tenant: Tenant, shop_file: ShopFile, selections: Sequence[StoredSelection], deadline: RequestDeadline
    ) -> State:
        bundles = {bundle.id: bundle for bundle in shop_file.bundles}
        countries = {each.country for each in selections if each.country is not None}
        if tenant.shop.platform.kind == EMBEDDED and shop_file.shop.settings is not None:
            settings = shop_file.shop.settings
            products: Mapping[int, Product] = {product.id: product for product in shop_file.products}
            prices = _own_prices(shop_file, settings, _variants(products, selections), countries)
            return State(shop_file.shop, settings, bundles, products, prices)
        settings = await self._platform.shop(tenant, deadline)
        wanted = sorted({item.product_id for each in selections for item in each.items})
        products = (await self._platform.products(tenant, wanted, self._max_age, deadline)).value
        variants = [variant for product in products.values() for variant in product.variants]
        prices = {
            country: (await self._platform.market_prices(tenant, variants, country, self._max_age, deadline)).value
            for country in sorted(countries)
        }
        return State(shop_file.shop, settings, bundles, products, prices)


def _own_prices(
    shop_file: ShopFile, settings: ShopSettings, variants: Sequence[Variant], countries: Collection[str]
) -> Mapping[str, Mapping[int, MarketPrice]]:
    """Compute the prices of the embedded platform in these countries, by country and variant id."""
    markets = {market.country_code: market for market in shop_file.markets}
    return {
        country: {each.id: market_price(each, markets.get(country), settings.currency) for each in variants}
        for country in countries
    }


def _variants(products: Mapping[int, Product], selections: Sequence[StoredSelection]) -> list[Variant]:
    """Return all variants of the selected products."""
    wanted = {item.product_id for each in selections for item in each.items}
    return [variant for id_ in wanted & products.keys() for variant in products[id_].variants]


def _changed(before: ShopFile, after: ShopFile) -> Collection[int] | None:
    """Return the ids of bundles whose price or rules may differ, or None when any bundle may be affected."""
    if before.shop != after.shop or before.markets != after.markets:
        return None
    old, new = ({bundle.id: bundle for bundle in each.bundles} for each in (before, after))
    products = _changed_products(before, after)
    return {
        id_
        for id_, bundle in old.items()
        if new.get(id_) != bundle or not products.isdisjoint((*bundle.product_ids, bundle.product_id))
    }


def _changed_products(before: ShopFile, after: ShopFile) -> set[int | None]:
    old, new = ({product.id: product for product in each.products} for each in (before, after))
    return {id_ for id_, product in old.items() if new.get(id_) != product}
