"""The limit on a caller's requests (docs/contract.md#rate-limits)."""

from bundlesvc.domain.caller import Caller
from bundlesvc.domain.rate_limit import BucketState, decisive
from bundlesvc.ports import Buckets


class RequestLimit:
    """The use case."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    async def take(self, caller: Caller) -> BucketState:
        """Take a token for one request from the key's bucket and the visitor's. The state is that of the bucket that decides."""
        return decisive(await self._buckets.take(caller.buckets))
