"""Delivers events to the endpoints of shops: signed, in order, and retried for a day."""

import asyncio
import random
from collections import Counter

from bundlesvc.domain.events.retries import pause_after
from bundlesvc.ports import Clock
from bundlesvc.ports.events import AttemptResult, DueDelivery, EventStore, WebhookSender

CLAIM_SECONDS = 60
"""Seconds for which a claimed delivery belongs to one process. If the process dies, another process sends the delivery
afterwards."""

AT_ONCE = 16
"""The maximum number of requests that a process sends at the same time."""

ACCEPTED = range(200, 300)
GONE = 410
"""The statuses with which an endpoint accepts an event, and the status (410) with which it asks for no more events."""

DELIVERED, FAILED, GIVEN_UP = RESULTS = ("delivered", "failed", "given_up")
"""The results of an attempt: accepted; to be retried; given up, after a day or because the endpoint is gone."""


class EventDelivery:
    """Sends the webhook deliveries that are due. `results` counts attempts by result and shop."""

    def __init__(self, store: EventStore, sender: WebhookSender, clock: Clock) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self.with_endpoints: frozenset[int] = frozenset()
        """The row ids of shops that had endpoints at the last run."""
        self.results: Counter[tuple[str, str]] = Counter()
        self.waiting = 0

    async def run(self) -> None:
        """Send deliveries until none is due. Raises StorageUnavailable; the claims on the deliveries then expire."""
        self.with_endpoints = await self._store.shops_with_endpoints()
        if not self.with_endpoints:
            self.waiting = 0
            return
        await self._store.follow_changes(self.with_endpoints)
        await self._store.address_events()
        while claimed := await self._claimed():
            await asyncio.gather(*map(self._deliver, claimed))
        self.waiting = await self._store.waiting()

    async def _claimed(self) -> list[DueDelivery]:
        now = int(self._clock.now())
        return [*await self._store.claim(now, now + CLAIM_SECONDS, AT_ONCE)]

    async def _deliver(self, delivery: DueDelivery) -> None:
        sent = await self._sender.send(delivery, int(self._clock.now()))
        now = int(self._clock.now())
        if sent.status is not None and sent.status in ACCEPTED:
            await self._store.delivered(delivery, sent, now)
            result = DELIVERED
        else:
            result = await self._failed(delivery, sent, now)
        self.results[result, delivery.shop] += 1

    async def _failed(self, delivery: DueDelivery, sent: AttemptResult, now: int) -> str:
        pause = pause_after(delivery.attempts + 1, random.random())  # noqa: S311 - only spreads the load
        if pause is None or sent.status == GONE:
            await self._store.give_up(delivery, sent, now, disable=sent.status == GONE)
            return GIVEN_UP
        await self._store.postpone(delivery, sent, now + pause)
        return FAILED
