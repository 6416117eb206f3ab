"""GraphQL for the Admin API: the documents that are sent, and the scalars in them.

Global ids look like `gid://shopify/Product/1`; everywhere else ids are numbers.
"""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from bundlesvc.domain.measures import in_grams
from bundlesvc.platforms.calls.documents import Document, documents_of

PRODUCT, VARIANT = "Product", "ProductVariant"

WEIGHT_UNITS: Mapping[str, str] = {"GRAMS": "g", "KILOGRAMS": "kg", "OUNCES": "oz", "POUNDS": "lb"}

DOCUMENTS: Mapping[str, Document] = documents_of("bundlesvc.platforms.shopify")
"""All documents by their file names. They are read at start-up, so that a faulty document is detected immediately."""


def gid(kind: str, number: int) -> str:
    return f"gid://shopify/{kind}/{number}"


def number_of(global_id: str) -> int:
    """Return the number at the end of a global id. Raises ValueError when there is none."""
    return int(global_id.rpartition("/")[2])


def at(node: Any, *path: str) -> Any:
    """Return the value at the end of a path; None when any value along the path is null."""
    for name in path:
        if node is None:
            return None
        node = node[name]
    return node


def amount(text: str) -> Decimal:
    """Parse an amount in the format of `Money` ("24.00") or `Decimal` ("24.0"). Raises ValueError when it is not a finite
    number."""
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


def grams(weight: Mapping[str, Any] | None) -> int:
    """Convert a weight to whole grams, rounded half up; 0 when there is no weight."""
    if weight is None:
        return 0
    exact = in_grams(amount(str(weight["value"])), WEIGHT_UNITS[weight["unit"]])
    return int(exact.to_integral_value(ROUND_HALF_UP))


def next_cursor(connection: Mapping[str, Any]) -> str | None:
    """Return the cursor of the next page of a GraphQL connection; None after the last page."""
    page: Mapping[str, Any] = connection["pageInfo"]
    return page["endCursor"] if page["hasNextPage"] else None
