"""Prices and availability in a country, fetched with two calls for up to 250 products. Fetches for the same country that start at
the same moment are combined (docs/decisions/0009-market-prices.md)."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.deadline import Sleep
from bundlesvc.platforms.shopify.catalogue.markets import (
    Node,
    Offer,
    PriceInBoth,
    ResolvedMarket,
    implied_rate,
    needs_price_list,
    resolved_market,
    valued,
)
from bundlesvc.platforms.shopify.catalogue.products import FIRST_VARIANTS
from bundlesvc.platforms.shopify.client.admin_session import MAX_IDS, AdminSession
from bundlesvc.platforms.shopify.client.graphql import PRODUCT, VARIANT, amount, gid, next_cursor, number_of
from bundlesvc.single_flight import SingleFlight

COLLECTING_SECONDS = 0.01
"""Seconds for which a fetch waits for others to join it; the fetch itself takes far longer."""

_SEARCH_FIELDS = {PRODUCT: "product_id", VARIANT: "variant_id"}
"""The names of the fields by which a price list is searched for products and for variants."""
_PUBLICATIONS = ("firstPublication", "secondPublication", "thirdPublication")
_PUBLISHED = ("first", "second", "third")
"""The fields for the publications of a country in the documents; `_PUBLICATIONS` are the variables. If a country has more than
three publications, none of them is read."""

Prices = Mapping[int, MarketPrice]
_Key = tuple[int, str | None, str]
"""A shop's row id and domain, and a country code."""

Fetch = Callable[[Tenant, Iterable[Variant], str], Awaitable[Prices]]


class CombinedPrices:
    """Combines fetches for the same country, because each fetch has to resolve the country. Requests add their variants before
    the fetch is sent, and every request that joined a fetch gets the result or the error of the fetch."""

    def __init__(self, fetch: Fetch, sleep: Sleep) -> None:
        self._fetch = fetch
        self._sleep = sleep
        self._collected: dict[_Key, dict[int, Variant]] = {}
        self._fetches: SingleFlight[_Key, Prices] = SingleFlight()

    async def prices(self, tenant: Tenant, variants: Iterable[Variant], country: str) -> Prices:
        """Fetch prices by variant id. Never shares the result of a request that was sent before this call."""
        wanted = {variant.id: variant for variant in variants}
        key = (tenant.id, tenant.shop.platform.domain, country)
        self._collected.setdefault(key, {}).update(wanted)
        found = await self._fetches.join(key, partial(self._collect_and_fetch, key, tenant))
        return {variant_id: price for variant_id, price in found.items() if variant_id in wanted}

    async def aclose(self) -> None:
        """Cancel the fetches in progress."""
        await self._fetches.aclose()

    async def _collect_and_fetch(self, key: _Key, tenant: Tenant) -> Prices:
        await self._sleep(COLLECTING_SECONDS)
        self._fetches.forget([key])  # calls from now on start a new fetch
        return await self._fetch(tenant, self._collected.pop(key).values(), key[-1])


async def market_prices(session: AdminSession, variants: Iterable[Variant], country: str) -> Prices:
    """Fetch the prices of the variants that still exist, by variant id. `country` is Shopify's country code.

    A few variants are fetched by their own ids; many are fetched by the ids of their products, which limits the number of calls.
    """
    wanted = {variant.id: variant for variant in variants}
    market = _MarketReader(session, await resolved_market(session, country))
    if len(wanted) > MAX_IDS:
        await market.fetch_products({variant.product_id for variant in wanted.values() if variant.product_id})
    await market.fetch_variants([variant.id for variant in wanted.values() if market.may_still_find(variant)])
    return {variant_id: price for variant_id, price in market.prices().items() if variant_id in wanted}


class _MarketReader:
    """Fetches and collects the offers of variants in one market."""

    def __init__(self, session: AdminSession, market: ResolvedMarket) -> None:
        self._session = session
        self._market = market
        self._offers: dict[int, Offer] = {}
        self._whole_products: set[int] = set()
        self._fixed: set[int] = set()
        self._converted: list[PriceInBoth] = []

    def prices(self) -> Prices:
        rate = implied_rate(self._converted)
        return {offer.variant_id: valued(offer, self._market, self._fixed, rate) for offer in self._offers.values()}

    def may_still_find(self, variant: Variant) -> bool:
        """Whether the variant has not been fetched yet, but may exist."""
        return variant.id not in self._offers and variant.product_id not in self._whole_products

    async def fetch_products(self, product_ids: Iterable[int]) -> None:
        await self._fetch("market_prices_by_product", PRODUCT, sorted(product_ids), {"variantsFirst": FIRST_VARIANTS})

    async def fetch_variants(self, variant_ids: Sequence[int]) -> None:
        await self._fetch("market_prices_by_variant", VARIANT, variant_ids, {})

    async def _fetch(self, document: str, kind: str, ids: Sequence[int], others: Mapping[str, Any]) -> None:
        def variables(batch: Sequence[int]) -> Mapping[str, Any]:
            gids = [gid(kind, number) for number in batch]
            return {"ids": gids, **others, **_market_variables(self._market), "rows": _rows(kind, batch)}

        for batch, data in await self._session.in_batches(document, ids, variables):
            with self._session.reading():
                for node in filter(None, data["nodes"]):
                    self._take(node)
                cursor = self._take_rows(data.get("priceList"))
            await self._fetch_further_rows(_rows(kind, batch), cursor)

    def _take(self, node: Node) -> None:
        """Read the offers of a node, which is either a product with its variants, or a variant with its product."""
        if "variants" not in node:
            self._take_variant(node, node["product"])
            return
        for variant in node["variants"]["nodes"]:
            self._take_variant(variant, node)
        if next_cursor(node["variants"]) is None:
            self._whole_products.add(number_of(node["id"]))

    def _take_variant(self, node: Node, product: Node) -> None:
        price = node["contextualPricing"]["price"]
        published = [node[name] for name in _PUBLISHED if name in node]
        sold = product["publishedInContext"] and (not published or any(published))
        variant_id = number_of(node["id"])
        self._offers[variant_id] = Offer(
            variant_id, amount(node["price"]), amount(price["amount"]), price["currencyCode"], sold
        )

    def _take_rows(self, price_list: Node | None) -> str | None:
        """Read which prices on the price list are fixed, and how the others were converted. Returns the cursor of the next page
        of fixed prices; None after the last page."""
        if price_list is None:
            return None
        if "relative" in price_list:
            self._converted += filter(None, (self._pair(row) for row in price_list["relative"]["nodes"]))
        self._fixed.update(number_of(row["variant"]["id"]) for row in price_list["fixed"]["nodes"])
        return next_cursor(price_list["fixed"])

    def _pair(self, row: Node) -> PriceInBoth | None:
        before, after = row["price"], row["variant"]["contextualPricing"]["price"]
        currencies = (before["currencyCode"], after["currencyCode"])
        if currencies != (self._market.shop_currency, self._market.currency):
            return None
        return PriceInBoth(amount(before["amount"]), amount(after["amount"]))

    async def _fetch_further_rows(self, rows: str, cursor: str | None) -> None:
        while cursor:
            data = await self._session.run(
                "fixed_prices_page", priceList=self._market.price_list, rows=rows, after=cursor
            )
            with self._session.reading():
                cursor = self._take_rows(data["priceList"])


def _market_variables(market: ResolvedMarket) -> Mapping[str, Any]:
    count = len(market.publications)
    read_publications = 0 < count <= len(_PUBLICATIONS)
    variables: dict[str, Any] = {"country": market.country, "publications": read_publications}
    if read_publications:  # unused variables repeat the last publication
        publications = (*market.publications, *market.publications[-1:] * len(_PUBLICATIONS))
        variables |= zip(_PUBLICATIONS, publications, strict=False)
    with_list = needs_price_list(market)
    return variables | {"list": with_list} | ({"priceList": market.price_list} if with_list else {})


def _rows(kind: str, ids: Iterable[int]) -> str:
    """Build the search query that finds the rows of these products or variants on a price list."""
    return " OR ".join(f"{_SEARCH_FIELDS[kind]}:{number}" for number in ids)
