"""The port that searches a shop's products."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.shop import Tenant


class FoundProducts(NamedTuple):
    """One page of product ids that a search found. `next` is the cursor of the next page; it is None on the last one."""

    ids: Sequence[int]
    next: str | None


class ProductSearch(Protocol):
    """Searches the products of a shop's platform, including those that are not for sale. Raises what `Platform` raises."""

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        """Fetch up to `limit` products that contain the words of a text, always in the same order. `after` is the `next` of the
        previous page. Raises CursorUnknown when it is not."""
