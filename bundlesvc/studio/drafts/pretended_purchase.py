"""Configures bundles in a preview: every check is made, but nothing is stored. The result cannot be used at a checkout."""

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
    """A recorder that stores nothing. A bundle that would get a ghost variant gets the variant id 1 instead."""

    def __init__(self) -> None:
        """Needs no store, because nothing is recorded."""

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
    """A stand-in for the discount cipher. Its tokens do not reduce any price at checkout."""

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        return "preview"

    def unseal(self, token: str) -> dict[str, Any]:
        raise TokenInvalid
