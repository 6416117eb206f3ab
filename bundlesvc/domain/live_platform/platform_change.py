"""Changes on a shop's platform, as webhooks report them and as the change log numbers them."""

from dataclasses import dataclass

from bundlesvc.domain.shopper import ShopperRequest

PRODUCT, INVENTORY_ITEM, BUNDLE = "product", "inventory_item", "bundle"
SHOP_SETTINGS, MARKETS, SELLING_PLANS = "shop", "markets", "selling_plans"
"""The kinds of `Change`."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change on a shop's platform. `id` is the id of the product or inventory item that changed; it is None for anything that
    exists only once per shop, such as the settings."""

    kind: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class ProductUpdate:
    """A product as of its last update. `updated_at` is in seconds since 1970."""

    product_id: int
    updated_at: int


ORDER, CONTRACT = "order", "contract"
"""The kinds of `Notice`."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A new or changed order or subscription contract, with its id on the platform. No cached data depends on orders or
    contracts."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook with a valid signature: its id (the same for every delivery attempt), the changes that it reports, and the
    variants that were bought.

    `signature` is a digest of the signature. `subject` identifies what the webhook is about, and `topic` is the platform's name
    for this kind of webhook. Deliveries with the same signature have the same body. If their subjects are also the same, they are
    the same report; if not, one of them is forged.

    `update` contains the product and the time of its update; it is set only if the webhook reports nothing else. `our_own` says
    that the service itself made the update; no cached data depends on such updates. `request` is a request about shoppers' data.
    `notices` lists the objects that capabilities outside the core will read from the platform.
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
    """A change in the log, with its `number`. A reader that has seen a number has seen all lower numbers too. `recorded_at` is in
    seconds since 1970."""

    number: int
    shop_id: int
    change: Change
    recorded_at: int
