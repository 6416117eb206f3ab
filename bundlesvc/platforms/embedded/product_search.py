"""Implements the `ProductSearch` port by searching the catalogue of shop files."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.product import Product
from bundlesvc.domain.product_search import CursorUnknown, has_words
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.product_search import FoundProducts
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import products

_PART = 500


class EmbeddedProductSearch:
    """Searches products by words, and returns them in order of their ids. Raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        last = 0 if after is None else parse_id(after)
        if last is None:
            raise CursorUnknown
        found: list[int] = []
        while len(found) <= limit and (part := await self._part(tenant, last)):
            found += [product.id for product in part if has_words(product, text)]
            last = part[-1].id
        page = found[:limit]
        return FoundProducts(tuple(page), str(page[-1]) if len(found) > limit else None)

    async def _part(self, tenant: Tenant, after: int) -> Sequence[Product]:
        wanted = of_shop(products, tenant.id) & (products.c.id > after)
        query = select(products.c.document).where(wanted).order_by(products.c.id).limit(_PART)

        def read(connection: Connection) -> Sequence[Product]:
            return [from_document(document, Product) for document in connection.execute(query).scalars()]

        return await self._database.read(read)
