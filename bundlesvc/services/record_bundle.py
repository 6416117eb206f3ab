"""The last step of configure: finds the variant for the cart, takes tokens from the visitor's limits, and stores the
bundle."""

from collections import Counter
from collections.abc import Callable

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, RecordedIds
from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.rate_limit import CONFIGURED_BUNDLES, SUBSCRIPTIONS
from bundlesvc.ports import ConfiguredStore, GhostRetired
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.rate_limits import CostlyResults
from bundlesvc.services.ghosts.variants import GhostVariants
from bundlesvc.services.price_selection import Quote

MAX_TRIES = 3
"""The maximum number of attempts to find a ghost variant. An attempt fails when the variant that it finds is retired at the same
moment."""


class RecordBundle:
    """Stores a configured bundle, with the ghost variant through which it is sold."""

    def __init__(self, store: ConfiguredStore, ghosts: GhostVariants, costly: CostlyResults) -> None:
        self._store = store
        self._ghosts = ghosts
        self._costly = costly
        self.recorded: Counter[tuple[str, str]] = Counter()
        """The number of configured bundles stored, by type and shop, for the metrics."""

    async def stored_response(self, caller: Caller, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """Return the response stored for this idempotency key. Raises IdempotencyKeyReused, StorageUnavailable."""
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
        """Store a configured bundle, which was created from `quote`, and its rendered response. Raises RateLimited, and what
        `GhostVariants.ghost_for` and `ConfiguredStore` raise."""
        tenant = caller.tenant
        if key is not None and bundle.cart_variant_id is None:  # a retry must not create another ghost variant
            stored = await self.stored_response(caller, key, configured.configured_at)
            if stored is not None:
                return stored
        async with self._costly.charge(caller, *_costly_results(configured)) as payment:
            for _ in range(MAX_TRIES):
                # A native bundle has its own variant; any other bundle gets a ghost variant at the discounted price.
                variant = bundle.cart_variant_id or await self._ghosts.ghost_for(
                    tenant, configured, quote, payment, deadline
                )
                await payment.pay()
                try:
                    response = await self._store.record(tenant, configured, variant, key, render)
                except GhostRetired:
                    continue
                if response.replayed:  # another request with the same key came first, and has paid
                    await payment.give_back()
                else:
                    self.recorded[bundle.type, tenant.shop.handle] += 1
                return response
            raise PlatformUnavailable


def _costly_results(configured: ConfiguredBundle) -> tuple[str, ...]:
    """Return the names of the visitor limits that storing a configured bundle counts towards, apart from the limit on new ghost
    variants."""
    return (CONFIGURED_BUNDLES,) if configured.subscription is None else (CONFIGURED_BUNDLES, SUBSCRIPTIONS)
