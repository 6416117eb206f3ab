"""Shops on Shopify (design 13). Nothing is kept here: whoever wants answers remembered puts a cache around it."""

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import TypeVar

from bundlesvc.domain.connection import Connection
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import MarketPrice, Product, Variant, market_price
from bundlesvc.domain.reading import Reading
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.platforms.shopify import (
    ghost_prices,
    ghosts,
    market_prices,
    markets,
    products,
    selling_plans,
    shop_settings,
)
from bundlesvc.platforms.shopify.access import AccessTokens
from bundlesvc.platforms.shopify.bucket import Sleep
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.joint_prices import JointPrices
from bundlesvc.platforms.shopify.market_valuation import market_terms
from bundlesvc.platforms.shopify.shop_client import Chance, ShopClient
from bundlesvc.platforms.shopify.throttling import ThrottlingStatistics
from bundlesvc.platforms.shopify.transport import ShopTransport
from bundlesvc.ports import Clock, CredentialStore

T = TypeVar("T")


class ShopifyPlatform:
    """The port `Platform` over the Admin GraphQL API. `timeout`: seconds that one question may take, all in all.

    Its methods raise StorageUnavailable too, when the shop's connection cannot be read.
    """

    def __init__(
        self,
        transport: ShopTransport,
        connections: CredentialStore,
        clock: Clock,
        timeout: float,
        sleep: Sleep = asyncio.sleep,
        chance: Chance = random.random,
    ) -> None:
        self.statistics = ThrottlingStatistics()
        self._transport = transport
        self._tokens = AccessTokens(transport, connections, clock, timeout, sleep)
        self._clock = clock
        self._timeout = timeout
        self._sleep = sleep
        self._chance = chance
        self._clients: dict[str, ShopClient] = {}
        self._joint_prices = JointPrices(self._prices, sleep)

    async def inquiry(self, tenant: Tenant) -> Inquiry:
        """A question to the shop, whose time begins now. Raises as asking it does: a shop may have to give a token first."""
        deadline = Deadline(self._clock, self._timeout)
        connection = await self._tokens.connection(tenant, deadline)
        return Inquiry(self._client(connection), connection, deadline, partial(self._tokens.another, tenant))

    async def renew_token(self, tenant: Tenant) -> None:
        """Find out whether the shop still gives tokens to the app that it is connected with. A fixed token stays."""
        await self._tokens.renew(tenant, Deadline(self._clock, self._timeout))

    async def aclose(self) -> None:
        """Give up what is under way for nobody."""
        await self._tokens.aclose()

    async def shop(self, tenant: Tenant) -> ShopSettings:
        return await shop_settings.shop_settings(await self.inquiry(tenant))

    async def products(
        self, tenant: Tenant, product_ids: Sequence[int], max_age: float | None = None
    ) -> Reading[Mapping[int, Product]]:
        return _new(await products.products_by_id(await self.inquiry(tenant), product_ids))

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        code = markets.country_code(country)
        if code is not None:
            return _new(await self._joint_prices.prices(tenant, variants, code))
        currency = (await self.shop(tenant)).currency
        return _new({variant.id: market_price(variant, None, currency) for variant in variants})

    async def variant(self, tenant: Tenant, variant_id: int) -> Variant | None:
        return await products.variant_by_id(await self.inquiry(tenant), variant_id)

    async def product_by_handle(self, tenant: Tenant, handle: str) -> Product | None:
        return await products.product_by_handle(await self.inquiry(tenant), handle)

    async def selling_plans(self, tenant: Tenant, product_ids: Sequence[int]) -> Mapping[tuple[int, int, str], str]:
        return await selling_plans.selling_plans(await self.inquiry(tenant), product_ids)

    async def market_terms(self, tenant: Tenant, country: str) -> MarketTerms:
        code = markets.country_code(country)
        if code is None:
            return MarketTerms((await self.shop(tenant)).currency, ZERO, Decimal(1), price_list=None)
        return market_terms(await markets.resolved_market(await self.inquiry(tenant), code))

    async def create_ghost_variant(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        return await ghosts.create_ghost(await self.inquiry(tenant), product_id, option_value, price)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        await ghost_prices.set_fixed_price(await self.inquiry(tenant), variant_id, terms, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        await ghosts.retire_ghosts(await self.inquiry(tenant), product_id, variant_ids)

    async def _prices(self, tenant: Tenant, variants: Iterable[Variant], country: str) -> Mapping[int, MarketPrice]:
        return await market_prices.market_prices(await self.inquiry(tenant), variants, country)

    def _client(self, connection: Connection) -> ShopClient:
        domain = connection.domain
        if domain not in self._clients:
            self._clients[domain] = ShopClient(
                domain, self._transport, self._clock, self._sleep, self.statistics, self._chance
            )
        self._clients[domain].connected(connection)
        return self._clients[domain]


def _new(answer: T) -> Reading[T]:
    """An answer of this moment; how long it may be kept is for the cache to say."""
    return Reading(answer, age=0.0, lifetime=0.0)
