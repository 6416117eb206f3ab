"""Configure in a preview: every check is made, and nothing is stored. What it returns is worth nothing at a checkout."""

from collections.abc import Callable, Mapping
from typing import Any

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.ports import TokenInvalid
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.price_selection import Quote
from bundlesvc.services.record_bundle import RecordBundle


class NothingRecorded(RecordBundle):
    """Stands in for the recorder, and stores nothing. A bundle with a line of its own has the id 1 as its variant."""

    def __init__(self) -> None:
        """There is nothing to record in."""

    async def stored_response(self, caller: Caller, key: IdempotencyKey, now: int) -> StoredResponse | None:
        return None

    async def record(
        self,
        caller: Caller,
        bundle: Bundle,
        configured: ConfiguredBundle,
        quote: Quote,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
        deadline: RequestDeadline,
    ) -> StoredResponse:
        return StoredResponse(render(RecordedIds(bundle.cart_variant_id or 1, None)))


class NoDiscount:
    """Stands in for the cipher of discounts: no checkout takes anything off for its tokens."""

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        return "preview"

    def unseal(self, token: str) -> dict[str, Any]:
        raise TokenInvalid
