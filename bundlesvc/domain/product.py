"""Products and variants of a platform, and their prices in markets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from bundlesvc.domain.money import HUNDRED, round_amount
from bundlesvc.domain.shop import Market

CONTROL_TAG_PREFIX = "bundlesvc:"
"""Tags with this prefix control the service. Responses never contain them (docs/contract.md#features)."""

ACTIVE = "ACTIVE"
PRODUCT_STATUSES = (ACTIVE, "ARCHIVED", "DRAFT")
INVENTORY_POLICIES = ("deny", "continue")
DEFAULT_TITLE = "Default Title"
"""The title of a variant that has no name."""


@dataclass(frozen=True, slots=True)
class Swatch:
    color: str = ""
    image_url: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option in which a product's variants differ, such as the size. `swatches` are keyed by value."""

    name: str
    values: tuple[str, ...]
    swatches: Mapping[str, Swatch] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a product. Prices are in shop currency, weights in grams. On a live platform, the ids of the variant's
    inventory item and product are set too (0: unknown)."""

    id: int
    title: str
    price: Decimal
    compare_at_price: Decimal | None
    sku: str
    inventory_tracked: bool
    inventory_policy: str
    inventory_quantity: int
    grams: int
    option_values: tuple[str, ...]
    image: str | None = None
    inventory_item_id: int | None = None
    product_id: int = 0

    @property
    def available(self) -> bool:
        """Whether at least one unit can be bought in the shop's own market."""
        return self.in_stock(1)

    def in_stock(self, count: int) -> bool:
        """Whether `count` units can be sold now, because stock is not tracked, sales may exceed stock, or enough units are in
        stock."""
        return not self.inventory_tracked or self.inventory_policy == "continue" or self.inventory_quantity >= count


@dataclass(frozen=True, slots=True)
class OptionTranslation:
    name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProductTranslation:
    title: str = ""
    description_html: str = ""
    options: Mapping[str, OptionTranslation] = field(default_factory=dict)


@dataclass(frozen=True)
class Product:
    """A product with all its variants except ghost variants."""

    id: int
    title: str
    handle: str
    image_url: str
    status: str
    tags: tuple[str, ...]
    description_html: str
    options: tuple[Option, ...]
    variants: tuple[Variant, ...]
    translations: Mapping[str, ProductTranslation] = field(default_factory=dict)

    @cached_property
    def variants_by_id(self) -> Mapping[int, Variant]:
        return {variant.id: variant for variant in self.variants}

    def title_of(self, variant: Variant) -> str:
        """Return the product's title, followed by the variant's title when the product has several variants."""
        return f"{self.title} ({variant.title})" if len(self.variants) > 1 else self.title


@dataclass(frozen=True, slots=True)
class MarketPrice:
    """A variant's price in one country, in the market's currency and converted to the shop's currency. `exchange_rate` is in
    units of the market's currency per unit of the shop's; it is set when the currencies differ and the market has a fixed
    rate."""

    presentment_price: Decimal
    presentment_currency: str
    price_in_shop_currency: Decimal
    available_for_sale: bool
    exchange_rate: Decimal | None = None


def market_price(
    variant: Variant, market: Market | None, shop_currency: str, own: Decimal | None = None
) -> MarketPrice:
    """Return a variant's price in a market (docs/contract.md#market-prices). In a country without a market, this is the shop's
    price. `own` is the variant's own price in the market, in market currency, and takes precedence."""
    if market is None:
        price = round_amount(variant.price if own is None else own, shop_currency)
        return MarketPrice(price, shop_currency, price, available_for_sale=True)
    adjusted = variant.price * (1 + market.price_adjustment / HUNDRED) * market.exchange_rate
    fixed = market.prices.get(variant.id) if own is None else own
    price = round_amount(adjusted if fixed is None else fixed, market.currency)
    return MarketPrice(
        price,
        market.currency,
        round_amount(price / market.exchange_rate, shop_currency),
        available_for_sale=variant.id not in market.unavailable_variant_ids,
        exchange_rate=None if market.currency == shop_currency else market.exchange_rate,
    )


def unit_price(variant: Variant, market: MarketPrice | None, shop_currency: str) -> Decimal:
    """Return the price of a unit in the shop's currency, rounded: the market's price if there is one, otherwise the variant's own
    price (docs/contract.md#steps)."""
    return market.price_in_shop_currency if market else round_amount(variant.price, shop_currency)
