"""Changes on a shop's platform, as webhooks report them and the change log numbers them."""

from dataclasses import dataclass

from bundlesvc.domain.shopper import ShopperRequest

PRODUCT, INVENTORY_ITEM, BUNDLE = "product", "inventory_item", "bundle"
SHOP_SETTINGS, MARKETS, SELLING_PLANS = "shop", "markets", "selling_plans"
"""The kinds of `Change`."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that changed on a shop's platform; `id` of the product or inventory item, None where a shop has only one."""

    kind: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class ProductUpdate:
    """A product as of its last change, `updated_at` in seconds since 1970."""

    product_id: int
    updated_at: int


ORDER, CONTRACT = "order", "contract"
"""The kinds of `Notice`."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An order or a subscription contract on the platform, by the id that it has there, which is new or has changed. Nothing
    that is cached depends on it."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook with a valid signature: its id, which every attempt repeats, what changed, and the variants that were bought.

    `signature` is a digest of the signature. `subject` names what the webhook is about, `topic` its kind in the platform's
    words. Deliveries with one signature have the same body: with the same subject they are the same report; with different
    subjects, one of them is false.

    `update` is set when the webhook only reports that a product was updated, and when. `our_own`: the update was a change by
    the service, on which no cached data depends. `request` is a request about shoppers' data. `notices` name what capabilities
    outside the core read from the platform later.
    """

    id: str
    changes: tuple[Change, ...]
    signature: str
    subject: str
    topic: str
    bought: frozenset[int] = frozenset()
    update: ProductUpdate | None = None
    our_own: bool = False
    request: ShopperRequest | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedChange:
    """A change in the log: a reader that has seen a number has seen all lower ones. `recorded_at` in seconds since 1970."""

    number: int
    shop_id: int
    change: Change
    recorded_at: int
