"""Finds products of the embedded platform by their words."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from bundlesvc.domain.product import Product
from bundlesvc.domain.revisions.product_words import has_words
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import from_document, products

_PART = 500


class SqlProductSearch:
    """The port `ProductSearch` over the catalogue of shop files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, tenant: Tenant, text: str, limit: int) -> Sequence[Product]:
        found: list[Product] = []
        after = 0
        while len(found) < limit:
            part = await self._part(tenant, after)
            if not part:
                break
            found += [product for product in part if has_words(product, text)]
            after = part[-1].id
        return found[:limit]

    async def _part(self, tenant: Tenant, after: int) -> Sequence[Product]:
        wanted = of_shop(products, tenant.id) & (products.c.id > after)
        query = select(products.c.document).where(wanted).order_by(products.c.id).limit(_PART)

        def read(connection: Connection) -> Sequence[Product]:
            return [from_document(document, Product) for document in connection.execute(query).scalars()]

        return await self._database.read(read)
