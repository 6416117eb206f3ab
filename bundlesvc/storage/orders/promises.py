"""The promises that orders were based on, read from the configured bundles."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.configured import ConfiguredItem, variant_counts
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.tables import configured_bundles, ghost_variants, subscriptions
from bundlesvc.storage.orders.deliveries import first_orders

_SUBSCRIBED = subscriptions.c.id.is_not(None).label("subscribed")


def find_promises(
    connection: Connection,
    shop_id: int,
    configured_ids: Collection[int],
    variant_ids: Collection[int],
    contracts: Collection[str] = (),
) -> Promises:
    """Find the promises of these configured bundles and of the ghost variants among `variant_ids`, and the subscriptions of these
    contracts."""
    made = configured_bundles.c
    rows = connection.execute(select(configured_bundles).where(made.id.in_(configured_ids))).all()
    ghosts = _of_ghosts(connection, shop_id, variant_ids)
    of_contracts = _of_contracts(connection, shop_id, contracts)
    known = {row.contract: row.id for row in of_contracts}
    sold = {promise.configured_id for promises in ghosts.values() for promise in promises}
    return Promises(
        {row.id: promise_of(row) for row in rows if row.shop_id == shop_id},
        ghosts,
        frozenset(row.id for row in rows if row.shop_id != shop_id),
        first_orders(connection, shop_id, {*configured_ids, *sold, *known.values()}),
        known,
        {
            row.contract: f"{row.id}#{row.variant_id}#{row.unique_id}"
            for row in of_contracts
            if row.bundle_type == NATIVE
        },
    )


def _of_contracts(connection: Connection, shop_id: int, contracts: Collection[str]) -> Sequence[Row[Any]]:
    """Find the configured bundles of subscription contracts."""
    if not contracts:
        return ()
    chosen, made = subscriptions.c, configured_bundles.c
    columns = chosen.contract, made.id, made.bundle_type, made.variant_id, made.unique_id
    query: Select[Any] = select(*columns).join(configured_bundles, made.id == chosen.configured_bundle_id)
    return connection.execute(query.where(chosen.shop_id == shop_id, chosen.contract.in_(contracts))).all()


def _of_ghosts(
    connection: Connection, shop_id: int, variant_ids: Collection[int]
) -> dict[tuple[int, bool], list[StoredPromise]]:
    """Find the promises made for each ghost variant, with and without a subscription. Among promises with the same price and
    country, only the newest is returned."""
    made, ghosts = configured_bundles.c, ghost_variants.c
    is_ghost = select(ghosts.id).where(ghosts.shop_id == shop_id, ghosts.variant_id == made.variant_id).exists()
    newest = (
        select(func.max(made.number))
        .outerjoin_from(configured_bundles, subscriptions)
        .where(made.shop_id == shop_id, made.variant_id.in_(variant_ids), is_ghost)
        .group_by(made.variant_id, made.discounted, made.country, _SUBSCRIBED)
    )
    query = select(configured_bundles, _SUBSCRIBED).outerjoin_from(configured_bundles, subscriptions)
    promises: dict[tuple[int, bool], list[StoredPromise]] = {}
    for row in connection.execute(query.where(made.number.in_(newest)).order_by(made.number.desc())):
        promises.setdefault((row.variant_id, bool(row.subscribed)), []).append(promise_of(row))
    return promises


def promise_of(row: Row[Any]) -> StoredPromise:
    items = from_document(row.items, tuple[ConfiguredItem, ...])
    prices = Decimal(row.original), Decimal(row.discounted)
    return StoredPromise(row.id, row.bundle_id, row.country, *prices, variant_counts(items))
