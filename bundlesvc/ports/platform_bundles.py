"""The port for the bundles that are defined on a shop's platform itself."""

from typing import Protocol

from bundlesvc.domain.live_platform.platform_bundle import FoundBundles
from bundlesvc.domain.shop import Tenant


class PlatformBundles(Protocol):
    """Reads the bundles that are defined on a shop's platform itself. Raises the same errors as `Platform`."""

    async def find(self, tenant: Tenant, limit: int, after: str | None) -> FoundBundles:
        """Fetch one page of bundles, ordered by title, from up to `limit` products. `after` is the `next` of the previous page.
        Raises CursorUnknown when `after` is not a known cursor."""
