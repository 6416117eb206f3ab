"""Requests that change revisions: who makes them, how many are allowed, and the responses to repeated requests."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import RateLimited
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.domain.rate_limit import Bucket, decisive
from bundlesvc.domain.revisions.revision import Act, Actor, IdempotentRequest, Response
from bundlesvc.ports import Buckets, Clock
from bundlesvc.ports.revisions import ResponseStored, RevisionStore

T = TypeVar("T")

WRITES = "writes"
WRITES_PER_MINUTE = 60


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """A request to make a change, sent from the address `origin`, through the API or the studio. `key` is its idempotency key."""

    caller: Caller
    origin: str
    source: str
    dry_run: bool = False
    key: IdempotencyKey | None = None


class WriteResult(NamedTuple):
    """The response to a request. `replayed` is True when it is the stored response to an earlier request with the same
    idempotency key."""

    response: Response
    replayed: bool = False


class RevisionWriter:
    """Executes requests that change revisions, at most `WRITES_PER_MINUTE` per key."""

    def __init__(self, store: RevisionStore, buckets: Buckets, clock: Clock) -> None:
        self._store = store
        self._buckets = buckets
        self._clock = clock

    async def write(
        self, request: WriteRequest, change: Callable[[Act], Awaitable[T]], render: Callable[[T], Response]
    ) -> WriteResult:
        """Make a change, only once for each idempotency key, and return the response. The response to a dry run is not stored.
        Raises RateLimited, IdempotencyKeyReused, and what `change` raises."""
        caller, now = request.caller, int(self._clock.now())
        await self._pay(caller)
        actor = Actor(caller.key.label, request.origin, request.source)
        if request.key is None or request.dry_run:
            return WriteResult(render(await change(Act(actor, now, request.dry_run))))
        stored = await self._store.stored_response(caller.tenant, caller.key.prefix, request.key, now)
        if stored is not None:
            return WriteResult(stored, replayed=True)
        sent = IdempotentRequest(caller.key.prefix, request.key, render)
        try:
            return WriteResult(render(await change(Act(actor, now, idempotent_request=sent))))
        except ResponseStored as other:  # an identical request came first
            return WriteResult(other.response, replayed=True)

    async def _pay(self, caller: Caller) -> None:
        """Take a token from the key's bucket for writes. Raises RateLimited."""
        bucket = Bucket(WRITES, f"{{key:{caller.key.id}}}:{WRITES}", WRITES_PER_MINUTE)
        state = decisive(await self._buckets.take([bucket]))
        if not state.allowed:
            raise RateLimited(state.retry_after, state.kind)
