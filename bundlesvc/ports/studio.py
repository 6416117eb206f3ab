"""The port of the studio: which of its pages are open."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.shop import Tenant


class OpenPage(NamedTuple):
    """A page of the studio, named by itself: the label of its key, and the bundle that it edits, if any."""

    page: str
    label: str
    bundle_id: int | None


class OpenPages(Protocol):
    """The open pages of every shop, which all processes see. Raises StorageUnavailable."""

    async def note(self, tenant: Tenant, page: OpenPage, now: int) -> Sequence[OpenPage]:
        """The other open pages of the shop, once it is noted that this one is open. A page that is not noted again is closed."""

    async def forget(self, tenant: Tenant, page: str) -> None:
        """Note that a page is closed."""
