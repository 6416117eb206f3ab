"""Deletes the stored visitors of A/B tests that have been removed from their shop."""

from sqlalchemy import Connection, and_, select

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import delete_all
from bundlesvc.storage.database.tables import experiment_visitors, experiments, shops


async def forget_ended_experiments(database: Database) -> int:
    """Delete the visitors of A/B tests that have ended, and return the number of deleted visitors. Raises StorageUnavailable."""
    seen = experiment_visitors.c
    deleted = 0
    for shop_id, experiment_id in await database.read(_ended):
        ended = (seen.shop_id == shop_id) & (seen.experiment_id == experiment_id)
        deleted += await delete_all(database, experiment_visitors, ended)
    return deleted


def _ended(connection: Connection) -> list[tuple[int, str]]:
    seen, known = experiment_visitors.c, experiments.c
    in_use = (
        (known.shop_id == seen.shop_id) & (known.id == seen.experiment_id) & (known.generation == shops.c.generation)
    )
    query = (
        select(seen.shop_id, seen.experiment_id)
        .distinct()
        .join_from(experiment_visitors, shops, shops.c.id == seen.shop_id)
        .outerjoin(experiments, and_(in_use))
        .where(known.id.is_(None))
    )
    return [(row.shop_id, row.experiment_id) for row in connection.execute(query)]
