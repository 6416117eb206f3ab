"""Sends documents to one shop: waits for query-cost points, retries calls where that is allowed, and stops at the deadline."""

from functools import cached_property

import orjson

from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.call_errors import Denied, InDoubt, Refused, Throttled, Transient
from bundlesvc.platforms.calls.circuit_breaker import CircuitBreaker, reporting
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.documents import Document
from bundlesvc.platforms.calls.http import Json, Reply
from bundlesvc.platforms.calls.retries import RetryPolicy, watched
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.platforms.shopify.client.call_errors import OutOfPoints
from bundlesvc.platforms.shopify.client.notices import ClientNotices
from bundlesvc.platforms.shopify.client.replies import data_of
from bundlesvc.platforms.shopify.client.throttling import CostBucket, points_of
from bundlesvc.platforms.shopify.client.transport import API_VERSION, Transport

DENIED_SECONDS = 5.0
"""Seconds for which a document is not sent again after the token lacked a scope for it. The time is short because the scope may
be granted at any moment."""

Subject = tuple[str, str | None]
"""The subject of a missing scope: a document and its country, because a document reads different data in different
countries."""


class RetryingClient:
    """The client of one shop, with the shop's bucket of query-cost points and its circuit breaker. `batch_sizes` contains the
    maximum number of ids per call for each document."""

    def __init__(
        self,
        connection: PlatformConnection,
        transport: Transport,
        policy: RetryPolicy,
        statistics: CallStatistics,
    ) -> None:
        self.notices = ClientNotices(connection.domain, policy.clock, statistics)
        self.batch_sizes: dict[str, int] = {}
        self._statistics = statistics
        self._connection = connection
        self._transport = transport
        self._retry_policy = policy
        self._clock = policy.clock
        self._bucket = CostBucket(policy.clock, policy.sleep)
        self._circuit = CircuitBreaker(policy.clock)
        self._denied_until: dict[Subject, float] = {}

    @cached_property
    def new_variants(self) -> CircuitBreaker:
        """A second circuit breaker, which guards only the creation of variants."""
        return CircuitBreaker(self._clock)

    def state(self, shop: str) -> ClientState:
        """Return the state of this client for the metrics, labelled with the shop's name."""
        return ClientState(shop, self._bucket.left, self._circuit.state)

    def connected(self, connection: PlatformConnection) -> None:
        """Use this connection from now on. Calls that failed with an earlier connection no longer count towards the circuit
        breaker."""
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
        """Send a document and return the response's data, or `when_denied` if the access token lacks a scope. Raises TooCostly,
        NoMoreVariants, InDoubt, PlatformNotConnected, PlatformUnavailable, PlatformFailed and PlatformTimeout."""
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
        retries = self._retry_policy.of_call(deadline)
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
                await retries.wait(failure, worthwhile=self._circuit.closed)

    async def _attempt(
        self, connection: PlatformConnection, document: Document, body: bytes, deadline: Deadline
    ) -> Json:
        remaining, circuit = deadline.remaining(), self._circuit_of(connection)
        with (
            reporting(self._circuit, self.notices),
            circuit.attempt(),
            self._statistics.call(document.name) as call,
        ):
            reply = await watched(self._transport.post(connection, body, remaining), self._clock, deadline)
            call.points = points_of(reply.payload)
            self._check_version(reply)
            self._bucket.observe(document.name, reply.payload)
            return data_of(reply, self.notices)

    def _circuit_of(self, connection: PlatformConnection) -> CircuitBreaker:
        """Return the circuit breaker of a connection. A connection that has been replaced gets a separate breaker, so that its
        calls do not count against the new connection."""
        return self._circuit if connection == self._connection else CircuitBreaker(self._clock)

    def _check_version(self, reply: Reply) -> None:
        """Warn when the API version is expired or deprecated. Shopify does not refuse requests for an expired version, but
        responds with a different version."""
        version = reply.headers.get("X-Shopify-API-Version", API_VERSION)
        if version != API_VERSION:
            self.notices.once(
                "the platform responds with API version %s instead of %s: update bundlesvc", version, API_VERSION
            )
        deprecated = reply.headers.get("X-Shopify-API-Deprecated-Reason")
        if deprecated:
            self.notices.once("the platform marks something that we use as deprecated: %s", deprecated[:300])
