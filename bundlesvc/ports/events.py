"""The ports for outgoing webhooks."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.events.event import Endpoint


class DueDelivery(NamedTuple):
    """An event due for delivery to an endpoint, claimed by this process. `attempts` counts the failed attempts; `body` is the
    event as JSON."""

    id: int
    event_id: str
    shop: str
    url: str
    secret: str | None
    body: bytes
    attempts: int


class AttemptResult(NamedTuple):
    """The result of a delivery attempt: the status of the response, or the reason why no response was received."""

    status: int | None
    failure: str | None = None


class EventStore(Protocol):
    """Stores events and their deliveries. Raises StorageUnavailable."""

    async def shops_with_endpoints(self) -> frozenset[int]:
        """Return the row ids of the shops that have an enabled endpoint."""

    async def follow_changes(self, shop_ids: frozenset[int]) -> None:
        """Create the events for the revisions of these shops that were published since the last call."""

    async def address_events(self) -> None:
        """Create the deliveries of each new event: one for each endpoint that subscribes to it."""

    async def claim(self, now: int, until: int, limit: int) -> Sequence[DueDelivery]:
        """Claim up to `limit` due deliveries for this process alone, until the time `until`. A delivery is not due while older
        deliveries about the same subject to the same endpoint are waiting."""

    async def delivered(self, delivery: DueDelivery, sent: AttemptResult, now: int) -> None: ...

    async def postpone(self, delivery: DueDelivery, sent: AttemptResult, due_at: int) -> None: ...

    async def give_up(self, delivery: DueDelivery, sent: AttemptResult, now: int, *, disable: bool) -> None:
        """Stop trying a delivery. With `disable`, also disable its endpoint, which then gets no more deliveries."""

    async def waiting(self) -> int:
        """Count the deliveries that are still to be made."""


class EndpointStore(Protocol):
    """Stores the webhook endpoints of shops. Raises StorageUnavailable."""

    async def add(self, shop_id: int, endpoint: Endpoint, secret: str) -> None: ...

    async def all(self) -> Sequence[Endpoint]: ...

    async def remove(self, endpoint_id: str) -> bool:
        """Remove an endpoint and its deliveries. Returns False when there is no such endpoint."""


class WebhookSender(Protocol):
    """Sends deliveries as signed requests."""

    async def send(self, delivery: DueDelivery, now: int) -> AttemptResult: ...
