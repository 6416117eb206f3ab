"""Stores a notice for each order or contract that must still be read from a live platform."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from bundlesvc.domain.live_platform.platform_change import Notice
from bundlesvc.domain.orders.waiting import Waiting
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import order_notices
from bundlesvc.storage.database.transaction import lock_shop

_OF = order_notices.c


def record_notices(connection: Connection, tenant: Tenant, notices: Sequence[Notice], now: int) -> None:
    """Record that orders and contracts must be read (`RecordNotices`). If a notice is already waiting, its count is incremented
    and it keeps its place in the queue."""
    lock_shop(connection, tenant.id)
    for notice in notices:
        again = update(order_notices).where(_is(tenant.id, notice)).values(number=_OF.number + 1)
        if not connection.execute(again).rowcount:
            row = {"shop_id": tenant.id, "kind": notice.kind, "subject": notice.id}
            connection.execute(insert(order_notices).values(**row, number=1, attempts=0, received_at=now, due_at=now))


class SqlOrderInbox:
    """Implements the `OrderInbox` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, now: int, until: int, limit: int) -> Sequence[Waiting]:
        due = select(order_notices).where(_OF.due_at <= now).order_by(_OF.due_at, _OF.received_at).limit(limit)
        if not await self._database.read(lambda connection: connection.execute(due).first()):
            return ()  # the usual case, which takes no lock

        def work(connection: Connection) -> list[Waiting]:
            rows = connection.execute(due.with_for_update(skip_locked=True)).all()
            found = [
                Waiting(row.shop_id, Notice(row.kind, row.subject), row.number, row.attempts, row.received_at)
                for row in rows
            ]
            for waiting in found:
                mine = _is(waiting.shop_id, waiting.notice)
                connection.execute(update(order_notices).where(mine).values(due_at=until))
            return found

        return await self._database.write(work)

    async def close(self, waiting: Waiting, now: int) -> None:
        mine = _is(waiting.shop_id, waiting.notice)
        again = update(order_notices).where(mine).values(due_at=now, attempts=0)

        def work(connection: Connection) -> None:
            if not connection.execute(delete(order_notices).where(mine, _OF.number == waiting.number)).rowcount:
                connection.execute(again)

        await self._database.write(work)

    async def postpone(self, waiting: Waiting, due_at: int) -> None:
        mine = _is(waiting.shop_id, waiting.notice)
        later = update(order_notices).where(mine).values(due_at=due_at, attempts=_OF.attempts + 1)
        await self._database.write(lambda connection: connection.execute(later))

    async def counts(self) -> tuple[int, int | None]:
        query = select(func.count(), func.min(_OF.received_at)).select_from(order_notices)
        return await self._database.read(lambda connection: tuple(connection.execute(query).one()))


def _is(shop_id: int, notice: Notice) -> ColumnElement[bool]:
    return (_OF.shop_id == shop_id) & (_OF.kind == notice.kind) & (_OF.subject == notice.id)
