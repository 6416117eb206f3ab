"""The operator's view of deliveries, and redelivery."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, select, true, update

from bundlesvc.domain.events.event import WAITING
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import outgoing_deliveries, outgoing_events, webhook_endpoints

_EVENTS, _OF = outgoing_events.c, outgoing_deliveries.c


class DeliveryFilter(NamedTuple):
    """A filter for deliveries: by endpoint, state, earliest event time, or event id."""

    endpoint_id: str | None = None
    state: str | None = None
    since: int | None = None
    event_id: str | None = None
    limit: int = 100


class LoggedDelivery(NamedTuple):
    """A delivery with its event. `response` is the status of the last attempt, or the reason why there was no response."""

    event_id: str
    type: str
    subject: str
    at: int
    endpoint_id: str
    state: str
    attempts: int
    response: str | None


class SqlDeliveryHistory:
    """Lists webhook deliveries, and sends them again on request."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def deliveries(self, wanted: DeliveryFilter) -> Sequence[LoggedDelivery]:
        """Return the deliveries that match a filter, newest first."""
        columns = (
            _EVENTS.id,
            _EVENTS.type,
            _EVENTS.subject,
            _EVENTS.at,
            _OF.endpoint_id,
            _OF.state,
            _OF.attempts,
            _OF.response,
        )
        query = select(*columns).join(outgoing_events, _EVENTS.number == _OF.event_number).where(_condition(wanted))
        query = query.order_by(_OF.number.desc()).limit(wanted.limit)
        return await self._database.read(lambda connection: [LoggedDelivery(*row) for row in connection.execute(query)])

    async def replay(self, wanted: DeliveryFilter, now: int) -> int:
        """Queue the deliveries that match a filter to be sent again, and re-enable any of their endpoints that are disabled.
        Returns the number of deliveries."""
        chosen = select(_OF.number).join(outgoing_events, _EVENTS.number == _OF.event_number).where(_condition(wanted))
        numbers = chosen.scalar_subquery()
        endpoints = select(_OF.endpoint_id).where(_OF.number.in_(numbers)).scalar_subquery()
        enabled = update(webhook_endpoints).where(webhook_endpoints.c.id.in_(endpoints)).values(disabled=False)
        again = {"state": WAITING, "attempts": 0, "due_at": now, "settled_at": None}
        changed = update(outgoing_deliveries).where(_OF.number.in_(numbers)).values(again)

        def work(connection: Connection) -> int:
            connection.execute(enabled)
            return connection.execute(changed).rowcount

        return await self._database.write(work)


def _condition(wanted: DeliveryFilter) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = true()
    if wanted.endpoint_id is not None:
        condition &= _OF.endpoint_id == wanted.endpoint_id
    if wanted.state is not None:
        condition &= _OF.state == wanted.state
    if wanted.since is not None:
        condition &= _EVENTS.at >= wanted.since
    if wanted.event_id is not None:
        condition &= _EVENTS.id == wanted.event_id
    return condition
