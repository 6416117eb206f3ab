"""The embedded platform: products, stock and markets kept in our own database (design 13). The default."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from sqlalchemy import Connection, func, insert, select, update

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR
from bundlesvc.domain.money import ZERO, amount_text
from bundlesvc.domain.product import MarketPrice, Product, Variant, market_price
from bundlesvc.domain.shop import Market, ShopSettings, Tenant
from bundlesvc.ports import Reading
from bundlesvc.storage.database import Database
from bundlesvc.storage.documents import from_document
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.tables import catalogue_ghosts, markets, products, variants
from bundlesvc.storage.turns import take_turns


class EmbeddedPlatform:
    """The port `Platform` over the catalogue that shop files load. Its data is as fresh as the shop's revision."""

    def __init__(self, database: Database, cache: RevisionCache) -> None:
        self._database = database
        self._cache = cache

    async def shop(self, tenant: Tenant) -> ShopSettings:
        if tenant.shop.settings is None:
            raise PlatformNotConnected
        return tenant.shop.settings

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
    ) -> Reading[Mapping[int, Product]]:
        async def read(missing: list[int]) -> Mapping[int, Product]:
            return await self._database.read(lambda connection: _products(connection, tenant.id, missing))

        return Reading(await self._cache.many(tenant, "product", product_ids, read))

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
    ) -> Reading[Mapping[int, MarketPrice]]:
        market = await self._market(tenant, country)
        currency = (await self.shop(tenant)).currency
        return Reading({variant.id: market_price(variant, market, currency) for variant in variants})

    async def variant(self, tenant: Tenant, variant_id: int) -> Variant | None:
        def query(connection: Connection) -> int | None:
            wanted = (variants.c.shop_id == tenant.id) & (variants.c.id == variant_id)
            return connection.execute(select(variants.c.product_id).where(wanted)).scalar()

        product_id = await self._cache.one(tenant, "variant", variant_id, lambda: self._database.read(query))
        product = await self._product(tenant, product_id)
        return product.variants_by_id.get(variant_id) if product else None

    async def product_by_handle(self, tenant: Tenant, handle: str) -> Product | None:
        if "\0" in handle:  # PostgreSQL would not even look for it
            return None

        def query(connection: Connection) -> int | None:
            wanted = (products.c.shop_id == tenant.id) & (products.c.handle == handle)
            return connection.execute(select(products.c.id).where(wanted)).scalar()

        product_id = await self._cache.one(tenant, "handle", handle, lambda: self._database.read(query))
        return await self._product(tenant, product_id)

    async def selling_plans(self, tenant: Tenant, product_ids: Sequence[int]) -> Mapping[tuple[int, int, str], str]:
        """None: the catalogue knows no selling plans."""
        return {}

    async def market_adjustment(self, tenant: Tenant, country: str) -> Decimal:
        market = await self._market(tenant, country)
        return ZERO if market is None else market.price_adjustment

    async def create_ghost_variant(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        def work(connection: Connection) -> int:
            return _create_ghost(connection, tenant.id, product_id, option_value, amount_text(price))

        return await self._database.write(work)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        gone = (
            update(catalogue_ghosts)
            .where(catalogue_ghosts.c.shop_id == tenant.id, catalogue_ghosts.c.product_id == product_id)
            .where(catalogue_ghosts.c.variant_id.in_(variant_ids))
            .values(retired=True)
        )
        await self._database.write(lambda connection: connection.execute(gone).rowcount)

    async def _product(self, tenant: Tenant, product_id: int | None) -> Product | None:
        return None if product_id is None else (await self.products(tenant, [product_id])).value.get(product_id)

    async def _market(self, tenant: Tenant, country: str) -> Market | None:
        def query(connection: Connection) -> Market | None:
            wanted = (markets.c.shop_id == tenant.id) & (markets.c.country_code == country)
            document = connection.execute(select(markets.c.document).where(wanted)).scalar()
            return None if document is None else from_document(document, Market)

        return await self._cache.one(tenant, "market", country, lambda: self._database.read(query))


def _products(connection: Connection, shop_id: int, product_ids: list[int]) -> dict[int, Product]:
    wanted = (products.c.shop_id == shop_id) & products.c.id.in_(product_ids)
    rows = connection.execute(select(products.c.id, products.c.document).where(wanted))
    return {row.id: from_document(row.document, Product) for row in rows}


def _create_ghost(connection: Connection, shop_id: int, product_id: int, option_value: str, price: str) -> int:
    """The ghost variant's id: the one that is there, or the next free one. Ids of retired ghosts are not given again."""
    take_turns(connection, shop_id)
    ghosts = catalogue_ghosts.c
    same = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id) & (ghosts.option_value == option_value)
    there = connection.execute(select(ghosts.variant_id).where(same, ~ghosts.retired)).scalar()
    if there is not None:
        return int(there)
    newest = connection.execute(select(func.max(ghosts.variant_id)).where(ghosts.shop_id == shop_id)).scalar()
    variant_id = GHOST_VARIANT_FLOOR if newest is None else int(newest) + 1
    connection.execute(
        insert(catalogue_ghosts).values(
            shop_id=shop_id,
            variant_id=variant_id,
            product_id=product_id,
            option_value=option_value,
            price=price,
            retired=False,
        )
    )
    return variant_id
