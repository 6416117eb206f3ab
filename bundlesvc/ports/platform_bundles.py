"""The port of bundles that a shop's platform has itself."""

from typing import Protocol

from bundlesvc.domain.live_platform.platform_bundle import FoundBundles
from bundlesvc.domain.shop import Tenant


class PlatformBundles(Protocol):
    """The bundles of a shop's platform. Raises what `Platform` raises."""

    async def find(self, tenant: Tenant, limit: int, after: str | None) -> FoundBundles:
        """The bundles that up to `limit` products are, in the order of their titles; `after` is the `next` of the part before.
        Raises CursorUnknown when it is not."""
