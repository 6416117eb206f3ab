"""Shoppers, and platforms' requests concerning shoppers' data."""

import re
from collections.abc import Collection
from dataclasses import dataclass

EXPORT, ERASE, DELETE_SHOP = "export", "erase", "delete_shop"
"""The kinds of `ShopperRequest`. The operator answers exports; the service carries out the others."""

DAY = 24 * 60 * 60
TIME_TO_ANSWER = 30 * DAY
"""Seconds within which a request must be completed: platforms and the GDPR allow one month."""

GRACE = 7 * DAY
"""Seconds between the platform's request to delete a shop and the deletion. In the meantime, the app can be installed again."""


@dataclass(frozen=True, slots=True)
class Shopper:
    """A shopper, identified by e-mail address. `shop_ids` are the row ids of the shops concerned; None means all shops.
    `configured_bundle_ids` are further configured bundles that belong to the shopper, even if no personalisation answer in them
    contains the address."""

    email: str
    shop_ids: Collection[int] | None = None
    configured_bundle_ids: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class ShopperRequest:
    """A platform's request about shoppers' data. `subject` is the shopper's e-mail address, or the platform domain of the shop to
    delete. `reference` is the platform's own id for the request, if it has one."""

    kind: str
    subject: str
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A stored request about shoppers' data. Times are in seconds since 1970, UTC."""

    id: int
    shop_id: int
    shop: str
    request: ShopperRequest
    received_at: int
    completed_at: int | None = None

    @property
    def due_at(self) -> int:
        return self.received_at + TIME_TO_ANSWER


def is_same_address(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def mentions(text: str, email: str) -> bool:
    """Whether the text contains this address, other than as part of a longer address: ann@a.example is not in joann@a.example."""
    address = re.escape(email.lower())
    return re.search(rf"(?<![\w.+-]){address}(?![\w-]|\.\w)", text.lower()) is not None
