"""What happens when bundles begin and end, besides that responses change: their ghost variants are checked."""

from bundlesvc.ports import BundleTimes
from bundlesvc.services.shops import Tenants


class BundleTimesFollower:
    """Follows the times of bundles. Call `run` once a second, after `Tenants.refresh`."""

    def __init__(self, tenants: Tenants, times: BundleTimes) -> None:
        self._tenants = tenants
        self._times = times
        self._followed: dict[int, int] = {}

    async def run(self) -> None:
        """Pass the times that came since the last call. Raises StorageUnavailable; the next call then does it."""
        for tenant in list(self._tenants.all()):
            if tenant.times and self._followed.get(tenant.id) != tenant.phase.start:
                await self._times.pass_times(tenant)
                self._followed[tenant.id] = tenant.phase.start
