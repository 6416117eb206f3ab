"""A shop and its markets."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from bundlesvc.domain.publication import ALWAYS, Phase, phase_at

CONDITIONS = "conditions"
SUBSCRIPTIONS = "subscriptions"
PERSONALISATION = "personalisation"
AB_TESTING = "ab-testing"
TRANSLATIONS = "translations"
STOCK_REMINDERS = "stock-reminders"
SEARCH_ENGINES = "search-engines"
FEATURES = (CONDITIONS, SUBSCRIPTIONS, PERSONALISATION, AB_TESTING, TRANSLATIONS, STOCK_REMINDERS, SEARCH_ENGINES)
"""The features that `activeFeatures` can contain (docs/contract.md#features)."""

EMBEDDED = "embedded"
SHOPIFY = "shopify"
VENDURE = "vendure"
WITH_CHANNELS = (VENDURE,)
"""The platforms whose shops are in a channel, and whose markets are defined in the shop file."""
WITHOUT_GHOSTS = (VENDURE,)
"""The platforms that cannot sell ghost variants, so their shops have only native bundles."""
WITHOUT_WEIGHTS = (VENDURE,)
"""The platforms whose products have no weight."""
IMAGE_WIDTHS = {SHOPIFY: ("https://cdn.shopify.com", "width")}
"""The platforms that resize an image to the width in its address: for each, the origin of the images, and the name of the width
parameter."""
LIVE_PLATFORMS = (SHOPIFY, VENDURE)
"""The platforms that hold the products and settings of a shop themselves; for any other platform, the shop file contains them."""


@dataclass(frozen=True, slots=True)
class PlatformMarket:
    """The terms on which a shop sells in one country, on a live platform that has no markets of its own: the channel with the
    country's prices (None: the shop's own channel), the currency of these prices, and the `exchange_rate` (units of this currency
    per unit of shop currency)."""

    country_code: str
    currency: str
    exchange_rate: Decimal
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class PlatformLink:
    """The commerce platform of a shop's products: the embedded one, or a live one at `domain`. On a platform with channels,
    `channel` is the shop's own channel (None: the default channel), and `markets` are defined in the shop file."""

    kind: str = EMBEDDED
    domain: str | None = None
    channel: str | None = None
    markets: tuple[PlatformMarket, ...] = ()

    def market(self, country: str) -> PlatformMarket | None:
        """Return the market of a country; None where the shop's own prices apply."""
        return next((market for market in self.markets if market.country_code == country), None)

    def channel_of(self, market: PlatformMarket) -> str | None:
        """Return the token of the channel with a market's prices; None for the default channel."""
        return market.channel or self.channel

    @property
    def channels(self) -> tuple[str | None, ...]:
        """The tokens of all channels of the shop, its own channel first; None for the default channel."""
        return tuple(dict.fromkeys([self.channel, *map(self.channel_of, self.markets)]))


@dataclass(frozen=True, slots=True)
class ShopSettings:
    """The settings of the shop on its platform: currency code (ISO 4217), money format template and weight unit."""

    currency: str
    money_format: str
    weight_unit: str


@dataclass(frozen=True, slots=True)
class Shop:
    """One shop. `settings` is None when a live platform defines the shop's settings. `timezone` is an IANA name. With
    `second_person_publishes`, people cannot publish drafts that they have changed themselves."""

    handle: str
    name: str
    domain: str
    locale: str
    headless_enabled: bool
    active_features: tuple[str, ...]
    platform: PlatformLink
    templates: tuple[str, ...]
    settings: ShopSettings | None
    timezone: str = "UTC"
    second_person_publishes: bool = False

    def has(self, feature: str) -> bool:
        return feature in self.active_features


@dataclass(frozen=True, slots=True)
class Market:
    """The terms on which a shop sells in one country (docs/contract.md#market-prices). `price_adjustment` is in percent,
    `exchange_rate` is in units of the market's currency per unit of the shop's currency, and `prices` are fixed prices by variant
    id, in the market's currency."""

    country_code: str
    currency: str
    exchange_rate: Decimal
    price_adjustment: Decimal
    prices: Mapping[int, Decimal] = field(default_factory=dict)
    unavailable_variant_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tenant:
    """A shop in the database: its row id, and its revision number, which increases with every change to its data or keys. Its
    bundles go on or off sale at `times`, in seconds since 1970. A tenant object describes the shop in one `phase` between these
    times."""

    id: int
    revision: int
    shop: Shop
    times: tuple[int, ...] = ()
    phase: Phase = ALWAYS
    version: tuple[int, int] = field(init=False, repr=False, compare=False)
    """A value that identifies what the shop shows. It is different after each change to the shop and in each publication
    phase."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "version", (self.revision, self.phase.start))

    def at(self, now: float) -> "Tenant":
        """Return the tenant in the phase that contains the time `now`."""
        return self if self.phase.contains(now) else replace(self, phase=phase_at(self.times, now))
