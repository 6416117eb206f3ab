"""Keeps track of when the sale of each bundle begins and ends, and then triggers a check of the bundle's ghost variants."""

from bundlesvc.ports import BundleTimes
from bundlesvc.services.shops import Tenants


class BundleTimesFollower:
    """Triggers a check of a bundle's ghost variants whenever the bundle's sale begins or ends. Call `run` once a second, after
    `Tenants.refresh`."""

    def __init__(self, tenants: Tenants, times: BundleTimes) -> None:
        self._tenants = tenants
        self._times = times
        self._followed: dict[int, int] = {}

    async def run(self) -> None:
        """Trigger the checks for bundles whose sale has begun or ended since the last call. Raises StorageUnavailable; the next
        call then retries."""
        for tenant in list(self._tenants.all()):
            if tenant.times and self._followed.get(tenant.id) != tenant.phase.start:
                await self._times.pass_times(tenant)
                self._followed[tenant.id] = tenant.phase.start
