"""Keeps subscriptions in sync with their orders, in the transaction that stores an order. The first order makes a subscription
active, and later orders are renewals, whatever the sequence in which they arrive."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, select, update

from bundlesvc.domain.orders.contract import Contract, status_of
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.proving.deliveries import as_renewal, contract_of
from bundlesvc.domain.orders.verdict import FIRST, Verdict
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import EXPIRED, PENDING
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import bundle_orders, order_totals, order_verdicts, subscriptions

_VERDICT, _OF = order_verdicts.c, subscriptions.c


def first_orders(connection: Connection, shop_id: int, configured_ids: Collection[int]) -> dict[int, tuple[int, str]]:
    """Return the time and id of each subscription's first order, by configured bundle."""
    found: dict[int, tuple[int, str]] = {}
    for row in connection.execute(_deliveries(shop_id, configured_ids)):
        found.setdefault(row.configured_bundle_id, (row.placed_at, row.order_id))
    return found


def subscribed_bundles(connection: Connection, shop_id: int, order_id: str) -> set[int]:
    """Return the ids of the configured bundles whose subscriptions a stored order belongs to."""
    mine = (_VERDICT.shop_id == shop_id) & (_VERDICT.order_id == order_id) & _VERDICT.delivery.is_not(None)
    return {*connection.scalars(select(_VERDICT.configured_bundle_id).where(mine))}


def follow_orders(connection: Connection, shop_id: int, configured_ids: Iterable[int]) -> None:
    """Update the subscriptions of configured bundles to match the stored orders."""
    for configured_id in sorted(configured_ids):
        rows = connection.execute(_deliveries(shop_id, [configured_id])).all()
        for row in rows[1:]:
            if row.delivery == FIRST:
                _judge_as_renewal(connection, shop_id, row)
        first = rows[0] if rows else None
        order = None if first is None else _order(connection, shop_id, first.order_id)
        contract = None if order is None or first is None else contract_of(order, _verdict(first))
        facts: dict[str, Any] = {"order_id": first and first.order_id}
        if contract is not None:
            facts["contract"] = contract
        _update(connection, shop_id, configured_id, facts, [row.cancelled for row in rows])


def _deliveries(shop_id: int, configured_ids: Collection[int]) -> Select[Any]:
    """Select the deliveries of configured bundles in chronological order, and whether each was cancelled."""
    total = order_totals.c
    same = (total.shop_id == _VERDICT.shop_id) & (total.order_id == _VERDICT.order_id)
    return (
        select(order_verdicts, total.cancelled)
        .join(order_totals, same)
        .where(
            _VERDICT.shop_id == shop_id,
            _VERDICT.configured_bundle_id.in_(configured_ids),
            _VERDICT.delivery.is_not(None),
        )
        .order_by(_VERDICT.placed_at, _VERDICT.order_id)
    )


def _judge_as_renewal(connection: Connection, shop_id: int, row: Row[Any]) -> None:
    """Judge an order again as a renewal, because it was stored as its subscription's first order before an earlier order
    arrived."""
    order = _order(connection, shop_id, row.order_id)
    if order is None:
        return
    judged = as_renewal(order, _verdict(row))
    mine = (_VERDICT.shop_id == shop_id) & (_VERDICT.order_id == row.order_id) & (_VERDICT.place == row.place)
    changed = {
        "outcome": judged.outcome,
        "cause": judged.cause,
        "reason": judged.reason,
        "charged": judged.charged,
        "promised": judged.promised,
        "delivery": judged.delivery,
    }
    connection.execute(update(order_verdicts).where(mine).values(changed))


def _update(
    connection: Connection, shop_id: int, configured_id: int, facts: Mapping[str, Any], cancelled: list[bool]
) -> None:
    mine = (_OF.shop_id == shop_id) & (_OF.configured_bundle_id == configured_id)
    row = connection.execute(select(_OF.status, _OF.ended).where(mine).with_for_update()).first()
    if row is not None:
        status = status_of(row.ended, cancelled, row.status)
        connection.execute(update(subscriptions).where(mine).values(**facts, status=status))


def _order(connection: Connection, shop_id: int, order_id: str) -> Order | None:
    mine = (bundle_orders.c.shop_id == shop_id) & (bundle_orders.c.id == order_id)
    document = connection.execute(select(bundle_orders.c.document).where(mine)).scalar()
    return None if document is None else from_document(document, Order)


def _verdict(row: Row[Any]) -> Verdict:
    return Verdict(
        row.configured_bundle_id,
        row.bundle_id,
        tuple(orjson.loads(row.line_ids)),
        row.outcome,
        row.charged,
        row.promised,
    )


class SqlSubscriptionStates:
    """Implements the `SubscriptionStates` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_contract(self, tenant: Tenant, contract: Contract) -> int:
        mine = _OF.contract == contract.id
        if contract.origin_order is not None:
            mine |= _OF.order_id == contract.origin_order
        chosen = select(_OF.configured_bundle_id).where(_OF.shop_id == tenant.id, mine)

        def work(connection: Connection) -> int:
            found = {*connection.scalars(chosen)}
            facts = {"contract": contract.id, "ended": contract.ended}
            these = (_OF.shop_id == tenant.id) & _OF.configured_bundle_id.in_(found)
            connection.execute(update(subscriptions).where(these).values(facts))
            follow_orders(connection, tenant.id, found)
            return len(found)

        return await self._database.write(work)

    async def expire(self, created_before: int) -> int:
        taking_orders = select(order_totals.c.shop_id)
        waiting = (_OF.status == PENDING) & (_OF.created_at < created_before) & _OF.shop_id.in_(taking_orders)
        expired = update(subscriptions).where(waiting).values(status=EXPIRED)
        if (
            await self._database.read(lambda connection: connection.execute(select(_OF.id).where(waiting)).first())
            is None
        ):
            return 0  # the usual case, which takes no lock
        return await self._database.write(lambda connection: connection.execute(expired).rowcount)
