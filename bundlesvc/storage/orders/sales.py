"""Stores what reports add up of an order, in the transaction that stores the order."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, not_, select

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.sales import ghost_variant, order_total, sale_of
from bundlesvc.domain.orders.verdict import Verdict
from bundlesvc.storage.orders.promises import promise_of
from bundlesvc.storage.tables import bundle_sales, configured_bundles, order_totals
from bundlesvc.storage.visitors import visitor_hash


def replace_sales(connection: Connection, shop_id: int, judged: JudgedOrder) -> None:
    """Store the total and the sales of an order, in place of those of its last version. A cancelled order has no sales."""
    order = judged.order
    for table in (bundle_sales, order_totals):
        connection.execute(delete(table).where(table.c.shop_id == shop_id, table.c.order_id == order.id))
    total = {
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
        "visitor": _visitor(connection, shop_id, judged),
    }
    connection.execute(insert(order_totals).values(total))
    for row in () if order.cancelled else _sale_rows(connection, shop_id, judged):
        connection.execute(insert(bundle_sales).values(row))


def _visitor(connection: Connection, shop_id: int, judged: JudgedOrder) -> str | None:
    """The hash of the visitor who bought: whom the order names, or else for whom one of its bundles was configured."""
    visitor_id = judged.order.visitor_id
    if visitor_id is None and judged.verdicts:
        made = configured_bundles.c
        ids = [verdict.configured_id for verdict in judged.verdicts]
        named = select(made.visitor_id).where(made.shop_id == shop_id, made.id.in_(ids), made.visitor_id.is_not(None))
        visitor_id = connection.execute(named.order_by(made.number).limit(1)).scalar()
    return None if visitor_id is None else visitor_hash(connection, shop_id, visitor_id)


def _sale_rows(connection: Connection, shop_id: int, judged: JudgedOrder) -> Iterator[dict[str, Any]]:
    """A row for each bundle. It is inserted before the next one is made, so that no two count for the same configured
    bundle behind a ghost variant."""
    order = judged.order
    for place, verdict in enumerate(judged.verdicts):
        made = _configured(connection, shop_id, judged, verdict)
        sale = sale_of(order, verdict, None if made is None else promise_of(made))
        yield {
            "shop_id": shop_id,
            "order_id": order.id,
            "place": place,
            "placed_at": order.placed_at,
            "test": order.test,
            "country": order.country,
            "bundle_id": verdict.bundle_id,
            "configured_bundle_id": verdict.configured_id if made is None else made.id,
            **_configured_facts(None if made is None or made.test != order.test else made),
            "units": sale.units,
            "currency": order.currency,
            "revenue": sale.revenue,
            "discount": sale.discount,
            "refunded": sale.refunded,
        }


def _configured_facts(made: Row[Any] | None) -> dict[str, Any]:
    """What reports group promises by. None for a promise that is not stored, or a test in a real order."""
    return {
        "configured_at": made and made.configured_at,
        "configured_country": made and made.country,
        "experiment_id": made and made.experiment_id,
        "arm": made and made.arm,
        "discount_type": made and made.discount_type,
        "discount_value": made and made.discount_value,
    }


def _configured(connection: Connection, shop_id: int, judged: JudgedOrder, verdict: Verdict) -> Row[Any] | None:
    """The configured bundle that was bought. Shoppers who configure the same share a ghost variant: of their equal promises,
    the newest counts that no other sale has."""
    made = configured_bundles.c
    proven = connection.execute(
        select(configured_bundles).where(made.shop_id == shop_id, made.id == verdict.configured_id)
    ).first()
    variant_id = ghost_variant(judged.order, verdict)
    if proven is None or variant_id is None:
        return proven
    sold = select(bundle_sales.c.place).where(
        bundle_sales.c.shop_id == shop_id, bundle_sales.c.configured_bundle_id == made.id
    )
    equal = (made.discounted == proven.discounted) & (made.test == proven.test)
    free = select(configured_bundles).where(
        made.shop_id == shop_id, made.variant_id == variant_id, equal, not_(sold.exists())
    )
    return connection.execute(free.order_by(made.number.desc()).limit(1)).first() or proven
