"""The port for searching a shop's products."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.shop import Tenant


class FoundProducts(NamedTuple):
    """One page of product ids found by a search. `next` is the cursor of the next page; it is None on the last page."""

    ids: Sequence[int]
    next: str | None


class ProductSearch(Protocol):
    """Searches the products of a shop's platform, including products that are not for sale. Raises the same errors as
    `Platform`."""

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        """Fetch up to `limit` products that contain the words of the search text. The products are always in the same order.
        `after` is the `next` of the previous page. Raises CursorUnknown when `after` is not a known cursor."""
