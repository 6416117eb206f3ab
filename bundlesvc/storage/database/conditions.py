"""SQL conditions that restrict a column of ids to given values."""

from collections.abc import Collection

from sqlalchemy import Column, ColumnElement, true

MAX_IDS = 500
"""The maximum number of ids in one statement. Both databases have a limit."""


def among(column: Column[int], ids: Collection[int] | None) -> ColumnElement[bool]:
    """Return the condition that a column contains one of these ids. Always true when `ids` is None, or contains more ids than fit
    into a statement."""
    return true() if ids is None or len(ids) > MAX_IDS else column.in_(ids)


def in_shops(shop_id: Column[int], shop_ids: Collection[int] | None) -> ColumnElement[bool]:
    """Return the SQL condition that a row belongs to one of these shops. The condition is always true when `shop_ids` is None."""
    return true() if shop_ids is None else shop_id.in_(shop_ids)
