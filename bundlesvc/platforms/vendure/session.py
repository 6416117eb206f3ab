"""One session with a shop's Admin API: all its calls share a deadline and a channel."""

from contextlib import AbstractContextManager
from typing import Any

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.call_errors import Denied, TokenRefused
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.documents import documents_of
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.vendure.client import VendureClient
from bundlesvc.platforms.vendure.replies import NO_CHANNEL, QueryRefused

READ_CATALOG, READ_ORDERS = "ReadCatalog", "ReadBundleOrders"
PERMISSIONS = {"order": READ_ORDERS, "order_ids": READ_ORDERS}
"""The permissions that these documents need; all other documents need READ_CATALOG."""

_DOCUMENTS = documents_of("bundlesvc.platforms.vendure")


class Session:
    """A session with one shop's Admin API. All its methods may raise PlatformNotConnected, PlatformUnavailable, PlatformFailed
    and PlatformTimeout."""

    def __init__(self, client: VendureClient, deadline: Deadline, channel: str | None) -> None:
        self._client = client
        self._deadline = deadline
        self._channel = channel

    @property
    def connection(self) -> PlatformConnection:
        """The shop's platform connection, which this session uses."""
        return self._client.connection

    def in_channel(self, channel: str | None) -> "Session":
        """Return a session in another channel (None: the default channel), with the same deadline."""
        return Session(self._client, self._deadline, channel)

    async def run(self, name: str, **variables: Any) -> Json:
        """Send the document with this name and return the response's data. A refusal is logged."""
        try:
            return await self._send(name, variables)
        except Denied as error:
            where = f"the channel {self._channel}" if self._channel else "the default channel"
            permission = PERMISSIONS.get(name, READ_CATALOG)
            self._client.notices.trouble(f"the key is refused, or lacks the permission {permission} in %s", where)
            raise TokenRefused from error
        except QueryRefused as refusal:
            raise self._logged(refusal) from refusal

    async def attempt(self, name: str, explained: str, **variables: Any) -> Json:
        """Send a document as `run` does, for a caller that handles a particular refusal itself. Raises Denied, and raises
        QueryRefused if the refusal has the code `explained`."""
        try:
            return await self._send(name, variables)
        except QueryRefused as refusal:
            if refusal.code == explained:
                raise
            raise self._logged(refusal) from refusal

    async def _send(self, name: str, variables: Json) -> Json:
        return await self._client.run(_DOCUMENTS[name], variables, self._deadline, self._channel)

    def _logged(self, refusal: QueryRefused) -> PlatformFailed:
        if refusal.code == NO_CHANNEL:
            self._client.notices.once("there is no channel with the token %s that the shop file names", self._channel)
        else:
            self._client.notices.once("the platform refuses a query of this service: %s %s", refusal.code, str(refusal))
        return PlatformFailed()

    def reading(self) -> AbstractContextManager[None]:
        """Return a context manager for the code that reads a response. It raises PlatformFailed when the response does not match
        the schema."""
        return self._client.reading()
