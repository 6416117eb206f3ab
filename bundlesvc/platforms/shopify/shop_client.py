"""Sending documents to one shop, gently: queued for points, retried politely, given up in time."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from bundlesvc.domain.connection import Connection
from bundlesvc.domain.errors import PlatformTimeout, PlatformUnavailable
from bundlesvc.platforms.shopify.bucket import CostBucket, Sleep
from bundlesvc.platforms.shopify.circuit import COOL_DOWN, Circuit
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.documents import Document
from bundlesvc.platforms.shopify.notices import Notices
from bundlesvc.platforms.shopify.outcomes import InDoubt, OutOfPoints, Refused, Throttled, Transient
from bundlesvc.platforms.shopify.replies import Json, cost_of, data_of, payload_of
from bundlesvc.platforms.shopify.throttling import Throttling, ThrottlingStatistics
from bundlesvc.platforms.shopify.transport import API_VERSION, Reply, Transport
from bundlesvc.ports import Clock

MAX_RETRIES = 3
FIRST_BACKOFF = 0.25
LONGEST_BACKOFF = 2.0
DENIED_SECONDS = 5.0
"""For so long a document is not sent that the token may not have answered: a scope may be granted at any time."""

Subject = tuple[str, str | None]
"""What a scope may be missing for: a document, and the country that it is about, as each has other things to look at."""

Chance = Callable[[], float]
"""A random number from 0 to 1."""


class ShopClient:
    """One shop's line: its bucket, its circuit breaker, that of `new_variants`, and `batch_sizes`, how many ids a document takes
    at once."""

    def __init__(
        self,
        domain: str,
        transport: Transport,
        clock: Clock,
        sleep: Sleep,
        statistics: ThrottlingStatistics,
        chance: Chance = random.random,
    ) -> None:
        self.notices = Notices(domain)
        self.batch_sizes: dict[str, int] = {}
        self.new_variants = Circuit(clock)
        self._transport = transport
        self._sleep = sleep
        self._chance = chance
        self._clock = clock
        self._bucket = CostBucket(clock, sleep)
        self._circuit = Circuit(clock)
        self._throttling = Throttling(clock, self.notices, statistics)
        self._denied_until: dict[Subject, float] = {}
        self._connection: Connection | None = None

    def connected(self, connection: Connection) -> None:
        """From now on the shop is asked through this connection. What befell calls through another one says nothing of it."""
        if connection != self._connection:
            self._connection = connection
            self._circuit = Circuit(self._clock)
            self._denied_until = {}

    def denied(self, subject: Subject) -> bool:
        """Whether a scope for this was missing a moment ago."""
        return self._clock.monotonic() < self._denied_until.get(subject, 0)

    def deny(self, subject: Subject) -> None:
        """A scope for this is missing."""
        self._denied_until[subject] = self._clock.monotonic() + DENIED_SECONDS

    async def run(
        self, connection: Connection, document: Document, variables: Mapping[str, Any], deadline: Deadline
    ) -> Json:
        """The data that answers a document. Raises TooCostly, Denied, NoMoreVariants, InDoubt, PlatformNotConnected,
        PlatformUnavailable, PlatformFailed and PlatformTimeout."""
        body = orjson.dumps({"query": document.text, "variables": variables, "operationName": document.name})
        failures = 0
        while True:
            self._circuit_of(connection).check()
            try:
                async with self._bucket.points(document.name, deadline):
                    return await self._attempt(connection, document, body, deadline)
            except Refused as refusal:
                raise refusal.error from refusal
            except OutOfPoints as shortage:
                self._throttling.throttled()
                raise PlatformUnavailable(retry_after=shortage.retry_after) from shortage
            except Throttled as refusal:
                self._throttling.throttled()
                self._bucket.throttled(document.name, refusal.retry_after)
            except Transient as failure:
                if document.changes and failure.sent:
                    raise InDoubt(failure.error) from failure
                wait = self._back_off(failure, failures)
                if not self._may_repeat(failures, wait, deadline):
                    raise failure.error from failure
                failures += 1
                await self._sleep(wait)

    async def _attempt(self, connection: Connection, document: Document, body: bytes, deadline: Deadline) -> Json:
        remaining = deadline.remaining
        if not remaining:
            raise PlatformTimeout
        try:
            with self._circuit_of(connection).attempt():
                reply = await self._transport.post(connection, body, remaining)
                self._look_at_headers(reply)
                payload = payload_of(reply)
                self._bucket.observe(document.name, cost_of(payload))
                data = data_of(reply, payload, self.notices)
        except Transient as fault:
            if not self._circuit.closed:
                self.notices.trouble("the platform fails: left alone for %g s (%s)", COOL_DOWN, fault)
            raise
        self.notices.well()
        self._throttling.answered()
        return data

    def _circuit_of(self, connection: Connection) -> Circuit:
        """A call that waited while another connection came is still sent through its own, and says nothing of the new one."""
        return self._circuit if self._connection in (None, connection) else Circuit(self._clock)

    def _may_repeat(self, failures: int, wait: float, deadline: Deadline) -> bool:
        return failures < MAX_RETRIES and wait <= deadline.for_waiting and self._circuit.closed

    def _back_off(self, failure: Transient, failures: int) -> float:
        """Seconds, doubled with each failure, anything between none and all of it so that processes do not march in step."""
        longest = min(LONGEST_BACKOFF, FIRST_BACKOFF * float(2**failures))
        return max(self._chance() * longest, failure.retry_after)

    def _look_at_headers(self, reply: Reply) -> None:
        """An expired API version is not refused: another one answers in its place."""
        version = reply.headers.get("X-Shopify-API-Version", API_VERSION)
        if version != API_VERSION:
            self.notices.once("API version %s answers in place of %s: update bundlesvc", version, API_VERSION)
        deprecated = reply.headers.get("X-Shopify-API-Deprecated-Reason")
        if deprecated:
            self.notices.once("the platform calls something that we use deprecated: %s", deprecated[:300])
