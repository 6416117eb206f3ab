"""One session with a shop's Admin API: all its calls share a deadline and a channel."""

from contextlib import AbstractContextManager
from typing import Any

from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.documents import documents_of
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.vendure.client import VendureClient

_DOCUMENTS = documents_of("bundlesvc.platforms.vendure")


class Session:
    """A session with one shop, which raises PlatformNotConnected, PlatformUnavailable, PlatformFailed and PlatformTimeout."""

    def __init__(self, client: VendureClient, deadline: Deadline, channel: str | None) -> None:
        self._client = client
        self._deadline = deadline
        self._channel = channel

    def in_channel(self, channel: str) -> "Session":
        """The session in another channel, with what is left of its time."""
        return Session(self._client, self._deadline, channel)

    async def run(self, name: str, **variables: Any) -> Json:
        """Send the document of this name and return the response's data."""
        return await self._client.run(_DOCUMENTS[name], variables, self._deadline, self._channel)

    def reading(self) -> AbstractContextManager[None]:
        """Use around code that reads a response. Raises PlatformFailed when the response does not match the schema."""
        return self._client.reading()
