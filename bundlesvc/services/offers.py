"""Reads the items that bundles offer, and their prices, from the platform. Caches those of the embedded platform until the shop
changes."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.line import Line
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.selection import Units, UnpricedLine, choose
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.immutable import immutable
from bundlesvc.lru import LruMapping
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import RequestDeadline

MAX_OFFERS = 5000
"""The maximum number of offers to cache, across all shops and countries. Those of the least recently used bundles are dropped.
Each cached offer also keeps its product in memory."""

_Scope = tuple[int, int, int, str | None]
"""Shop, revision, bundle and country."""

_Item = tuple[int, int, int]
"""Variant, product and section."""


class _Offer(NamedTuple):
    """A variant that a bundle offers in a section, and its price in a country."""

    product: Product
    variant: Variant
    unit_price: Decimal
    market: MarketPrice | None


@immutable
class PricedLines:
    """The priced lines of a selection, and the prices in the shopper's country, by variant id."""

    lines: tuple[Line, ...]
    market_prices: Mapping[int, MarketPrice]


class Offers:
    """Reads the offers of bundles. On the embedded platform, a bundle's items and prices depend only on the shop's revision, so
    both are cached. Prices and stock of live platforms are at most `price_max_age` seconds old."""

    def __init__(self, platform: Platform, price_max_age: float) -> None:
        self._platform = platform
        self._max_age = price_max_age
        self._offers: LruMapping[_Scope, Mapping[_Item, _Offer]] = LruMapping(MAX_OFFERS, lambda _, offers: len(offers))

    def cached(self, tenant: Tenant, bundle: Bundle, units: Units, country: str | None) -> PricedLines | None:
        """Return the lines of a selection, or None unless the offers of all its items are cached."""
        offers = self._offers.get((tenant.id, tenant.revision, bundle.id, country))
        if offers is None:
            return None
        lines: list[Line] = []
        prices: dict[int, MarketPrice] = {}
        for (variant_id, product_id, section_id, answers), indexes in units.items():
            offer = offers.get((variant_id, product_id, section_id))
            if offer is None:
                return None
            product, variant, unit_price, market = offer
            lines.append(Line(product, variant, section_id, len(indexes), unit_price, indexes[0], answers))
            if market is not None:
                prices[variant_id] = market
        return PricedLines(tuple(lines), prices)

    async def choose(
        self, tenant: Tenant, bundle: Bundle, units: Units, free_variants: frozenset[int], deadline: RequestDeadline
    ) -> Reading[tuple[UnpricedLine, ...]]:
        """Fetch the items of a selection, without prices. Raises SelectionInvalid, and what `Platform` raises."""
        offered = _offered(bundle, units, free_variants)
        found = await self._platform.products(tenant, offered, self._max_age, deadline)
        return Reading(choose(bundle, units, found.value, free_variants), found.age, found.lifetime)

    async def price(
        self,
        tenant: Tenant,
        bundle: Bundle,
        chosen: Reading[tuple[UnpricedLine, ...]],
        country: str | None,
        currency: str,
        deadline: RequestDeadline,
    ) -> PricedLines:
        """Price the lines of a selection. Raises what `Platform` raises."""
        prices: Reading[Mapping[int, MarketPrice]] = Reading({})
        if country is not None:
            variants = [choice.variant for choice in chosen.value]
            prices = await self._platform.market_prices(tenant, variants, country, self._max_age, deadline)
        lines = tuple(one.at(prices.value.get(one.variant.id), currency) for one in chosen.value)
        if tenant.shop.platform.kind == EMBEDDED and chosen.lifetime is None and prices.lifetime is None:
            self._remember(tenant, bundle, country, lines, prices.value)
        return PricedLines(lines, prices.value)

    def _remember(
        self,
        tenant: Tenant,
        bundle: Bundle,
        country: str | None,
        lines: Iterable[Line],
        prices: Mapping[int, MarketPrice],
    ) -> None:
        scope = tenant.id, tenant.revision, bundle.id, country
        found = {
            (line.variant.id, line.product.id, line.section_id): _Offer(
                line.product, line.variant, line.unit_price, prices.get(line.variant.id)
            )
            for line in lines
        }
        self._offers[scope] = {**self._offers.get(scope, {}), **found}


def _offered(bundle: Bundle, units: Units, free_variants: frozenset[int]) -> list[int]:
    """Return the ids of the selected products that the bundle may offer. Only these are fetched."""
    named = set(bundle.product_ids)
    free = {item.product_id for item in units if item.variant_id in free_variants}
    return sorted({item.product_id for item in units} & (named | free))
