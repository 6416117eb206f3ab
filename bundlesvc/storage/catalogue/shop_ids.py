"""Ids of shops. An id is never reused, because processes cache objects by shop id."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, func, insert, select

from bundlesvc.storage.database.row_numbers import SEQUENCES
from bundlesvc.storage.database.tables import shops

_OF_SHOPS = SEQUENCES.c.name == shops.name


def new_shop_id(connection: Connection) -> Mapping[str, int]:
    """Return the `id` column of a new shop and its value, or an empty mapping when the database itself assigns ids. SQLite must
    not assign ids, because it would reuse the id of a deleted shop."""
    if connection.dialect.name != "sqlite":
        return {}
    return {"id": 1 + max(_last_retired(connection), connection.execute(select(func.max(shops.c.id))).scalar() or 0)}


def retire_shop_id(connection: Connection, shop_id: int) -> None:
    """Ensure that no later shop gets the id of a deleted shop."""
    if connection.dialect.name != "sqlite":
        return
    last = max(_last_retired(connection), shop_id)
    connection.execute(delete(SEQUENCES).where(_OF_SHOPS))
    connection.execute(insert(SEQUENCES).values(name=shops.name, seq=last))


def _last_retired(connection: Connection) -> int:
    return connection.execute(select(SEQUENCES.c.seq).where(_OF_SHOPS)).scalar() or 0
