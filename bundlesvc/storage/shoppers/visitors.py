"""Removes a shopper's visitor ids from A/B tests and from order totals."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial

from sqlalchemy import Connection, select, union

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import bundle_orders, configured_bundles, order_verdicts
from bundlesvc.storage.shoppers.personalisation_answers import in_parts
from bundlesvc.storage.shoppers.visitor_hashes import forget_visitors


async def forget_visitors_of(database: Database, configured_ids: Collection[int]) -> None:
    """Remove visitors from A/B tests and order totals: those who configured these bundles, and those who placed the bundles'
    orders. Must be called before the visitors' ids are removed from the bundles. Raises StorageUnavailable."""
    for part in in_parts(configured_ids):
        await write_retrying(database, partial(_forget, part))


def _forget(ids: Sequence[int], connection: Connection) -> None:
    made, bought, verdicts = configured_bundles.c, bundle_orders.c, order_verdicts.c
    same_order = (verdicts.shop_id == bought.shop_id) & (verdicts.order_id == bought.id)
    named = union(
        select(made.shop_id, made.visitor_id).where(made.id.in_(ids), made.visitor_id.is_not(None)),
        select(bought.shop_id, bought.visitor_id)
        .join_from(bundle_orders, order_verdicts, same_order)
        .where(verdicts.configured_bundle_id.in_(ids), bought.visitor_id.is_not(None)),
    )
    visitors: dict[int, list[str]] = defaultdict(list)
    for shop_id, visitor_id in connection.execute(named):
        visitors[shop_id].append(visitor_id)
    for shop_id, visitor_ids in visitors.items():
        forget_visitors(connection, shop_id, visitor_ids)
