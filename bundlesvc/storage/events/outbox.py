"""An outbox of events: each event is stored in the same transaction as the change that it reports, so that neither is stored
without the other."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import orjson
from sqlalchemy import Connection

from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.events.bundles import configured_event
from bundlesvc.domain.events.event import Event
from bundlesvc.ports import Clock
from bundlesvc.storage.database.prepared_insert import PreparedInsert
from bundlesvc.storage.database.tables import outgoing_events
from bundlesvc.storage.database.transaction import InsertedRow

_INSERT = PreparedInsert(outgoing_events)


class Outbox:
    """Stores events for the shops that have endpoints."""

    def __init__(self, shops_with_endpoints: Callable[[], Collection[int]], clock: Clock) -> None:
        self._shops_with_endpoints = shops_with_endpoints
        self._clock = clock

    def now(self) -> int:
        """Return the current time for an event, in seconds since 1970, UTC."""
        return int(self._clock.now())

    def wants(self, shop_id: int) -> bool:
        """Whether the shop has an endpoint for its events."""
        return shop_id in self._shops_with_endpoints()

    def configured(self, shop_id: int, configured: ConfiguredBundle, recorded: RecordedIds) -> list[InsertedRow]:
        """Return the event row to insert together with a configured bundle (`AlsoInserted`), in a list that is empty when the
        shop has no endpoints."""
        if not self.wants(shop_id):
            return []
        return [(_INSERT, event_row(shop_id, configured_event(configured, recorded)))]

    @staticmethod
    def add(connection: Connection, shop_id: int, events: Iterable[Event]) -> None:
        """Store events in the transaction of this connection."""
        if rows := [event_row(shop_id, event) for event in events]:
            _INSERT.run(connection, rows)


def event_row(shop_id: int, event: Event) -> dict[str, Any]:
    """Return the values of an event, by column."""
    return {
        "id": event.id,
        "shop_id": shop_id,
        "type": event.type,
        "subject": event.subject,
        "at": event.at,
        "test": event.test,
        "data": orjson.dumps(event.data).decode(),
        "addressed": False,
    }
