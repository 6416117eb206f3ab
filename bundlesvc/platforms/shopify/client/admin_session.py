"""One session with a shop's Admin API: all its calls share a deadline."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import ProductUpdate
from bundlesvc.platforms.calls.call_errors import InDoubt, TokenRefused
from bundlesvc.platforms.calls.circuit_breaker import CircuitBreaker
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.calls.reading import matching_schema
from bundlesvc.platforms.shopify.client.call_errors import TooCostly
from bundlesvc.platforms.shopify.client.graphql import DOCUMENTS, next_cursor
from bundlesvc.platforms.shopify.client.retrying_client import RetryingClient

MAX_IDS = 250
"""The platform's limit on the number of ids in one list."""

Replacement = Callable[[PlatformConnection, Deadline], Awaitable[PlatformConnection | None]]
"""A function that takes a connection whose token was refused, and returns the connection to use instead; None when there is
none."""

RecordUpdate = Callable[[ProductUpdate], Awaitable[None]]
"""A function that records that the service itself updated a product."""


async def _no_replacement(connection: PlatformConnection, deadline: Deadline) -> None:
    """Return None, because a fixed token cannot be replaced. This is the `Replacement` for fixed tokens."""


async def _no_record(update: ProductUpdate) -> None:
    """Ignore an update. This is the `RecordUpdate` for commands, whose changes are not recorded as the service's own."""


class AdminSession:
    """A session with one shop's Admin API. All its methods may raise PlatformNotConnected, PlatformUnavailable, PlatformFailed
    and PlatformTimeout."""

    def __init__(
        self,
        client: RetryingClient,
        connection: PlatformConnection,
        deadline: Deadline,
        replacement: Replacement = _no_replacement,
        record_update: RecordUpdate = _no_record,
    ) -> None:
        self._client = client
        self._connection = connection
        self._deadline = deadline
        self._replacement = replacement
        self.record_update = record_update

    @property
    def has_old_secret(self) -> bool:
        """Whether the app still has a previous client secret, as it does while the secret is being rotated."""
        return bool(self._connection.previous_secret)

    @property
    def notices(self) -> Notices:
        return self._client.notices

    @property
    def new_variants(self) -> CircuitBreaker:
        return self._client.new_variants

    async def run(self, name: str, **variables: Any) -> Json:
        """Send the document with this name and return the response's data."""
        try:
            return await self.change(name, **variables)
        except InDoubt as doubt:
            raise doubt.error from doubt

    async def run_or(self, name: str, when_denied: Json, **variables: Any) -> Json:
        """Send a document as `run` does, but return `when_denied` if the access token lacks a scope."""
        try:
            return await self._run(name, variables, when_denied)
        except TooCostly as error:
            raise self._too_costly(name) from error

    async def change(self, name: str, **variables: Any) -> Json:
        """Send a change in the same way as `run`, for callers that can find out whether the change was applied. Also raises
        InDoubt and NoMoreVariants."""
        try:
            return await self._run(name, variables)
        except TooCostly as error:
            raise self._too_costly(name) from error

    async def all_nodes(self, name: str, connection: str) -> list[Json]:
        """Fetch the nodes of all pages of this GraphQL connection. The document takes the cursor as `after`."""
        nodes: list[Json] = []
        more, cursor = True, None
        while more:
            data = await self.run(name, after=cursor)
            with self.reading():
                nodes += data[connection]["nodes"]
                cursor = next_cursor(data[connection])
                more = cursor is not None
        return nodes

    async def in_batches(
        self,
        name: str,
        ids: Sequence[int],
        variables_of: Callable[[Sequence[int]], Json],
        when_denied: Json | None = None,
    ) -> list[tuple[Sequence[int], Json]]:
        """Fetch the data for all ids in batches, and return each batch of ids with its data. When the platform refuses a document
        as too costly, the batch size for this document is halved from then on. `when_denied` is the data to use if the access
        token lacks a scope."""
        batches: list[tuple[Sequence[int], Json]] = []
        left = list(ids)
        while left:
            batch = left[: self._client.batch_sizes.get(name, MAX_IDS)]
            try:
                batches.append((batch, await self._run(name, variables_of(batch), when_denied)))
            except TooCostly as error:
                if len(batch) == 1:
                    raise self._too_costly(name) from error
                self._client.batch_sizes[name] = len(batch) // 2
            else:
                left = left[len(batch) :]
        return batches

    def reading(self) -> AbstractContextManager[None]:
        """Return a context manager for the code that reads a response. It raises PlatformFailed when the response does not match
        the schema."""
        return matching_schema(self.notices)

    async def _run(self, name: str, variables: Json, when_denied: Json | None = None) -> Json:
        """Send a GraphQL document, by name. When the token is refused, send the document once more with a new token; this is safe
        because a refused call did nothing."""
        query, connection = DOCUMENTS[name], self._connection
        try:
            return await self._client.run(connection, query, variables, self._deadline, when_denied)
        except TokenRefused as refusal:
            replacement = await self._replacement(connection, self._deadline)
            if replacement is None:
                raise self._refused(refusal) from refusal
            self._connection = replacement
            self._client.connected(replacement)
        try:
            return await self._client.run(replacement, query, variables, self._deadline, when_denied)
        except TokenRefused as refusal:
            raise self._refused(refusal) from refusal

    def _refused(self, refusal: TokenRefused) -> PlatformNotConnected:
        if refusal.words:  # without words, the refusal comes from the circuit breaker and has already been logged
            self.notices.trouble("the access token is refused: connect the shop again (%s)", refusal.words)
        return PlatformNotConnected(str(refusal), retry_after=refusal.retry_after)

    def _too_costly(self, name: str) -> PlatformFailed:
        self.notices.once("the query %s costs more than the platform allows", name)
        return PlatformFailed()
