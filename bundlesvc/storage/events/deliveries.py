"""Event deliveries: which endpoint receives which event, and with what result."""

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import Connection, Row, exists, func, insert, select, update

from bundlesvc.domain.events.event import DELIVERED, GIVEN_UP, WAITING
from bundlesvc.ports import RotatingCipher
from bundlesvc.ports.events import AttemptResult, DueDelivery
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import outgoing_deliveries, outgoing_events, shops, webhook_endpoints
from bundlesvc.storage.events.bundle_changes import follow_shop
from bundlesvc.storage.events.endpoints import opened_secret

_EVENTS, _OF, _ENDPOINTS = outgoing_events.c, outgoing_deliveries.c, webhook_endpoints.c
_ADDRESSED_AT_ONCE = 500


class SqlEventStore:
    """Implements the `EventStore` port on the database."""

    def __init__(self, database: Database, cipher: RotatingCipher) -> None:
        self._database = database
        self._cipher = cipher

    async def shops_with_endpoints(self) -> frozenset[int]:
        query = select(_ENDPOINTS.shop_id).where(~_ENDPOINTS.disabled).distinct()
        return frozenset(await self._database.read(lambda connection: connection.execute(query).scalars().all()))

    async def follow_changes(self, shop_ids: frozenset[int]) -> None:
        for shop_id in sorted(shop_ids):
            await follow_shop(self._database, shop_id)

    async def address_events(self) -> None:
        new = select(outgoing_events).where(~_EVENTS.addressed).order_by(_EVENTS.number).limit(_ADDRESSED_AT_ONCE)

        def work(connection: Connection) -> int:
            events = connection.execute(new.with_for_update()).all()
            for event in events:
                _address(connection, event)
            return len(events)

        while await self._database.read(lambda connection: connection.execute(new.limit(1)).first()):
            await self._database.write(work)

    async def claim(self, now: int, until: int, limit: int) -> Sequence[DueDelivery]:
        older = outgoing_deliveries.alias()
        blocked = exists().where(
            older.c.endpoint_id == _OF.endpoint_id,
            older.c.subject == _OF.subject,
            older.c.state == WAITING,
            older.c.number < _OF.number,
        )
        due = (
            select(_OF.number)
            .join(webhook_endpoints, _ENDPOINTS.id == _OF.endpoint_id)
            .where(_OF.state == WAITING, _OF.due_at <= now, ~_ENDPOINTS.disabled, ~blocked)
            .order_by(_OF.due_at, _OF.number)
            .limit(limit)
        )
        if not await self._database.read(lambda connection: connection.execute(due.limit(1)).first()):
            return ()  # the usual case, which takes no lock

        def work(connection: Connection) -> list[Row[Any]]:
            locked = due.with_for_update(skip_locked=True, of=outgoing_deliveries)
            numbers = connection.execute(locked).scalars().all()
            connection.execute(update(outgoing_deliveries).where(_OF.number.in_(numbers)).values(due_at=until))
            return list(connection.execute(_claimed(numbers)).all())

        return [self._due(row) for row in await self._database.write(work)]

    async def delivered(self, delivery: DueDelivery, sent: AttemptResult, now: int) -> None:
        await self._settle(delivery, sent, state=DELIVERED, settled_at=now)

    async def postpone(self, delivery: DueDelivery, sent: AttemptResult, due_at: int) -> None:
        await self._settle(delivery, sent, due_at=due_at)

    async def give_up(self, delivery: DueDelivery, sent: AttemptResult, now: int, *, disable: bool) -> None:
        await self._settle(delivery, sent, state=GIVEN_UP, settled_at=now)
        if disable:
            mine = select(_OF.endpoint_id).where(_OF.number == delivery.id).scalar_subquery()
            gone = update(webhook_endpoints).where(_ENDPOINTS.id == mine).values(disabled=True)
            await self._database.write(lambda connection: connection.execute(gone))

    async def waiting(self) -> int:
        query = select(func.count()).select_from(outgoing_deliveries).where(_OF.state == WAITING)
        return int(await self._database.read(lambda connection: connection.execute(query).scalar_one()))

    async def _settle(self, delivery: DueDelivery, sent: AttemptResult, **values: Any) -> None:
        response = str(sent.status) if sent.failure is None else sent.failure
        changed = update(outgoing_deliveries).where(_OF.number == delivery.id, _OF.state == WAITING)
        values |= {"attempts": delivery.attempts + 1, "response": response}
        await self._database.write(lambda connection: connection.execute(changed.values(values)))

    def _due(self, row: Row[Any]) -> DueDelivery:
        secret = opened_secret(self._cipher, row.sealed)
        return DueDelivery(row.number, row.event_id, row.handle, row.url, secret, event_body(row), row.attempts)


def event_body(row: Row[Any]) -> bytes:
    """Return the event in a row as the JSON body that endpoints receive."""
    return orjson.dumps(
        {
            "id": row.event_id,
            "type": row.type,
            "shop": row.handle,
            "timestamp": row.at,
            "test": row.test,
            "data": orjson.Fragment(row.data),
        }
    )


def _address(connection: Connection, event: Row[Any]) -> None:
    """Create a delivery of a new event for each of the shop's endpoints that subscribes to its type."""
    mine = (_ENDPOINTS.shop_id == event.shop_id) & ~_ENDPOINTS.disabled
    for endpoint in connection.execute(select(_ENDPOINTS.id, _ENDPOINTS.types).where(mine)).all():
        if event.type in endpoint.types.split():
            row = {
                "event_number": event.number,
                "endpoint_id": endpoint.id,
                "shop_id": event.shop_id,
                "subject": event.subject,
                "state": WAITING,
                "attempts": 0,
                "due_at": event.at,
                "created_at": event.at,
            }
            connection.execute(insert(outgoing_deliveries).values(row))
    connection.execute(update(outgoing_events).where(_EVENTS.number == event.number).values(addressed=True))


def _claimed(numbers: Sequence[int]) -> Any:
    columns = (
        _OF.number,
        _OF.attempts,
        _EVENTS.id.label("event_id"),
        _EVENTS.type,
        _EVENTS.at,
        _EVENTS.test,
        _EVENTS.data,
        _ENDPOINTS.url,
        _ENDPOINTS.sealed,
        shops.c.handle,
    )
    return (
        select(*columns)
        .join(outgoing_events, _EVENTS.number == _OF.event_number)
        .join(webhook_endpoints, _ENDPOINTS.id == _OF.endpoint_id)
        .join(shops, shops.c.id == _OF.shop_id)
        .where(_OF.number.in_(numbers))
        .order_by(_OF.number)
    )
