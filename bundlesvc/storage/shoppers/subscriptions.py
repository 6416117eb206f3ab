"""Reads and ends shoppers' subscriptions, for the operator's commands."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, delete, select, update

from bundlesvc.domain.shopper import is_same_address
from bundlesvc.domain.subscription import ACTIVE, CANCELLED, PENDING
from bundlesvc.storage.database.conditions import in_shops
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.scanning import scan
from bundlesvc.storage.database.tables import configured_bundles, shops, subscriptions


@dataclass(frozen=True, slots=True)
class StoredSubscription:
    """A subscription; `created_at` is in seconds since 1970, `next_date` is YYYY-MM-DD, both in UTC."""

    id: int
    shop: str
    configured_bundle_id: int
    bundle: str
    group_id: int
    frequency: int
    unit: str
    email: str
    status: str
    next_date: str | None
    created_at: int
    order_id: str | None
    contract: str | None


_OF = subscriptions.c
_QUERY: Select[Any] = (
    select(
        _OF.id,
        shops.c.handle,
        _OF.configured_bundle_id,
        configured_bundles.c.title,
        _OF.group_id,
        _OF.frequency,
        _OF.unit,
        _OF.email,
        _OF.status,
        _OF.next_date,
        _OF.created_at,
        _OF.order_id,
        _OF.contract,
    )
    .join(shops, shops.c.id == _OF.shop_id)
    .join(configured_bundles, configured_bundles.c.id == _OF.configured_bundle_id)
)


class SqlSubscriptions:
    """Lists, cancels and deletes subscriptions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[StoredSubscription]:
        """Return all subscriptions, oldest first."""
        query = _QUERY.order_by(subscriptions.c.id)
        return await self._database.read(
            lambda connection: [StoredSubscription(*tuple(row)) for row in connection.execute(query)]
        )

    async def of_shopper(self, email: str, shop_ids: Collection[int] | None = None) -> Sequence[StoredSubscription]:
        """Return the subscriptions for an e-mail address, in these shops or in all shops. Addresses are compared in Python,
        because databases differ in how they ignore case."""
        query = _QUERY.where(in_shops(subscriptions.c.shop_id, shop_ids))
        rows = scan(self._database, query, subscriptions.c.id)
        return [StoredSubscription(*tuple(row)) async for row in rows if is_same_address(row.email, email)]

    async def delete(self, ids: Collection[int]) -> int:
        """Delete these subscriptions, and return the number deleted."""
        chosen = delete(subscriptions).where(subscriptions.c.id.in_(ids))
        return await self._database.write(lambda connection: connection.execute(chosen).rowcount)

    async def cancel(self, subscription_id: int) -> bool:
        """Cancel a subscription if it is pending or active. Returns whether it was cancelled. A cancelled pending subscription
        still becomes active if its order arrives later."""
        pending = (_OF.id == subscription_id) & (_OF.status == PENDING)
        active = (_OF.id == subscription_id) & (_OF.status == ACTIVE)
        changes = (
            update(subscriptions).where(pending).values(status=CANCELLED),
            update(subscriptions).where(active).values(status=CANCELLED, ended=CANCELLED),
        )
        return await self._database.write(lambda connection: any(connection.execute(each).rowcount for each in changes))
