"""The ports of outgoing webhooks."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.events.event import Endpoint


class DueDelivery(NamedTuple):
    """An event for an endpoint that is claimed by this process. `attempts` have failed. `body` is the event as JSON."""

    id: int
    event_id: str
    shop: str
    url: str
    secret: str | None
    body: bytes
    attempts: int


class AttemptResult(NamedTuple):
    """What came of an attempt: the status of the response, or why there was none."""

    status: int | None
    failure: str | None = None


class EventStore(Protocol):
    """Events and their deliveries. Raises StorageUnavailable."""

    async def shops_with_endpoints(self) -> frozenset[int]:
        """The row ids of shops with endpoints that are not disabled."""

    async def follow_changes(self, shop_ids: frozenset[int]) -> None:
        """Make the events of the revisions that were published since the last call."""

    async def address_events(self) -> None:
        """Make a delivery of each new event for each endpoint that wants it."""

    async def claim(self, now: int, until: int, limit: int) -> Sequence[DueDelivery]:
        """Deliveries that are due, for this process alone until a time. One waits for those of the same subject to the same
        endpoint that are older."""

    async def delivered(self, delivery: DueDelivery, sent: AttemptResult, now: int) -> None: ...

    async def postpone(self, delivery: DueDelivery, sent: AttemptResult, due_at: int) -> None: ...

    async def give_up(self, delivery: DueDelivery, sent: AttemptResult, now: int, *, disable: bool) -> None:
        """Stop trying a delivery. With `disable`, also disable its endpoint, which then gets no more deliveries."""

    async def waiting(self) -> int:
        """The number of deliveries that wait."""


class EndpointStore(Protocol):
    """The endpoints of shops. Raises StorageUnavailable."""

    async def add(self, shop_id: int, endpoint: Endpoint, secret: str) -> None: ...

    async def all(self) -> Sequence[Endpoint]: ...

    async def remove(self, endpoint_id: str) -> bool:
        """Remove an endpoint with its deliveries. Returns False when there is none."""


class WebhookSender(Protocol):
    """Sends signed requests."""

    async def send(self, delivery: DueDelivery, now: int) -> AttemptResult: ...
