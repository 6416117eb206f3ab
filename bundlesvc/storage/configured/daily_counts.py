"""Counts the bundles that were configured on each day, once the day is over.

A report then needs to add up only a few rows, and its figures stay the same when old configured bundles are deleted. Counting
does not happen during requests, so requests never wait for each other because of a shared counter.
"""

from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Select, String, cast, func, insert, literal_column, select

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, configured_days, counted_days
from bundlesvc.storage.database.transaction import Conflict

BUNDLE, COUNTRY, ARM, TIER = "bundle", "country", "arm", "tier"

DIMENSIONS = (BUNDLE, COUNTRY, ARM, TIER)
"""The dimensions by which each day's configured bundles are counted: every bundle is counted once in each dimension."""

DAY_SECONDS = 86_400
LATEST_SECONDS = 3_600
"""Seconds after the end of a day by which every bundle of that day has been stored."""

# Constants that are part of the statement text. In GROUP BY, PostgreSQL would not recognise an expression with parameters, and
# would take a bare constant for a column number.
NO_VALUE = cast(literal_column("''"), String)
_SPACE, _DAY = literal_column("' '", String), literal_column(f"{DAY_SECONDS}", Integer)


def dimension_value(dimension: str, columns: Any, country: ColumnElement[Any]) -> ColumnElement[str]:
    """Return the value of a dimension as a single string: the country; the arm's number and its experiment; the discount's type
    and value. Empty when there is no value."""
    if dimension == COUNTRY:
        return func.coalesce(country, NO_VALUE)
    if dimension == ARM:
        return func.coalesce(cast(columns.arm, String) + _SPACE + columns.experiment_id, NO_VALUE)
    if dimension == TIER:
        return func.coalesce(columns.discount_type + _SPACE + columns.discount_value, NO_VALUE)
    return NO_VALUE


def day_begin(time: ColumnElement[int]) -> ColumnElement[int]:
    """Return the start of the day (UTC) that contains a time."""
    return time - time % _DAY


def counted_until() -> ColumnElement[int]:
    """Return an SQL expression for the end of the last day that has stored counts; 0 when no day has been counted."""
    return select(func.coalesce(func.max(counted_days.c.day) + DAY_SECONDS, 0)).scalar_subquery()


async def count_days(database: Database, now: int) -> None:
    """Compute the daily counts for all days that are over. May be interrupted, and may run in several processes at the same
    time. Raises StorageUnavailable."""
    while (day := await database.read(_next_day)) is not None and day + DAY_SECONDS + LATEST_SECONDS <= now:
        rows = await database.read(partial(_counts, day))
        try:
            await database.write(partial(_store, day, rows))
        except Conflict:
            continue  # another process has already counted this day


def _next_day(connection: Connection) -> int | None:
    """Return the first day that has configured bundles and has not been counted."""
    made = configured_bundles.c.configured_at
    first = connection.execute(select(func.min(made)).where(made >= counted_until())).scalar()
    return None if first is None else int(first - first % DAY_SECONDS)


def _counts(day: int, connection: Connection) -> list[dict[str, Any]]:
    return [
        {"dimension": dimension, "day": day, **row}
        for dimension in DIMENSIONS
        for row in connection.execute(_count(dimension, day)).mappings()
    ]


def _count(dimension: str, day: int) -> Select[Any]:
    made = configured_bundles.c
    value = dimension_value(dimension, made, made.country).label("value")
    groups = made.shop_id, made.test, made.bundle_id, value
    of_day = made.configured_at >= day, made.configured_at < day + DAY_SECONDS
    return select(*groups, func.count().label("configured")).where(*of_day).group_by(*groups)


def _store(day: int, rows: list[dict[str, Any]], connection: Connection) -> None:
    connection.execute(insert(counted_days).values(day=day))
    connection.execute(insert(configured_days), rows)
