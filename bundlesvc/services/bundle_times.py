"""Notices when a bundle goes on or off sale, and triggers a check of the bundle's ghost variants."""

from bundlesvc.ports import BundleTimes
from bundlesvc.services.shops import Tenants


class BundleTimesFollower:
    """Triggers a check of a bundle's ghost variants whenever the bundle goes on or off sale. Call `run` once a second, after
    `Tenants.refresh`."""

    def __init__(self, tenants: Tenants, times: BundleTimes) -> None:
        self._tenants = tenants
        self._times = times
        self._followed: dict[int, int] = {}

    async def run(self) -> None:
        """Trigger the checks for bundles that have gone on or off sale since the last call. Raises StorageUnavailable; the next
        call then retries."""
        for tenant in list(self._tenants.all()):
            if tenant.times and self._followed.get(tenant.id) != tenant.phase.start:
                await self._times.pass_times(tenant)
                self._followed[tenant.id] = tenant.phase.start
