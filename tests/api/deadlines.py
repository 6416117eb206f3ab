"""A platform that records the deadline of each call."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database


class DeadlineRecorder:
    """A wrapper around the embedded platform that records the calls to it. `calls` contains the method and the deadline of each
    call that accepts a deadline."""

    def __init__(self, database: Database) -> None:
        self._platform = EmbeddedPlatform(database, RevisionCache())
        self.calls: list[tuple[str, RequestDeadline]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._platform, name)
        parameters = signature(method)

        async def call(*args: object, **named: object) -> object:
            if "deadline" in parameters.parameters:
                given = parameters.bind(*args, **named).arguments
                self.calls.append((name, given.get("deadline", NO_DEADLINE)))
            return await method(*args, **named)

        return call

    def take(self) -> tuple[set[str], set[RequestDeadline]]:
        """Return the methods and the deadlines of all calls since the last `take`."""
        calls, self.calls = self.calls, []
        return {name for name, _ in calls}, {deadline for _, deadline in calls}
