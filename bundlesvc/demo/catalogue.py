"""The markets, and the variants that a cart can contain, read from the embedded platform."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy import Connection, select

from bundlesvc.demo.ports import CartVariant
from bundlesvc.domain.product import DEFAULT_TITLE, Product, Variant
from bundlesvc.domain.shop import Market, Tenant
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts, markets, products, variants


class EmbeddedCartCatalogue:
    """Implements the `CartCatalogue` port over the catalogue that shop files are loaded into."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def markets(self, tenant: Tenant) -> Mapping[str, str]:
        def query(connection: Connection) -> dict[str, str]:
            mine = select(markets).where(of_shop(markets, tenant.id)).order_by(markets.c.country_code)
            return {row.country_code: from_document(row.document, Market).currency for row in connection.execute(mine)}

        return await self._database.read(query)

    async def cart_variants(self, tenant: Tenant, variant_ids: Sequence[int]) -> Mapping[int, CartVariant]:
        def query(connection: Connection) -> dict[int, CartVariant]:
            own = _products(connection, tenant.id, variant_ids)
            return _variants(own, variant_ids) | _ghosts(connection, tenant.id, variant_ids)

        return await self._database.read(query)


def _products(connection: Connection, shop_id: int, variant_ids: Sequence[int]) -> list[Product]:
    """Fetch the products of these variants, each product once."""
    of_variants = select(variants.c.product_id).where(of_shop(variants, shop_id), variants.c.id.in_(variant_ids))
    wanted = select(products.c.document).where(of_shop(products, shop_id), products.c.id.in_(of_variants))
    return [from_document(document, Product) for document in connection.execute(wanted).scalars()]


def _variants(own: Sequence[Product], variant_ids: Sequence[int]) -> dict[int, CartVariant]:
    wanted = set(variant_ids)
    return {
        variant.id: CartVariant(variant, product.title, variant.image or product.image_url)
        for product in own
        for variant in product.variants
        if variant.id in wanted
    }


def _ghosts(connection: Connection, shop_id: int, variant_ids: Sequence[int]) -> dict[int, CartVariant]:
    """Fetch the ghost variants in use, by id. Leaves out retired ghost variants, which the platform no longer sells."""
    ghosts = catalogue_ghosts.c
    of_product = of_shop(products, shop_id) & (products.c.id == ghosts.product_id)
    wanted = (
        select(ghosts.variant_id, ghosts.price, products.c.document)
        .select_from(catalogue_ghosts)
        .join(products, of_product)
        .where(ghosts.shop_id == shop_id, ghosts.variant_id.in_(variant_ids), ~ghosts.retired)
    )
    return {row.variant_id: _ghost(row.variant_id, row.price, row.document) for row in connection.execute(wanted)}


def _ghost(variant_id: int, price: str, document: str) -> CartVariant:
    product = from_document(document, Product)
    variant = Variant(
        id=variant_id,
        title=DEFAULT_TITLE,
        price=Decimal(price),
        compare_at_price=None,
        sku="",
        inventory_tracked=False,
        inventory_policy="continue",
        inventory_quantity=0,
        grams=0,
        option_values=(),
    )
    return CartVariant(variant, product.title, product.image_url, ghost=True)
