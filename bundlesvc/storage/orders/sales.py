"""Stores the order data that reports aggregate, in the same transaction as the order."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, not_, select

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.sales import ghost_variant, order_total, sale_of
from bundlesvc.storage.database.tables import bundle_sales, configured_bundles, order_totals
from bundlesvc.storage.orders.promises import promise_of
from bundlesvc.storage.shoppers.visitor_hashes import visitor_hash

_Made = Mapping[int, Row[Any]]
"""Configured bundles by id."""

# Built once, because an order takes many statements, and building them takes longer than running them.
_BY_IDS = select(configured_bundles).where(
    configured_bundles.c.shop_id == bindparam("shop_id"),
    configured_bundles.c.id.in_(bindparam("ids", expanding=True)),
)
_DELETE = [
    delete(table).where(table.c.shop_id == bindparam("of_shop"), table.c.order_id == bindparam("of_order"))
    for table in (bundle_sales, order_totals)
]
_ADD_TOTAL, _ADD_SALE = insert(order_totals), insert(bundle_sales)


def store_sales(connection: Connection, shop_id: int, judged: JudgedOrder, *, is_new: bool) -> None:
    """Store the total and the sales of an order, replacing the total and sales of its previous version. A cancelled order has no
    sales."""
    order = judged.order
    if not is_new:
        for deletion in _DELETE:
            connection.execute(deletion, {"of_shop": shop_id, "of_order": order.id})
    ids = [verdict.configured_id for verdict in judged.verdicts]
    found = connection.execute(_BY_IDS, {"shop_id": shop_id, "ids": ids}) if ids else ()
    made = {row.id: row for row in found}
    connection.execute(_ADD_TOTAL, _total_row(connection, shop_id, judged, made))
    rows = [] if order.cancelled else list(_sale_rows(connection, shop_id, judged, made))
    if rows:
        connection.execute(_ADD_SALE, rows)


def _total_row(connection: Connection, shop_id: int, judged: JudgedOrder, made: _Made) -> dict[str, Any]:
    order = judged.order
    visitor_id = order.visitor_id or _configured_for(judged, made)
    return {
        "shop_id": shop_id,
        "order_id": order.id,
        "version": order.version,
        "placed_at": order.placed_at,
        "test": order.test,
        "cancelled": order.cancelled,
        "with_bundle": bool(judged.verdicts),
        "currency": order.currency,
        "total": order_total(order),
        "rate": f"{order.rate:f}",
        "visitor": None if visitor_id is None else visitor_hash(connection, shop_id, visitor_id),
    }


def _configured_for(judged: JudgedOrder, made: _Made) -> str | None:
    """Return the visitor for whom the order's bundles were configured: the visitor of the first bundle that has one, or None."""
    rows = (made.get(verdict.configured_id) for verdict in judged.verdicts)
    return next((row.visitor_id for row in rows if row is not None and row.visitor_id is not None), None)


def _sale_rows(connection: Connection, shop_id: int, judged: JudgedOrder, made: _Made) -> Iterator[dict[str, Any]]:
    """Yield a row for each bundle of an order."""
    order, taken = judged.order, set[int]()
    for place, verdict in enumerate(judged.verdicts):
        bought, variant_id = made.get(verdict.configured_id), ghost_variant(order, verdict)
        if bought is not None and variant_id is not None:
            bought = _behind_ghost(connection, variant_id, bought, taken)
        sale = sale_of(order, verdict, None if bought is None or variant_id is None else promise_of(bought))
        configured_id = verdict.configured_id if bought is None else bought.id
        taken.add(configured_id)
        yield {
            "shop_id": shop_id,
            "order_id": order.id,
            "place": place,
            "placed_at": order.placed_at,
            "test": order.test,
            "country": order.country,
            "bundle_id": verdict.bundle_id,
            "configured_bundle_id": configured_id,
            **_configured_facts(None if bought is None or bought.test != order.test else bought),
            "units": sale.units,
            "currency": order.currency,
            "revenue": sale.revenue,
            "discount": sale.discount,
            "refunded": sale.refunded,
        }


def _configured_facts(made: Row[Any] | None) -> dict[str, Any]:
    """Return the values by which reports group a promise. They are None when the promise is not stored, or is a test promise in a
    real order."""
    return {
        "configured_at": made and made.configured_at,
        "configured_country": made and made.country,
        "experiment_id": made and made.experiment_id,
        "arm": made and made.arm,
        "discount_type": made and made.discount_type,
        "discount_value": made and made.discount_value,
    }


def _behind_ghost(connection: Connection, variant_id: int, proven: Row[Any], taken: Collection[int]) -> Row[Any]:
    """Find the configured bundle that was bought through a ghost variant, which is shared by all shoppers with the same
    selection. Of the configured bundles whose promise equals that of `proven`, returns the newest that has no other sale, or
    `proven` if there is none."""
    made, sold = configured_bundles.c, bundle_sales.c
    other = select(sold.place).where(sold.shop_id == made.shop_id, sold.configured_bundle_id == made.id)
    free = select(configured_bundles).where(
        made.shop_id == proven.shop_id,
        made.variant_id == variant_id,
        made.discounted == proven.discounted,
        made.test == proven.test,
        made.id.not_in(taken),
        not_(other.exists()),
    )
    return connection.execute(free.order_by(made.number.desc()).limit(1)).first() or proven
