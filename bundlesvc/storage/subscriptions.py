"""Subscriptions of shoppers, for the operator's commands."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, update

from bundlesvc.domain.subscription import CANCELLED, PENDING
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import configured_bundles, shops, subscriptions


@dataclass(frozen=True, slots=True)
class StoredSubscription:
    """One subscription; `created_at` in seconds since 1970, `next_date` as YYYY-MM-DD, UTC."""

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


class SqlSubscriptions:
    """Lists and cancels subscriptions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[StoredSubscription]:
        """Every subscription, oldest first."""
        chosen = subscriptions.c
        query = (
            select(
                chosen.id,
                shops.c.handle,
                chosen.configured_bundle_id,
                configured_bundles.c.title,
                chosen.group_id,
                chosen.frequency,
                chosen.unit,
                chosen.email,
                chosen.status,
                chosen.next_date,
                chosen.created_at,
            )
            .join(shops, shops.c.id == chosen.shop_id)
            .join(configured_bundles, configured_bundles.c.id == chosen.configured_bundle_id)
            .order_by(chosen.id)
        )
        return await self._database.read(
            lambda connection: [StoredSubscription(*tuple(row)) for row in connection.execute(query)]
        )

    async def cancel(self, subscription_id: int) -> bool:
        """Whether there was a pending subscription with this id."""
        pending = (subscriptions.c.id == subscription_id) & (subscriptions.c.status == PENDING)
        cancelled = update(subscriptions).where(pending).values(status=CANCELLED)
        return await self._database.write(lambda connection: connection.execute(cancelled).rowcount == 1)
