"""Creates the events for published revisions: one for each bundle that a revision changed. The transaction that stores the events
also records the revision as the last one processed for the shop."""

from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select, update

from bundlesvc.domain.events.bundles import changed_events
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import bundles, past_items, shop_revisions, shops
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.events.outbox import Outbox

_ROWS = shop_revisions.c


async def follow_shop(database: Database, shop_id: int) -> None:
    """Store the events for the revisions that were published since the last call."""
    if await database.read(lambda connection: _new_revisions(connection, shop_id)):
        await database.write(partial(_follow, shop_id))


def _follow(shop_id: int, connection: Connection) -> None:
    lock_shop(connection, shop_id)
    for revision in _new_revisions(connection, shop_id):
        events = changed_events(
            revision.number, revision.published_at, _bundle_ids(connection, shop_id, revision.position)
        )
        Outbox.add(connection, shop_id, events)
        followed = update(shops).where(shops.c.id == shop_id).values(followed_position=revision.position)
        connection.execute(followed)


def _new_revisions(connection: Connection, shop_id: int) -> list[Row[Any]]:
    """Return the published revisions that have not been processed yet, in the order of their publication."""
    followed = select(shops.c.followed_position).where(shops.c.id == shop_id).scalar_subquery()
    mine = (_ROWS.shop_id == shop_id) & (_ROWS.position > followed)
    columns = _ROWS.number, _ROWS.position, _ROWS.published_at
    return [*connection.execute(select(*columns).where(mine).order_by(_ROWS.position))]


def _bundle_ids(connection: Connection, shop_id: int, position: int) -> list[int]:
    """Return the ids of the bundles that the revision at a position changed. Their previous content is stored at the preceding
    position."""
    of = past_items.c
    replaced = (of.shop_id == shop_id) & (of.position == position - 1) & (of.kind == bundles.name)
    return sorted(map(int, connection.execute(select(of.name).where(replaced)).scalars()))
