"""RecordBundle: a configured bundle gets its variant for the cart, is paid for, and is stored."""

from collections.abc import Callable
from contextlib import suppress

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.caller import Caller
from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.rate_limit import CONFIGURED_BUNDLES, SUBSCRIPTIONS
from bundlesvc.ports import ConfiguredStore, GhostRetired
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.costly_results import CostlyResults
from bundlesvc.services.ghost_variants import GhostVariants
from bundlesvc.services.price_selection import Quote

MAX_TRIES = 3
"""How often another ghost variant is made because the one at hand was retired that very moment."""


class RecordBundle:
    """The last step of configuring."""

    def __init__(self, store: ConfiguredStore, ghosts: GhostVariants, costly: CostlyResults) -> None:
        self._store = store
        self._ghosts = ghosts
        self._costly = costly

    async def stored_response(self, caller: Caller, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """The response stored for this idempotency key. Raises IdempotencyKeyReused, StorageUnavailable."""
        return await self._store.stored_response(caller.tenant, key, now)

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
        """Store the configured bundle and its rendered response; `quote` is what it was made of. Raises RateLimited,
        and what `GhostVariants.ghost_for` and `ConfiguredStore` raise."""
        tenant = caller.tenant
        async with self._costly.charge(caller, *_costly_results(configured)) as charge:
            for _ in range(MAX_TRIES):
                # A native bundle has a variant of its own; any other gets a ghost variant at the discounted price.
                variant = bundle.cart_variant_id or await self._ghosts.ghost_for(
                    tenant, configured, quote, charge, deadline
                )
                await charge.pay()
                with suppress(GhostRetired):
                    answer = await self._store.record(tenant, configured, variant, key, render)
                    if answer.replayed:  # another request with the same key came first, and paid
                        await charge.give_back()
                    return answer
            raise PlatformUnavailable


def _costly_results(configured: ConfiguredBundle) -> tuple[str, ...]:
    """What the configured bundle leaves behind, besides a new ghost variant."""
    return (CONFIGURED_BUNDLES,) if configured.subscription is None else (CONFIGURED_BUNDLES, SUBSCRIPTIONS)
