"""The embedded platform, which is the default: products, stock and markets are stored in the service's own database
(docs/contract.md#live-data)."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from sqlalchemy import Connection, select

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms, embedded_terms
from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant, market_price
from bundlesvc.domain.shop import Market, ShopSettings, Tenant
from bundlesvc.platforms.embedded.ghosts import (
    DrawId,
    create_ghost,
    ghost_prices,
    random_ghost_id,
    retire_ghosts,
    set_ghost_price,
)
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import markets, products, variants


class EmbeddedPlatform:
    """Implements the `Platform` port with the catalogue in the shop file. Its data is always that of the shop's current
    revision."""

    def __init__(self, database: Database, cache: RevisionCache, draw_id: DrawId = random_ghost_id) -> None:
        self._database = database
        self._cache = cache
        self._draw_id = draw_id

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        if tenant.shop.settings is None:
            raise PlatformNotConnected
        return tenant.shop.settings

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        async def read(missing: list[int]) -> Mapping[int, Product]:
            return await self._database.read_shop(tenant, lambda connection: _products(connection, tenant.id, missing))

        return Reading(await self._cache.many(tenant, "product", product_ids, read))

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        requested = list(variants)
        market = await self._market(tenant, country)
        currency = (await self.shop(tenant)).currency
        own = await self._ghost_prices(tenant, requested, country)
        return Reading({each.id: market_price(each, market, currency, own.get(each.id)) for each in requested})

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        def query(connection: Connection) -> int | None:
            wanted = of_shop(variants, tenant.id) & (variants.c.id == variant_id)
            return connection.execute(select(variants.c.product_id).where(wanted)).scalar()

        product_id = await self._cache.one(
            tenant, "variant", variant_id, lambda: self._database.read_shop(tenant, query)
        )
        product = await self._product(tenant, product_id)
        return product.variants_by_id.get(variant_id) if product else None

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        if "\0" in handle:  # PostgreSQL does not accept NUL in text
            return None

        def query(connection: Connection) -> int | None:
            wanted = of_shop(products, tenant.id) & (products.c.handle == handle)
            return connection.execute(select(products.c.id).where(wanted)).scalar()

        return await self._cache.one(tenant, "handle", handle, lambda: self._database.read_shop(tenant, query))

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        product = await self._product(tenant, product_id)
        return None if product is None else product.handle

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        """Return an empty mapping, because the catalogue has no selling plans."""
        return {}

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        """Return an empty sequence, because the products contain their translations."""
        return ()

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        return {}

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        return embedded_terms(await self._market(tenant, country), country, (await self.shop(tenant)).currency)

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        def work(connection: Connection) -> int:
            return create_ghost(connection, tenant.id, product_id, option_value, price, self._draw_id)

        return await self._database.write(work)

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        def work(connection: Connection) -> None:
            set_ghost_price(connection, tenant.id, variant_id, terms.price_list or "", price)

        await self._database.write(work)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        def work(connection: Connection) -> None:
            retire_ghosts(connection, tenant.id, product_id, variant_ids)

        await self._database.write(work)

    async def _ghost_prices(self, tenant: Tenant, variants: Sequence[Variant], country: str) -> Mapping[int, Decimal]:
        """Read the prices of ghost variants. The prices are not cached, because a configure request may set one at any time."""
        ghosts = [variant.id for variant in variants if variant.id >= GHOST_VARIANT_FLOOR]
        if not ghosts:
            return {}
        return await self._database.read(lambda connection: ghost_prices(connection, tenant.id, ghosts, country))

    async def _product(self, tenant: Tenant, product_id: int | None) -> Product | None:
        return None if product_id is None else (await self.products(tenant, [product_id])).value.get(product_id)

    async def _market(self, tenant: Tenant, country: str) -> Market | None:
        def query(connection: Connection) -> Market | None:
            wanted = of_shop(markets, tenant.id) & (markets.c.country_code == country)
            document = connection.execute(select(markets.c.document).where(wanted)).scalar()
            return None if document is None else from_document(document, Market)

        return await self._cache.one(tenant, "market", country, lambda: self._database.read_shop(tenant, query))


def _products(connection: Connection, shop_id: int, product_ids: list[int]) -> dict[int, Product]:
    wanted = of_shop(products, shop_id) & products.c.id.in_(product_ids)
    rows = connection.execute(select(products.c.id, products.c.document).where(wanted))
    return {row.id: from_document(row.document, Product) for row in rows}
