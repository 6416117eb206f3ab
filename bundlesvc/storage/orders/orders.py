"""Stores the newest version of each order in one row, and each of its verdicts in a separate row."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Delete, Row, Select, delete, insert, select, tuple_, update

from bundlesvc.domain.orders.judged import OUTDATED, STORED, UNCHANGED, WITHOUT_BUNDLE, JudgedOrder, OrderFilter
from bundlesvc.domain.orders.kept_promises import PromiseCounts
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.orders.refusals import OrderVersionReused
from bundlesvc.domain.orders.verdict import Verdict
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.documents import from_document, to_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import bundle_orders, order_totals, order_verdicts
from bundlesvc.storage.orders.deliveries import follow_orders, subscribed_bundles
from bundlesvc.storage.orders.kept_promises import count_promises
from bundlesvc.storage.orders.promises import find_promises
from bundlesvc.storage.orders.sales import store_sales

NO_VERSION = -1
"""A number below the version of any order."""

AlsoRecorded = Callable[[Connection, int, JudgedOrder], None]
"""A function with which a capability records something together with a stored order, in the same transaction."""


def record_nothing_else(_: Connection, __: int, ___: JudgedOrder) -> None:
    """Record nothing further (the default `AlsoRecorded`)."""


class SqlOrderStore:
    """Implements the `OrderStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.also_recorded: AlsoRecorded = record_nothing_else

    async def promises(
        self,
        tenant: Tenant,
        configured_ids: Collection[int],
        variant_ids: Collection[int],
        contracts: Collection[str] = (),
    ) -> Promises:
        return await self._database.read(
            lambda connection: find_promises(connection, tenant.id, configured_ids, variant_ids, contracts)
        )

    async def record(self, tenant: Tenant, judged: JudgedOrder, bundles: str | None) -> str:
        def work(connection: Connection) -> str:
            if not judged.verdicts:
                return _record_without_bundle(connection, tenant.id, judged)
            result = _record(connection, _row(tenant.id, judged.order, bundles), judged)
            if result == STORED:
                self.also_recorded(connection, tenant.id, judged)
            return result

        return await write_retrying(self._database, work)

    async def order(self, tenant: Tenant, order_id: str) -> JudgedOrder | None:
        found = await self._read(tenant, select(bundle_orders).where(_is(tenant.id, order_id)))
        return found[0] if found else None

    async def promise_counts(self, tenant: Tenant, since: int, *, test: bool) -> PromiseCounts:
        return await self._database.read(lambda connection: count_promises(connection, tenant.id, since, test=test))

    async def orders(self, tenant: Tenant, wanted: OrderFilter) -> Sequence[JudgedOrder]:
        return await self._read(tenant, _query(tenant.id, wanted))

    async def _read(self, tenant: Tenant, query: Select[Any]) -> list[JudgedOrder]:
        return await self._database.read(lambda connection: _judged(connection, tenant.id, query))


def _record(connection: Connection, row: Mapping[str, Any], judged: JudgedOrder) -> str:
    shop_id, order = row["shop_id"], judged.order
    own = _is(shop_id, order.id)
    stored = connection.execute(
        select(bundle_orders.c.version, bundle_orders.c.digest).where(own).with_for_update()
    ).first()
    if stored is not None and stored.version == order.version and stored.digest != row["digest"]:
        raise OrderVersionReused
    if stored is not None and stored.version >= order.version:
        return UNCHANGED if stored.version == order.version else OUTDATED
    newest = _newest_version(connection, shop_id, order.id) if stored is None else stored.version
    if newest >= order.version:
        return OUTDATED
    if stored is None:
        connection.execute(insert(bundle_orders).values(row))
    else:
        connection.execute(update(bundle_orders).where(own).values(row))
    delivered = subscribed_bundles(connection, shop_id, order.id)
    connection.execute(_delete_verdicts(shop_id, order.id))
    connection.execute(insert(order_verdicts), list(_verdict_rows(shop_id, judged)))
    store_sales(connection, shop_id, judged, is_new=newest == NO_VERSION)
    delivered |= {verdict.configured_id for verdict in judged.verdicts if verdict.delivery}
    follow_orders(connection, shop_id, delivered)
    return STORED


def _record_without_bundle(connection: Connection, shop_id: int, judged: JudgedOrder) -> str:
    """Store the total of an order without a bundle. If an earlier version of the order contained a bundle, that version is
    deleted."""
    order = judged.order
    newest = _newest_version(connection, shop_id, order.id)
    if newest < order.version:
        delivered = subscribed_bundles(connection, shop_id, order.id)
        connection.execute(delete(bundle_orders).where(_is(shop_id, order.id)))
        connection.execute(_delete_verdicts(shop_id, order.id))
        store_sales(connection, shop_id, judged, is_new=newest == NO_VERSION)
        follow_orders(connection, shop_id, delivered)
    return WITHOUT_BUNDLE


def _newest_version(connection: Connection, shop_id: int, order_id: str) -> int:
    """Return the order version from which the stored total was computed; `NO_VERSION` when no total is stored."""
    total = order_totals.c
    newest = select(total.version).where(total.shop_id == shop_id, total.order_id == order_id).with_for_update()
    found: int | None = connection.execute(newest).scalar()
    return NO_VERSION if found is None else found


def _delete_verdicts(shop_id: int, order_id: str) -> Delete:
    verdicts = order_verdicts.c
    return delete(order_verdicts).where(verdicts.shop_id == shop_id, verdicts.order_id == order_id)


def _is(shop_id: int, order_id: str) -> ColumnElement[bool]:
    return (bundle_orders.c.shop_id == shop_id) & (bundle_orders.c.id == order_id)


def _row(shop_id: int, order: Order, bundles: str | None) -> dict[str, Any]:
    """Build the row of an order. The visitor is stored in a separate column, which can be erased."""
    document = to_document(order)
    return {
        "shop_id": shop_id,
        "id": order.id,
        "version": order.version,
        "digest": hashlib.sha256(f"{document}\n{bundles or ''}".encode()).hexdigest(),
        "placed_at": order.placed_at,
        "test": order.test,
        "visitor_id": order.visitor_id,
        "document": to_document(replace(order, visitor_id=None)),
    }


def _verdict_rows(shop_id: int, judged: JudgedOrder) -> Iterable[dict[str, Any]]:
    for place, verdict in enumerate(judged.verdicts):
        yield {
            "shop_id": shop_id,
            "order_id": judged.order.id,
            "place": place,
            "configured_bundle_id": verdict.configured_id,
            "bundle_id": verdict.bundle_id,
            "outcome": verdict.outcome,
            "cause": verdict.cause,
            "reason": verdict.reason,
            "charged": verdict.charged,
            "promised": verdict.promised,
            "line_ids": orjson.dumps(verdict.line_ids).decode(),
            "placed_at": judged.order.placed_at,
            "delivery": verdict.delivery,
        }


def _query(shop_id: int, wanted: OrderFilter) -> Select[Any]:
    made, verdicts = bundle_orders.c, order_verdicts.c
    query = select(bundle_orders).where(made.shop_id == shop_id)
    if wanted.since is not None:
        query = query.where(made.placed_at >= wanted.since)
    if wanted.after is not None:
        query = query.where(tuple_(made.placed_at, made.id) < wanted.after)
    if wanted.bundle_id is not None or wanted.verdict is not None:
        of_order = select(verdicts.place).where(verdicts.shop_id == shop_id, verdicts.order_id == made.id)
        if wanted.bundle_id is not None:
            of_order = of_order.where(verdicts.bundle_id == wanted.bundle_id)
        if wanted.verdict is not None:
            of_order = of_order.where((verdicts.outcome == wanted.verdict) | (verdicts.cause == wanted.verdict))
        query = query.where(of_order.exists())
    return query.order_by(made.placed_at.desc(), made.id.desc()).limit(wanted.limit)


def _judged(connection: Connection, shop_id: int, query: Select[Any]) -> list[JudgedOrder]:
    """Fetch the orders that a query selects, with a second query for all their verdicts."""
    rows = list(connection.execute(query))
    verdicts: dict[str, list[Verdict]] = {row.id: [] for row in rows}
    table = order_verdicts.c
    of_orders = select(order_verdicts).where(table.shop_id == shop_id, table.order_id.in_(verdicts))
    for row in connection.execute(of_orders.order_by(table.order_id, table.place)):
        verdicts[row.order_id].append(_verdict(row))
    return [JudgedOrder(_order(row), tuple(verdicts[row.id])) for row in rows]


def _order(row: Row[Any]) -> Order:
    return replace(from_document(row.document, Order), visitor_id=row.visitor_id)


def _verdict(row: Row[Any]) -> Verdict:
    return Verdict(
        row.configured_bundle_id,
        row.bundle_id,
        tuple(orjson.loads(row.line_ids)),
        row.outcome,
        row.charged,
        row.promised,
        row.cause,
        row.reason,
        row.delivery,
    )
