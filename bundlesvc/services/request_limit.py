"""The limit on a caller's requests (docs/contract.md#rate-limits)."""

from bundlesvc.domain.caller import Caller
from bundlesvc.domain.rate_limit import BucketState, decisive
from bundlesvc.ports import Buckets, ImmediateBuckets


class RequestLimit:
    """The use case. With `immediate` buckets nobody waits for a token."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets
        self._immediate = buckets if isinstance(buckets, ImmediateBuckets) else None

    @property
    def immediate(self) -> bool:
        return self._immediate is not None

    async def take(self, caller: Caller) -> BucketState:
        """Take a token for one request from the key's bucket and the visitor's. The state is that of the bucket that decides."""
        if self._immediate is not None:
            return decisive(self._immediate.take_now(caller.buckets))
        return decisive(await self._buckets.take(caller.buckets))

    def take_now(self, caller: Caller) -> BucketState | None:
        """Like `take`, without waiting; None when the buckets must be waited for."""
        return None if self._immediate is None else decisive(self._immediate.take_now(caller.buckets))

    async def give_back(self, caller: Caller) -> None:
        """Return the token: another part of the service limits this request."""
        await self._buckets.give_back(caller.buckets)
