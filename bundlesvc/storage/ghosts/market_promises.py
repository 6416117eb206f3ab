"""Stores the prices promised for ghost variants in markets."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from bundlesvc.domain.ghosts.prices import MarketPromise
from bundlesvc.domain.money import amount_text
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_promises
from bundlesvc.storage.database.transaction import lock_shop


class SqlMarketPromises:
    """Implements the `MarketPromiseStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> MarketPromise | None:
        return await self._database.read(lambda connection: _find(connection, tenant.id, variant_id, price_list))

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        def work(connection: Connection) -> MarketPromise:
            lock_shop(connection, tenant.id)
            there = _find(connection, tenant.id, variant_id, price_list)
            if there is None:
                row = {**_key(tenant.id, variant_id, price_list), "country_code": promise.country}
                connection.execute(insert(ghost_promises), {**row, "promise": amount_text(promise.promise)})
            return there or promise

        return await self._database.write(work)

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        mine = update(ghost_promises).filter_by(**_key(tenant.id, variant_id, price_list))
        priced = mine.values(price=amount_text(price), priced_at=now)
        await self._database.write(lambda connection: connection.execute(priced).rowcount)

    async def all_of(self, tenant: Tenant, variant_id: int) -> Sequence[MarketPromise]:
        query = select(ghost_promises).filter_by(shop_id=tenant.id, variant_id=variant_id)
        query = query.order_by(ghost_promises.c.price_list)
        return await self._database.read(lambda connection: [_promise(row) for row in connection.execute(query)])


def _find(connection: Connection, shop_id: int, variant_id: int, price_list: str) -> MarketPromise | None:
    row = connection.execute(select(ghost_promises).filter_by(**_key(shop_id, variant_id, price_list))).first()
    return None if row is None else _promise(row)


def _promise(row: Row[Any]) -> MarketPromise:
    price = None if row.price is None else Decimal(row.price)
    return MarketPromise(row.country_code, Decimal(row.promise), price, row.priced_at or 0)


def _key(shop_id: int, variant_id: int, price_list: str) -> dict[str, Any]:
    return {"shop_id": shop_id, "variant_id": variant_id, "price_list": price_list}
