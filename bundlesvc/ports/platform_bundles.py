"""The port of the bundles that a shop's platform itself defines."""

from typing import Protocol

from bundlesvc.domain.live_platform.platform_bundle import FoundBundles
from bundlesvc.domain.shop import Tenant


class PlatformBundles(Protocol):
    """The bundles that a shop's platform itself defines. Raises what `Platform` raises."""

    async def find(self, tenant: Tenant, limit: int, after: str | None) -> FoundBundles:
        """Fetch one page of bundles, ordered by title, from up to `limit` products. `after` is the `next` of the previous page.
        Raises CursorUnknown when it is not."""
