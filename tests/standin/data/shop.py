"""A shop on the platform, as plain data that tests build and change. Ids are numbers, amounts are Decimals."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count

from tests.standin.data.carts import Cart
from tests.standin.data.functions import Functions
from tests.standin.data.orders import Order

NEW_IDS_FROM = 9_000_000_000_000
INVENTORY_ITEM_OFFSET = 40_000_000_000_000
"""The difference between the id of an inventory item and that of its variant, so that the two cannot be confused."""
DEFAULT_OPTION, DEFAULT_VALUE = "Title", "Default Title"
ACTIVE = "ACTIVE"


@dataclass(eq=False)
class OptionValue:
    id: int
    name: str
    color: str | None = None
    image_url: str | None = None
    translations: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class Option:
    """A product option. Its values remain even when no variant uses them. `translations` contains the translated names, by
    language."""

    id: int
    name: str
    values: list[OptionValue]
    translations: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> OptionValue | None:
        return next((value for value in self.values if value.name == name), None)


@dataclass(eq=False)
class Variant:
    """A variant. `option_values` are in the order of the product's options, and the price is in the shop's currency."""

    id: int
    option_values: list[str]
    price: Decimal
    title: str = ""
    compare_at_price: Decimal | None = None
    sku: str | None = None
    barcode: str | None = None
    tracked: bool = False
    policy: str = "DENY"
    quantity: int | None = 0
    weight: Decimal | None = None
    weight_unit: str = "GRAMS"
    requires_shipping: bool = True
    requires_components: bool = False
    taxable: bool = True
    image_url: str | None = None
    published: bool = True
    """Whether the variant is on any publication."""
    unpublished_from: set[int] = field(default_factory=set)
    """Numbers of the publications from which the variant was removed."""
    components: list["VariantComponent"] = field(default_factory=list)
    """The components of a bundle that is configured by variant."""
    metafields: dict[tuple[str, str], str] = field(default_factory=dict)
    updated_at: str = "2026-07-01T00:00:00Z"

    def __post_init__(self) -> None:
        self.title = self.title or " / ".join(self.option_values)

    @property
    def inventory_item_id(self) -> int:
        return self.id + INVENTORY_ITEM_OFFSET

    @property
    def available_for_sale(self) -> bool:
        return not self.tracked or self.policy == "CONTINUE" or (self.quantity or 0) > 0


@dataclass
class ProductText:
    """A product's title and description in another language. A field that is None is not translated."""

    title: str | None = None
    description_html: str | None = None


@dataclass(eq=False)
class Product:
    id: int
    title: str
    handle: str
    options: list[Option]
    variants: list[Variant]
    status: str = ACTIVE
    tags: list[str] = field(default_factory=list)
    description_html: str = ""
    vendor: str = ""
    product_type: str = ""
    image_url: str | None = None
    requires_selling_plan: bool = False
    components: list["Component"] = field(default_factory=list)
    """The components of a bundle that is configured by product."""
    unpublished_from: set[int] = field(default_factory=set)
    translations: dict[str, ProductText] = field(default_factory=dict)
    updated_at: str = "2026-07-01T00:00:00Z"

    def touch(self) -> None:
        """Advance the product's `updated_at` by one second, as a change does."""
        moved = datetime.fromisoformat(self.updated_at) + timedelta(seconds=1)
        self.updated_at = moved.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def has_only_default_variant(self) -> bool:
        return len(self.variants) == 1 and self.variants[0].option_values == [DEFAULT_VALUE]

    def option(self, name: str) -> Option | None:
        return next((option for option in self.options if option.name == name), None)

    def variant(self, number: int | None) -> Variant | None:
        return next((variant for variant in self.variants if variant.id == number), None)


@dataclass
class Component:
    """A product in a bundle, with the variants that can be chosen. When `quantity` is None, the shopper chooses the number of
    units."""

    product_id: int
    variant_ids: list[int]
    quantity: int | None = 1


@dataclass
class VariantComponent:
    """A number of units of a variant in a bundle."""

    variant_id: int
    quantity: int = 1


@dataclass(frozen=True)
class FixedPrice:
    """A fixed price in a price list, in the currency of the list."""

    price: Decimal
    compare_at_price: Decimal | None = None


@dataclass(eq=False)
class Market:
    """A market with its catalog, price list and publication, which all share one number.

    `rate` is the amount of market currency per unit of shop currency; the platform returns it only if the merchant set it
    (`tells_rate`). `rounding` is the step to which converted prices are rounded, or None for the currency's default step.
    """

    id: int
    name: str
    countries: tuple[str, ...]
    currency: str
    rate: Decimal = Decimal(1)
    tells_rate: bool = True
    adjustment: Decimal = Decimal(0)
    adjusts_compare_at: bool = True
    rounding: Decimal | None = None
    fixed_prices: dict[int, FixedPrice] = field(default_factory=dict)
    status: str = ACTIVE
    has_catalog: bool = True


@dataclass
class SellingPlan:
    """A plan for recurring orders. `interval` is DAY, WEEK, MONTH or YEAR; `percentage` is the discount."""

    id: int
    name: str
    interval: str
    interval_count: int
    percentage: Decimal | None = None


@dataclass(eq=False)
class SellingPlanGroup:
    id: int
    name: str
    plans: list[SellingPlan]
    product_ids: set[int] = field(default_factory=set)


@dataclass(eq=False)
class WebhookSubscription:
    id: int
    topic: str
    uri: str
    format: str = "JSON"
    include_fields: list[str] = field(default_factory=list)
    filter: str | None = None


@dataclass(eq=False)
class Contract:
    """A subscription contract of the app."""

    id: int
    status: str = ACTIVE
    origin_order: int | None = None


@dataclass
class Shop:
    """All data of one shop. The limits are those of the platform."""

    domain: str = "standin.myshopify.com"
    name: str = "Stand-in"
    currency: str = "EUR"
    money_format: str = "€{{amount}}"
    weight_unit: str = "KILOGRAMS"
    taxes_included: bool = True
    locales: tuple[str, ...] = ("en",)
    """The locales of the shop, its own language first."""
    unpublished_locales: frozenset[str] = frozenset()
    products: dict[int, Product] = field(default_factory=dict)
    markets: list[Market] = field(default_factory=list)
    selling_plan_groups: list[SellingPlanGroup] = field(default_factory=list)
    webhook_subscriptions: list[WebhookSubscription] = field(default_factory=list)
    functions: Functions = field(default_factory=Functions)
    carts: dict[str, Cart] = field(default_factory=dict)
    orders: dict[int, Order] = field(default_factory=dict)
    orders_shown_from: str = ""
    """Orders from before this time are visible to the app only if it has the access scope for them."""
    contracts: dict[int, Contract] = field(default_factory=dict)
    tax_rate: Decimal = Decimal(0)
    states_merged_discounts: bool = False
    """Whether the lines of a merged bundle in an order have their full price and a discount, instead of a lower price. The
    platform's documentation does not specify which."""
    rejects_merges_of_plans: bool = False
    """Whether a line with a selling plan anywhere in a cart makes the platform reject every merge in the cart, instead of only
    merges of that line. The platform's documentation and its users' reports differ."""
    max_variants: int = 2048
    max_options: int = 3
    new_ids: Iterator[int] = field(default_factory=lambda: count(NEW_IDS_FROM))

    def add(self, *products: Product) -> None:
        self.products.update((product.id, product) for product in products)

    def new_id(self) -> int:
        return next(self.new_ids)

    def variant(self, number: int | None) -> tuple[Product, Variant] | None:
        """Find a variant by its number, together with its product."""
        for product in self.products.values():
            variant = product.variant(number)
            if variant is not None:
                return product, variant
        return None

    def plan(self, number: int | None, product: Product) -> "SellingPlan | None":
        """Find a selling plan by number, among the plans available for a product."""
        groups = (group for group in self.selling_plan_groups if product.id in group.product_ids)
        return next((plan for group in groups for plan in group.plans if plan.id == number), None)

    def market_of(self, country: str | None) -> Market | None:
        """Find the active market of a country. Draft markets are ignored."""
        return next((market for market in self.active_markets if country in market.countries), None)

    @property
    def active_markets(self) -> list[Market]:
        return [market for market in self.markets if market.status == ACTIVE]

    def market(self, number: int | None) -> Market | None:
        """Find a market by the number that it shares with its catalog, price list and publication."""
        return next((market for market in self.markets if market.id == number), None)
