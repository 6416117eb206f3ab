"""The selections that shoppers have configured, to replay them."""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, func, select

from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.shops import among
from bundlesvc.storage.configured.bundles import stored_selection
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, subscriptions

MOST_ROWS = 500_000
"""The newest configured bundles of all shops, among which selections are looked for: bundles that nobody buys would
otherwise make the database read all of them."""

_MADE = configured_bundles.c


class SqlSelections:
    """The port `SelectionStore` over the database."""

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
            columns = subscriptions.c.group_id, subscriptions.c.frequency, subscriptions.c.unit
            rows = connection.execute(
                select(configured_bundles, *columns)
                .outerjoin(subscriptions)
                .where(wanted)
                .order_by(_MADE.number.desc())
                .limit(limit)
            )
            return [stored_selection(row) for row in rows if bundle_ids is None or row.bundle_id in bundle_ids]

        return [] if bundle_ids is not None and not bundle_ids else await self._database.read(query)
