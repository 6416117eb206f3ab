"""A shop and its markets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

CONDITIONS = "conditions"
SUBSCRIPTIONS = "subscriptions"
PERSONALISATION = "personalisation"
AB_TESTING = "ab-testing"
TRANSLATIONS = "translations"
STOCK_REMINDERS = "stock-reminders"
FEATURES = (CONDITIONS, SUBSCRIPTIONS, PERSONALISATION, AB_TESTING, TRANSLATIONS, STOCK_REMINDERS)
"""What `activeFeatures` of a shop may hold (design 11)."""

EMBEDDED = "embedded"
SHOPIFY = "shopify"


@dataclass(frozen=True, slots=True)
class PlatformLink:
    """Which commerce platform a shop's products come from: our own catalogue, or a live one at `domain`."""

    kind: str = EMBEDDED
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class ShopSettings:
    """What the platform says of the shop as a whole: currency code (ISO 4217), money format template, weight unit."""

    currency: str
    money_format: str
    weight_unit: str


@dataclass(frozen=True, slots=True)
class Shop:
    """One tenant. `settings` is None where a live platform owns them."""

    handle: str
    name: str
    domain: str
    locale: str
    headless_enabled: bool
    active_features: tuple[str, ...]
    platform: PlatformLink
    templates: tuple[str, ...]
    settings: ShopSettings | None

    def has(self, feature: str) -> bool:
        return feature in self.active_features


@dataclass(frozen=True, slots=True)
class Market:
    """How the shop sells in one country (design 15): `price_adjustment` in percent, `exchange_rate` market currency per
    shop currency, `prices` fixed ones by variant id in market currency."""

    country_code: str
    currency: str
    exchange_rate: Decimal
    price_adjustment: Decimal
    prices: Mapping[int, Decimal] = field(default_factory=dict)
    unavailable_variant_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tenant:
    """A shop as the database holds it: its row id, and the revision that every change of its data or keys raises."""

    id: int
    revision: int
    shop: Shop
