"""The port of searching a shop's products."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bundlesvc.domain.shop import Tenant


class FoundProducts(NamedTuple):
    """The ids of products that were found, and where the next part begins; None after the last."""

    ids: Sequence[int]
    next: str | None


class ProductSearch(Protocol):
    """The products of a shop's platform, with those that are not for sale. Raises what `Platform` raises."""

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        """Up to `limit` products with the words of a text, always in the same order; `after` is the `next` of the part before.
        Raises CursorUnknown when it is not."""
