"""Background work on ghost variants: checks the promises behind them, and removes the variants whose promise is no longer
valid."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.ghosts.variant import Claim, ClaimedGhost, GhostCounts
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, GhostStore, Platform
from bundlesvc.services.ghosts.promises import GhostPromises
from bundlesvc.services.ghosts.variants import CROWDED
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shops import Tenants

GHOSTS_A_PASS = 200
"""The maximum number of ghost variants that one pass checks or removes."""


class GhostUpkeep:
    """Checks ghost variants, and retires each one whose promise is broken, once `grace` seconds have passed since the promise was
    last made. `retired` counts the retired variants; `counts` holds the latest totals."""

    def __init__(
        self,
        store: GhostStore,
        tenants: Tenants,
        follower: ChangeFollower,
        promises: GhostPromises,
        platform: Platform,
        clock: Clock,
        grace: int,
    ) -> None:
        self._store = store
        self._tenants = tenants
        self._follower = follower
        self._promises = promises
        self._platform = platform
        self._clock = clock
        self._grace = grace
        self.retired = 0
        self.counts: GhostCounts | None = None

    async def run(self) -> None:
        """Check the ghost variants that are due, and remove the invalid ones. When the platform fails, the work is retried later.
        Raises StorageUnavailable; the claims then expire."""
        claim = await self._store.claim_due(int(self._clock.now()), GHOSTS_A_PASS)
        if not claim.ghosts:
            return
        # Before reading anything, bring the caches up to date with all changes that were made before the claim. A later change
        # ends the claim.
        await self._tenants.refresh()
        await self._follower.follow()
        for shop_id, mine in _by(claim.ghosts, lambda one: one.shop_id):
            tenant = self._tenants.get(shop_id)
            if tenant is not None:
                await self._process(tenant, Claim(claim.token, mine))

    async def count(self) -> None:
        """Count the ghost variants, for the metrics. Raises StorageUnavailable."""
        self.counts = await self._store.counts(CROWDED)

    async def _process(self, tenant: Tenant, claim: Claim) -> None:
        leaving = [claimed for claimed in claim.ghosts if claimed.retired]
        in_use = [claimed for claimed in claim.ghosts if not claimed.retired]
        if in_use:
            verdicts = await self._promises.check(tenant, in_use)
            now = int(self._clock.now())
            checked = Claim(claim.token, tuple(in_use))
            retired = await self._store.settle(tenant.id, checked, verdicts, now, self._grace)
            self.retired += len(retired.ghosts)
            leaving += retired.ghosts
        for product_id, ghosts in _by(leaving, lambda one: one.ghost.product_id):
            await self._remove(tenant, product_id, Claim(claim.token, ghosts))

    async def _remove(self, tenant: Tenant, product_id: int, claim: Claim) -> None:
        """Remove ghost variants from a product. When the platform fails, the claim expires and a later pass removes them."""
        variants = [claimed.ghost.variant_id for claimed in claim.ghosts]
        try:
            await self._platform.retire_ghost_variants(tenant, product_id, variants)
        except Unavailable:
            return
        await self._store.removed(claim, int(self._clock.now()))


def _by(
    claimed: Iterable[ClaimedGhost], key: Callable[[ClaimedGhost], int]
) -> Iterator[tuple[int, tuple[ClaimedGhost, ...]]]:
    for value, group in groupby(sorted(claimed, key=key), key):
        yield value, tuple(group)
