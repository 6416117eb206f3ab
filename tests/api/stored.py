"""Helpers that read what the service has stored in its database."""

from typing import Any

from sqlalchemy import Table, select

from bundlesvc.storage.database.interface import Database


async def rows(database: Database, table: Table) -> list[dict[str, Any]]:
    """Every row of a table, in the order of its primary key."""
    query = select(table).order_by(*table.primary_key.columns)
    return await database.read(lambda connection: [dict(row) for row in connection.execute(query).mappings()])
