"""The port through which the studio records which of its pages are open."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.shop import Tenant


class OpenPage(NamedTuple):
    """An open page of the studio. `page` is the page's own name, `label` the label of its API key, and `bundle_id` the bundle
    that it edits, if any."""

    page: str
    label: str
    bundle_id: int | None


class OpenPages(Protocol):
    """Stores which pages of the studio are open in each shop, for all processes. Raises StorageUnavailable."""

    async def note(self, tenant: Tenant, page: OpenPage, now: int) -> Sequence[OpenPage]:
        """Record that a page is open, and return the shop's other open pages. A page that is not recorded again in time counts as
        closed."""

    async def forget(self, tenant: Tenant, page: str) -> None:
        """Record that a page has been closed."""
