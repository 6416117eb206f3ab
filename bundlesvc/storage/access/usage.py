"""The daily usage of API keys. Shops and keys are stored by handle and prefix, so that the usage of deleted shops and keys can be
reported until the retention period for usage ends."""

from calendar import timegm
from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, bindparam, insert, select, text, true, update

from bundlesvc.domain.access.usage import KINDS, KeyUsage, UsageBatch, day_of
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import usage_days, usage_writers

_SUMS = ", ".join(f"{kind} = usage_days.{kind} + excluded.{kind}" for kind in KINDS)
_NAMES = [column.name for column in usage_days.c]
_ADD = text(
    f"INSERT INTO usage_days ({', '.join(_NAMES)}) VALUES ({', '.join(f':{name}' for name in _NAMES)}) "  # noqa: S608
    f"ON CONFLICT (day, shop, key_prefix) DO UPDATE SET {_SUMS}"
).bindparams(*(bindparam(column.name, type_=column.type) for column in usage_days.c))


class SqlUsageStore:
    """Implements the `UsageStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, batch: UsageBatch, now: int) -> None:
        def work(connection: Connection) -> None:
            if _is_new(connection, batch, now):
                connection.execute(_ADD, [_row(usage) for usage in batch.usage])

        await self._database.write(work)

    async def usage(self, shop: str | None, first: date | None, last: date | None) -> Sequence[KeyUsage]:
        """Return the usage on the days from `first` to `last`, for one shop or for all shops, sorted by day, shop and key. Raises
        StorageUnavailable."""
        row = usage_days.c
        query = (
            select(usage_days)
            .where(
                true() if shop is None else row.shop == shop,
                true() if first is None else row.day >= _begin(first),
                true() if last is None else row.day <= _begin(last),
            )
            .order_by(row.day, row.shop, row.key_prefix)
        )
        return await self._database.read(
            lambda connection: [
                KeyUsage(day_of(day), handle, prefix, tuple(requests))
                for day, handle, prefix, *requests in connection.execute(query)
            ]
        )


def _is_new(connection: Connection, batch: UsageBatch, now: int) -> bool:
    """Record the number of a batch, and return whether the batch is new. Each process writes only its own row, one batch after
    another."""
    its_row = usage_writers.c.writer == batch.writer
    last = connection.execute(select(usage_writers.c.batch).where(its_row)).scalar()
    if last is not None and last >= batch.number:
        return False
    values = {"batch": batch.number, "written_at": now}
    if last is None:
        connection.execute(insert(usage_writers).values(writer=batch.writer, **values))
    else:
        connection.execute(update(usage_writers).where(its_row).values(values))
    return True


def _row(usage: KeyUsage) -> dict[str, int | str]:
    counts = dict(zip(KINDS, usage.requests, strict=True))
    return {"day": _begin(usage.day), "shop": usage.shop, "key_prefix": usage.key, **counts}


def _begin(day: date) -> int:
    return timegm(day.timetuple())
