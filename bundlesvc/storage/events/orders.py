"""Creates the events for stored orders."""

from collections.abc import Callable

from sqlalchemy import Connection

from bundlesvc.domain.events.orders import proven_event
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.storage.events.outbox import Outbox


def proven_recorder(outbox: Outbox) -> Callable[[Connection, int, JudgedOrder], None]:
    """Return a function that stores the event for an order in the same transaction as the order."""

    def record(connection: Connection, shop_id: int, judged: JudgedOrder) -> None:
        if outbox.wants(shop_id):
            outbox.add(connection, shop_id, [proven_event(judged, outbox.now())])

    return record
