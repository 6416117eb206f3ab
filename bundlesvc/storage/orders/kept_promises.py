"""Counts orders by whether their promises were kept."""

from sqlalchemy import Connection, func, select

from bundlesvc.domain.orders.kept_promises import HARMLESS, PromiseCounts
from bundlesvc.domain.orders.verdict import EQUAL
from bundlesvc.storage.database.tables import bundle_orders, order_verdicts


def count_promises(connection: Connection, shop_id: int, since: int, *, test: bool) -> PromiseCounts:
    """Count a shop's orders placed at `since` or later, by whether their promises were kept. Counts either real orders or test
    orders."""
    orders, verdicts = bundle_orders.c, order_verdicts.c
    wanted = (orders.shop_id == shop_id) & (orders.placed_at >= since) & orders.test.is_(test)
    of_order = (verdicts.shop_id == orders.shop_id) & (verdicts.order_id == orders.id)
    is_broken = (verdicts.outcome != EQUAL) & (verdicts.cause.is_(None) | verdicts.cause.not_in(HARMLESS))
    number, verdict = func.count(orders.id.distinct()), func.coalesce(verdicts.cause, verdicts.outcome)
    all_orders = select(func.count()).select_from(bundle_orders).where(wanted)
    broken = select(number).join_from(bundle_orders, order_verdicts, of_order).where(wanted, is_broken)
    by_verdict = broken.with_only_columns(verdict, number).group_by(verdict)
    return PromiseCounts(
        connection.execute(all_orders).scalar_one(),
        connection.execute(broken).scalar_one(),
        dict(connection.execute(by_verdict).all()),
    )
