"""Lists the bundles that a shop's platform itself defines, for import into a draft."""

from collections.abc import Mapping

from bundlesvc.domain.live_platform.platform_bundle import FoundBundles
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.platform_bundles import PlatformBundles

LISTED = 20
"""The number of products per page, each with one or more bundles. On a live platform, fetching one bundle costs about as much as
fetching a product with all its variants."""


class BundlesToImport:
    """Reads the bundles that a shop's platform defines. `readers` holds a reader for each kind of platform that has bundles of
    its own."""

    def __init__(self, readers: Mapping[str, PlatformBundles]) -> None:
        self._readers = readers

    async def find(self, tenant: Tenant, after: str | None) -> FoundBundles:
        """Fetch one page of the bundles that are defined on the shop's platform, from up to `LISTED` products. `after` is the
        `next` of the previous page. Raises what `PlatformBundles` raises."""
        reader = self._readers.get(tenant.shop.platform.kind)
        return FoundBundles((), None) if reader is None else await reader.find(tenant, LISTED, after)
