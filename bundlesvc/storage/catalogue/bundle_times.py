"""Marks the ghost variants of bundles whose publication has begun or ended, so that the variants are checked, as after any other
change to a bundle."""

from functools import partial

from sqlalchemy import Connection, select, update

from bundlesvc.domain.live_platform.platform_change import BUNDLE, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import HAS_TIMES, bundles, shops
from bundlesvc.storage.ghosts.records import mark_ghosts


class SqlBundleTimes:
    """Implements the `BundleTimes` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def pass_times(self, tenant: Tenant) -> None:
        await self._database.write(partial(_pass_times, tenant))


def _pass_times(tenant: Tenant, connection: Connection) -> None:
    now, mine = tenant.phase.start, shops.c.id == tenant.id
    passed = connection.execute(select(shops.c.times_passed).where(mine).with_for_update(key_share=True)).scalar()
    if passed is None or passed >= now:  # another process was first
        return
    connection.execute(update(shops).where(mine).values(times_passed=now))
    begun, ended = (column.between(passed + 1, now) for column in (bundles.c.begins_at, bundles.c.ends_at))
    wanted = select(bundles.c.id).where(of_shop(bundles, tenant.id), HAS_TIMES, begun | ended)
    mark_ghosts(connection, tenant.id, [Change(BUNDLE, id_) for id_ in connection.execute(wanted).scalars()])
