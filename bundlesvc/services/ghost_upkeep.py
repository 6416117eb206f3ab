"""The upkeep of ghost variants: those whose promise could still be made stay, the others leave the platform in time."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.ghost_variant import Claim, ClaimedGhost, GhostCounts
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, GhostStore, Platform
from bundlesvc.services.ghost_promises import GhostPromises
from bundlesvc.services.ghost_variants import CROWDED
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.tenants import Tenants

GHOSTS_A_PASS = 200
"""The largest number of ghost variants that one pass checks or removes."""


class GhostUpkeep:
    """The use case. `grace`: for how many seconds a promise that could not be made again still holds. `retired` are the ghost
    variants that it retired, `counts` those that there are."""

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
        """One pass over ghost variants that are due. What a platform that fails leaves undone is tried again later. Raises
        StorageUnavailable; then the claims run out."""
        claim = await self._store.claim_due(int(self._clock.now()), GHOSTS_A_PASS)
        if not claim.ghosts:
            return
        # Whatever changed before the claim is forgotten here before anything is read; a later change ends the claim.
        await self._tenants.refresh()
        await self._follower.follow()
        for shop_id, mine in _by(claim.ghosts, lambda one: one.shop_id):
            tenant = self._tenants.get(shop_id)
            if tenant is not None:
                await self._look_after(tenant, Claim(claim.token, mine))

    async def count(self) -> None:
        """Count ghost variants, for the metrics. Raises StorageUnavailable."""
        self.counts = await self._store.counts(CROWDED)

    async def _look_after(self, tenant: Tenant, claim: Claim) -> None:
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
        """When the platform fails, the claim runs out, and another pass removes them."""
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
