"""Sends documents to one shop: waits for points, retries what may be retried, and stops at the deadline."""

import random
from collections.abc import Callable
from functools import cached_property

import orjson

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.shopify.client.call_errors import Denied, InDoubt, OutOfPoints, Refused, Throttled, Transient
from bundlesvc.platforms.shopify.client.circuit_breaker import COOL_DOWN, CircuitBreaker
from bundlesvc.platforms.shopify.client.graphql import Document
from bundlesvc.platforms.shopify.client.notices import ClientNotices
from bundlesvc.platforms.shopify.client.replies import data_of
from bundlesvc.platforms.shopify.client.statistics import CallStatistics, ClientState
from bundlesvc.platforms.shopify.client.throttling import CostBucket, Deadline, Sleep, points_of
from bundlesvc.platforms.shopify.client.transport import API_VERSION, Json, Reply, Transport
from bundlesvc.ports import Clock

MAX_RETRIES = 3
FIRST_BACKOFF = 0.25
LONGEST_BACKOFF = 2.0
HUNG_SHARE = 0.5
"""A call that fails after this share of its session's time hangs: the next ones would, too, and their clients wait for them."""
DENIED_SECONDS = 5.0
"""Seconds for which a document is not sent again after the token lacked a scope for it: the scope may be granted any time."""

Subject = tuple[str, str | None]
"""What a scope may be missing for: a document and its country, because documents read other things in other countries."""

Chance = Callable[[], float]
"""A random number from 0 to 1."""


class RetryingClient:
    """The client of one shop, with its bucket and circuit breaker. `batch_sizes`: the number of ids that a document may take at
    once."""

    def __init__(
        self,
        connection: PlatformConnection,
        transport: Transport,
        clock: Clock,
        sleep: Sleep,
        statistics: CallStatistics,
        chance: Chance = random.random,
    ) -> None:
        self.notices = ClientNotices(connection.domain, clock, statistics)
        self.batch_sizes: dict[str, int] = {}
        self._statistics = statistics
        self._connection = connection
        self._transport = transport
        self._sleep = sleep
        self._chance = chance
        self._clock = clock
        self._bucket = CostBucket(clock, sleep)
        self._circuit = CircuitBreaker(clock)
        self._denied_until: dict[Subject, float] = {}

    @cached_property
    def new_variants(self) -> CircuitBreaker:
        """A second circuit breaker, for new variants only."""
        return CircuitBreaker(self._clock)

    def state(self, shop: str) -> ClientState:
        """What the metrics say of this client, under the name of its shop."""
        return ClientState(shop, self._bucket.left, self._circuit.state)

    def connected(self, connection: PlatformConnection) -> None:
        """Use this connection from now on. Failures of calls through another connection no longer count."""
        if connection != self._connection:
            self._connection = connection
            self._circuit = CircuitBreaker(self._clock)
            self._denied_until = {}

    async def run(
        self,
        connection: PlatformConnection,
        document: Document,
        variables: Json,
        deadline: Deadline,
        when_denied: Json | None = None,
    ) -> Json:
        """Send a document and return the response's data, or `when_denied` where the access token lacks a scope. Raises
        TooCostly, NoMoreVariants, InDoubt, PlatformNotConnected, PlatformUnavailable, PlatformFailed and PlatformTimeout."""
        subject = document.name, variables.get("country")
        if when_denied is None and self._clock.monotonic() < self._denied_until.get(subject, 0):
            raise PlatformFailed
        try:
            return await self._run(connection, document, variables, deadline)
        except Denied as error:
            if when_denied is not None:
                return when_denied
            self._denied_until[subject] = self._clock.monotonic() + DENIED_SECONDS
            raise PlatformFailed from error

    async def _run(
        self, connection: PlatformConnection, document: Document, variables: Json, deadline: Deadline
    ) -> Json:
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
                self.notices.throttled()
                raise PlatformUnavailable(retry_after=shortage.retry_after) from shortage
            except Throttled as refusal:
                self.notices.throttled()
                self._bucket.throttled(document.name, refusal.retry_after)
            except Transient as failure:
                if document.changes and failure.sent:
                    raise InDoubt(failure.error) from failure
                wait = self._back_off(failure, failures)
                if not self._may_retry(failures, wait, deadline):
                    raise failure.error from failure
                failures += 1
                await self._sleep(wait)

    async def _attempt(
        self, connection: PlatformConnection, document: Document, body: bytes, deadline: Deadline
    ) -> Json:
        remaining = deadline.ends_at - self._clock.monotonic()
        if remaining <= 0:
            raise PlatformTimeout
        try:
            with self._circuit_of(connection).attempt(), self._statistics.call(document.name) as call:
                reply = await self._post(connection, body, remaining, deadline)
                call.points = points_of(reply.payload)
                self._check_version(reply)
                self._bucket.observe(document.name, reply.payload)
                data = data_of(reply, self.notices)
        except Transient as fault:
            if not self._circuit.closed:
                self.notices.trouble("the platform fails: calls paused for %g s (%s)", COOL_DOWN, fault)
            raise
        self.notices.well()
        return data

    async def _post(self, connection: PlatformConnection, body: bytes, remaining: float, deadline: Deadline) -> Reply:
        began_at = self._clock.monotonic()
        try:
            return await self._transport.post(connection, body, remaining)
        except Transient as failure:
            failure.hung = self._clock.monotonic() - began_at >= deadline.seconds * HUNG_SHARE
            raise

    def _circuit_of(self, connection: PlatformConnection) -> CircuitBreaker:
        """A call that still uses a replaced connection does not count for the circuit breaker of the new one."""
        return self._circuit if connection == self._connection else CircuitBreaker(self._clock)

    def _may_retry(self, failures: int, wait: float, deadline: Deadline) -> bool:
        for_waiting = max(0.0, deadline.send_by - self._clock.monotonic())
        return failures < MAX_RETRIES and wait <= for_waiting and self._circuit.closed

    def _back_off(self, failure: Transient, failures: int) -> float:
        """Seconds until the next retry: a random part of a maximum that doubles with each failure, so that processes do not
        retry at the same time."""
        longest = min(LONGEST_BACKOFF, FIRST_BACKOFF * float(2**failures))
        return max(self._chance() * longest, failure.retry_after)

    def _check_version(self, reply: Reply) -> None:
        """Warn about versions: Shopify does not refuse an expired API version but responds with another one."""
        version = reply.headers.get("X-Shopify-API-Version", API_VERSION)
        if version != API_VERSION:
            self.notices.once(
                "the platform responds with API version %s instead of %s: update bundlesvc", version, API_VERSION
            )
        deprecated = reply.headers.get("X-Shopify-API-Deprecated-Reason")
        if deprecated:
            self.notices.once("the platform marks something that we use as deprecated: %s", deprecated[:300])
