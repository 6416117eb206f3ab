"""Sends documents to one shop: a few at a time, with retries, until the deadline of the session."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import orjson

from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.call_errors import Denied, Throttled, Transient
from bundlesvc.platforms.calls.circuit_breaker import CircuitBreaker, reporting
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.documents import Document
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.calls.reading import matching_schema
from bundlesvc.platforms.calls.retries import RetryPolicy, watched
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.platforms.vendure.ids import UnsupportedId
from bundlesvc.platforms.vendure.replies import data_of
from bundlesvc.platforms.vendure.transport import AdminTransport

PARALLEL_CALLS = 4
"""The maximum number of simultaneous calls to one shop. The platform has no limit of its own, and it also serves the shop's
storefront."""
DENIED_SECONDS = 5.0
"""Seconds for which a document is not sent again to a channel that denied it, because checking a key may be costly for the
shop."""
THROTTLED_SECONDS = 1.0
"""Seconds until the next attempt after a proxy in front of the platform has refused a call."""


class VendureClient:
    """The client for one shop's Admin API, with its circuit breaker and its limit on parallel calls."""

    def __init__(
        self,
        connection: PlatformConnection,
        transport: AdminTransport,
        policy: RetryPolicy,
        statistics: CallStatistics,
    ) -> None:
        self.connection = connection
        self.notices = Notices(connection.domain)
        self._transport = transport
        self._policy = policy
        self._statistics = statistics
        self._circuit = CircuitBreaker(policy.clock)
        self._slots = asyncio.Semaphore(PARALLEL_CALLS)
        self._denied_until: dict[tuple[str | None, str], float] = {}
        """The time until which a document is denied, by channel and document."""

    def state(self, shop: str) -> ClientState:
        """Return the state of this client for the metrics, labelled with the shop's name."""
        return ClientState(shop, None, self._circuit.state)

    async def run(self, document: Document, variables: Json, deadline: Deadline, channel: str | None) -> Json:
        """Send a document and return the response's data. Raises PlatformUnavailable, PlatformFailed and PlatformTimeout. Also
        raises Denied and QueryRefused, which concern only this document."""
        body = orjson.dumps({"query": document.text, "variables": variables, "operationName": document.name})
        retries = self._policy.of_call(deadline)
        while True:
            self._check(channel, document.name)
            try:
                return await self._attempt(document.name, channel, body, deadline)
            except Denied:
                self._denied_until[channel, document.name] = self._policy.clock.monotonic() + DENIED_SECONDS
                raise
            except Throttled as refusal:
                pause = Transient(PlatformUnavailable(), retry_after=refusal.retry_after or THROTTLED_SECONDS)
                await retries.wait(pause, worthwhile=True)
            except Transient as failure:
                await retries.wait(failure, worthwhile=self._circuit.closed)

    def _check(self, channel: str | None, name: str) -> None:
        self._circuit.check()
        if self._policy.clock.monotonic() < self._denied_until.get((channel, name), 0):
            raise Denied

    async def _attempt(self, name: str, channel: str | None, body: bytes, deadline: Deadline) -> Json:
        async with self._slot(deadline):
            remaining = deadline.remaining()
            with reporting(self._circuit, self.notices), self._circuit.attempt(), self._statistics.call(name):
                sending = self._transport.post(self.connection, channel, body, remaining)
                return data_of(await watched(sending, self._policy.clock, deadline), self.notices)

    @asynccontextmanager
    async def _slot(self, deadline: Deadline) -> AsyncIterator[None]:
        """Hold one of the slots for parallel calls. Raises PlatformUnavailable when no slot becomes free in time to send the
        call."""
        try:
            async with asyncio.timeout(max(0.0, deadline.send_by - self._policy.clock.monotonic())):
                await self._slots.acquire()
        except TimeoutError as error:
            raise PlatformUnavailable from error
        try:
            yield
        finally:
            self._slots.release()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Return a context manager for the code that reads a response. It raises PlatformFailed when the response does not match
        the schema."""
        try:
            with matching_schema(self.notices):
                yield
        except UnsupportedId as error:
            self.notices.once("%s: this service needs the default EntityIdStrategy, whose ids are whole numbers", error)
            raise PlatformFailed from error
