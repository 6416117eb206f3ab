"""The selections in configured bundles: a single selection, or the newest selections for a replay."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from bundlesvc.domain.configured import ConfiguredItem, StoredSelection
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.storage.database.conditions import among
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, subscriptions

MOST_ROWS = 500_000
"""The maximum number of configured bundles that are searched for selections: the newest, counted across all shops. Without a
limit, a search for bundles that are rarely configured could make the database read the whole table."""

_MADE = configured_bundles.c

WITH_SUBSCRIPTION: Select[Any] = select(
    configured_bundles, subscriptions.c.group_id, subscriptions.c.frequency, subscriptions.c.unit
).outerjoin(subscriptions)
"""Configured bundles, each with its subscription if there is one."""


class SqlSelections:
    """Implements the `SelectionStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, tenant: Tenant, bundle_ids: Collection[int] | None, limit: int) -> Sequence[StoredSelection]:
        def query(connection: Connection) -> Sequence[StoredSelection]:
            newest = connection.execute(select(func.max(_MADE.number))).scalar() or 0
            wanted = (
                (_MADE.shop_id == tenant.id)
                & (_MADE.number > newest - MOST_ROWS)
                & ~_MADE.test
                & among(_MADE.bundle_id, bundle_ids)
            )
            rows = connection.execute(WITH_SUBSCRIPTION.where(wanted).order_by(_MADE.number.desc()).limit(limit))
            return [stored_selection(row) for row in rows if bundle_ids is None or row.bundle_id in bundle_ids]

        return [] if bundle_ids is not None and not bundle_ids else await self._database.read(query)


def stored_selection(row: Row[Any]) -> StoredSelection:
    """Read the selection from a row of `WITH_SUBSCRIPTION`. Raises DocumentDamaged."""
    amounts = Decimal(row.original), Decimal(row.discounted)
    return StoredSelection(
        row.id,
        row.bundle_id,
        row.bundle_type,
        row.country,
        from_document(row.items, tuple[ConfiguredItem, ...]),
        None if row.group_id is None else SubscriptionChoice(row.group_id, row.frequency, row.unit),
        Pricing(*amounts, row.discount_type, Decimal(row.discount_value), row.currency),
        row.configured_at,
    )
