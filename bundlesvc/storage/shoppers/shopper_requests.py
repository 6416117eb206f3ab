"""Stores the platforms' requests about shoppers' data until they are completed."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import DAY, EXPORT, ReceivedRequest, ShopperRequest, is_same_address
from bundlesvc.storage.database.conditions import in_shops
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import delete_old
from bundlesvc.storage.database.tables import shopper_requests, shops

COMPLETED_KEPT = 90 * DAY
"""Seconds for which a completed request stays in the list, counted from its receipt."""

_OF = shopper_requests.c


def add_request(connection: Connection, tenant: Tenant, request: ShopperRequest, now: int) -> None:
    """Store a request, unless it repeats one that is already stored: a request with the same reference or, without a reference,
    an open request with the same subject."""
    same = (_OF.shop_id == tenant.id) & (_OF.kind == request.kind) & (_OF.reference == request.reference)
    if request.reference is None:
        same &= (_OF.subject == request.subject) & _OF.completed_at.is_(None)
    if connection.execute(select(_OF.id).where(same)).first() is not None:
        return
    row = {"shop_id": tenant.id, "kind": request.kind, "subject": request.subject, "reference": request.reference}
    connection.execute(insert(shopper_requests).values(**row, received_at=now))


class SqlShopperRequests:
    """Implements the `ShopperRequestStore` port on the database, with additional methods for commands."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[ReceivedRequest]:
        """Return all requests, oldest first."""
        return await self._database.read(lambda connection: _received(connection, _QUERY))

    async def open(self) -> Sequence[ReceivedRequest]:
        query = _QUERY.where(_OF.completed_at.is_(None))
        return await self._database.read(lambda connection: _received(connection, query))

    async def close(self, request_id: int) -> None:
        gone = delete(shopper_requests).where(_OF.id == request_id)
        await self._database.write(lambda connection: connection.execute(gone))

    async def complete_exports(self, email: str, shop_ids: Collection[int] | None, now: int) -> int:
        """Record that a shopper's data has been exported. Returns the number of export requests that this completes."""
        ids = [one.id for one in await self._of_shopper(email, shop_ids) if _is_open_export(one)]
        done = update(shopper_requests).where(_OF.id.in_(ids)).values(completed_at=now)
        return await self._database.write(lambda connection: connection.execute(done).rowcount)

    async def forget(self, email: str, shop_ids: Collection[int] | None) -> None:
        """Delete the requests about an e-mail address, except open export requests."""
        ids = [one.id for one in await self._of_shopper(email, shop_ids) if not _is_open_export(one)]
        gone = delete(shopper_requests).where(_OF.id.in_(ids))
        await self._database.write(lambda connection: connection.execute(gone))

    async def expire(self, now: int) -> int:
        """Delete completed requests whose retention period (`COMPLETED_KEPT`) has ended. Returns the number of deleted
        requests."""
        completed = _OF.completed_at.is_not(None)
        return await delete_old(self._database, _OF.received_at, now - COMPLETED_KEPT, completed)

    async def _of_shopper(self, email: str, shop_ids: Collection[int] | None) -> list[ReceivedRequest]:
        query = _QUERY.where(in_shops(_OF.shop_id, shop_ids))
        found = await self._database.read(lambda connection: _received(connection, query))
        return [one for one in found if is_same_address(one.request.subject, email)]


_QUERY: Select[Any] = (
    select(_OF.id, _OF.shop_id, shops.c.handle, _OF.kind, _OF.subject, _OF.reference, _OF.received_at, _OF.completed_at)
    .join(shops, shops.c.id == _OF.shop_id)
    .order_by(_OF.id)
)


def _received(connection: Connection, query: Select[Any]) -> list[ReceivedRequest]:
    return [_request(row) for row in connection.execute(query)]


def _request(row: Row[Any]) -> ReceivedRequest:
    request = ShopperRequest(row.kind, row.subject, row.reference)
    return ReceivedRequest(row.id, row.shop_id, row.handle, request, row.received_at, row.completed_at)


def _is_open_export(received: ReceivedRequest) -> bool:
    return received.request.kind == EXPORT and received.completed_at is None
